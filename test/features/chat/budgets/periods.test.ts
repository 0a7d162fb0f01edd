import { describe, expect, it } from 'vitest';

import { endOfDay, endOfWeek, startOfWeek } from '#server/features/chat/budgets/periods.ts';

const at = (text: string): number => Date.parse(text);

describe('startOfWeek()', () => {
  it.each([
    ['2026-04-20T00:00:00.000Z', '2026-04-20T00:00:00.000Z'],
    ['2026-04-19T23:59:59.999Z', '2026-04-13T00:00:00.000Z'],
    ['2026-04-26T23:59:59.999Z', '2026-04-20T00:00:00.000Z'],
    ['2027-01-01T12:00:00.000Z', '2026-12-28T00:00:00.000Z'],
    ['1970-01-01T00:00:00.000Z', '1969-12-29T00:00:00.000Z'],
    ['1969-12-28T23:00:00.000Z', '1969-12-22T00:00:00.000Z'],
  ])('%s is in the week that begins at %s, a Monday', (instant, monday) => {
    expect(startOfWeek(at(instant))).toBe(at(monday));
    expect(new Date(startOfWeek(at(instant))).getUTCDay()).toBe(1);
  });
});

describe('endOfDay() and endOfWeek()', () => {
  it('return the first instant of the next day and week', () => {
    expect(endOfDay(at('2026-04-21T00:00:00.000Z'))).toBe(at('2026-04-22T00:00:00.000Z'));
    expect(endOfWeek(at('2026-04-26T23:59:59.999Z'))).toBe(at('2026-04-27T00:00:00.000Z'));
    expect(endOfWeek(at('2026-04-27T00:00:00.000Z'))).toBe(at('2026-05-04T00:00:00.000Z'));
  });
});
