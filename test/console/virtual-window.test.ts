import { describe, expect, it } from 'vitest';

import { afterScroll, elementHeight, inOrderOfElements, rowsInView, scrolledTo } from '#console/ui/virtual-window.ts';

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

it('a list has as many rows at its ends as in the middle', () => {
  const sizes = { rowHeight, count: 1000, frameHeight };
  const counts = [0, 300, 22_000, 43_400].map((scrollTop) => {
    const { start, end } = rowsInView({ scrollTop, base: 0 }, sizes);
    return end - start;
  });
  expect(counts).toEqual([30, 30, 30, 30]);
});

it('a row that comes into view gets the element of one that has left it, and no other element moves', () => {
  expect(inOrderOfElements(10, 15, 5, 0)).toEqual([10, 11, 12, 13, 14]);
  expect(inOrderOfElements(12, 17, 5, 0)).toEqual([15, 16, 12, 13, 14]);
  // At rest the elements follow the rows again.
  expect(inOrderOfElements(12, 17, 5, 2)).toEqual([12, 13, 14, 15, 16]);
  expect(inOrderOfElements(0, 2, 5, 0)).toEqual([0, 1]);
});
