import { expect, it } from 'vitest';

import { instantOf, localInput } from '#console/local-time.ts';

it.each([
  ['2026-05-01T18:00:00.000Z', 'UTC', '2026-05-01T18:00'],
  ['2026-05-01T18:00:00.000Z', 'Europe/Berlin', '2026-05-01T20:00'],
  ['2026-12-31T23:30:00.000Z', 'Asia/Kathmandu', '2027-01-01T05:15'],
  ['2026-01-01T02:00:00.000Z', 'America/Sao_Paulo', '2025-12-31T23:00'],
  // The clocks change at 01:00Z.
  ['2026-03-29T00:59:00.000Z', 'Europe/Berlin', '2026-03-29T01:59'],
  ['2026-03-29T01:00:00.000Z', 'Europe/Berlin', '2026-03-29T03:00'],
])('%s in %s is %s in a field, and the other way round', (instant, zone, local) => {
  expect(localInput(instant, zone)).toBe(local);
  expect(instantOf(local, zone)).toBe(instant);
});

it('has no instant for an empty field', () => {
  expect(instantOf('', 'UTC')).toBeUndefined();
});
