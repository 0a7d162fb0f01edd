import { describe, expect, it } from 'vitest';

import { afterScroll, elementHeight, rowsInView, scrolledTo } from '#console/ui/virtual-window.ts';

const rowHeight = 44;
const frameHeight = 600;
const million = 1_000_000 * rowHeight;

describe('a list of a million rows', () => {
  it('has an element that browsers do not cut off', () => {
    expect(elementHeight(million)).toBeLessThan(15_000_000);
    expect(elementHeight(10 * rowHeight)).toBe(440);
  });

  it('reaches its last row with the scroll bar', () => {
    const end = afterScroll({ scrollTop: 0, base: 0 }, elementHeight(million) - frameHeight, million, frameHeight);
    expect(rowsInView(end, { rowHeight, count: 1_000_000, frameHeight }).end).toBe(1_000_000);
  });

  it('moves by the pixels of a small step, wherever it is', () => {
    const middle = scrolledTo(million / 2, million, frameHeight);
    expect(middle.scrollTop + middle.base).toBe(million / 2);
    const next = afterScroll(middle, middle.scrollTop + 120, million, frameHeight);
    expect(next.scrollTop + next.base).toBe(million / 2 + 120);
  });

  it('draws few rows', () => {
    const { start, end } = rowsInView(scrolledTo(44_000, million, frameHeight), {
      rowHeight,
      count: 1_000_000,
      frameHeight,
    });
    expect([start, end]).toEqual([992, 1022]);
  });
});

it('a short list scrolls as it is', () => {
  expect(afterScroll({ scrollTop: 0, base: 0 }, 900, 4400, frameHeight)).toEqual({ scrollTop: 900, base: 0 });
  expect(rowsInView({ scrollTop: 0, base: 0 }, { rowHeight, count: 3, frameHeight })).toEqual({ start: 0, end: 3 });
});
