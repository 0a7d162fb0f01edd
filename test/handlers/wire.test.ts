import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { timestamp } from '#server/handlers/wire.ts';

describe('timestamp()', () => {
  it('returns what Date.toISOString() returns, in all years', () => {
    const borders = ['-000001-12-31', '1969-12-31', '2024-02-28', '2024-02-29', '2100-02-28', '9999-12-31'];
    for (const before of borders.map((day) => Date.parse(`${day}T23:59:59.999Z`)))
      for (const instant of [before, before + 1]) expect(timestamp(instant)).toBe(new Date(instant).toISOString());
    const instants = fc.oneof(
      fc.date({ noInvalidDate: true }),
      fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
    );
    fc.assert(
      fc.property(instants, (date) => {
        expect(timestamp(date.getTime())).toBe(date.toISOString());
      }),
    );
  });

  it('throws a RangeError for an instant that Date does not have', () => {
    for (const instant of [NaN, Infinity, 9e15]) expect(() => timestamp(instant)).toThrow(RangeError);
  });
});
