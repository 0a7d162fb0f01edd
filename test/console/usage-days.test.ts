import { expect, it } from 'vitest';

import { daysBetween, everyDay, firstOf } from '#console/screens/usage/days.ts';

it('firstOf() counts today', () => {
  expect(firstOf('7', Date.parse('2026-04-21T23:59:59Z'))).toBe('2026-04-15');
});

it('daysBetween() returns the days after one and before another, over the end of a month', () => {
  expect(daysBetween('2026-02-27', '2026-03-02')).toEqual(['2026-02-28', '2026-03-01']);
  expect(daysBetween('2026-02-27', '2026-02-28')).toEqual([]);
});

it('everyDay() fills gaps with days without values', () => {
  const day = (name: string) => ({ day: name, storage: 1, objects: 1, requests: 1, egress_bytes: 1 });
  expect(everyDay([day('2026-04-19'), day('2026-04-21')])).toEqual([
    day('2026-04-19'),
    { day: '2026-04-20', storage: null, objects: null, requests: null, egress_bytes: null },
    day('2026-04-21'),
  ]);
});
