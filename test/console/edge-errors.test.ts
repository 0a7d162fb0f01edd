import { describe, expect, it } from 'vitest';

import { classesOver, windowUntil } from '../../console/screens/edge-errors/edge-window.ts';

describe('windowUntil()', () => {
  it('has whole minutes, and the present minute in it', () => {
    expect(windowUntil(Date.parse('2026-04-21T09:30:12.345Z'), 'hour')).toEqual({
      start: '2026-04-21T08:31:00.000Z',
      end: '2026-04-21T09:31:00.000Z',
    });
  });
});

it('classesOver() adds up statuses by class', () => {
  const bucket = { date: '2026-04-21T09:30:00.000Z', buckets: { 404: 2, 429: 1, 500: 4 }, total: 7 };
  expect(classesOver([bucket])).toEqual({ times: [1_776_763_800], client: [3], server: [4] });
});
