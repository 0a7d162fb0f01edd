import { odd } from '#test/contract/bad-input/odd.ts';
import type { RequestFields } from '#test/contract/bad-input/request-fields.ts';

export const sent: RequestFields['sent'] = {
  getNetworkErrors: {
    beside: () => ({ start: '2026-04-21T00:00:00Z', end: '2026-04-22T00:00:00Z' }),
    fields: {
      start: odd(['2026-02-31T00:00:00Z', '2026-04-22T00:00:00.001Z'], ['2026-04-21T02:00:00+02:00']),
      end: odd(['2026-04-31T00:00:00Z', '2026-04-20T23:59:59.999Z'], ['2026-04-22T02:00:00+02:00']),
    },
  },
};
