import { describe, expect, it } from 'vitest';

import { chunkSize, partsOf } from '#dist/modules/uploader/chunk-plan.js';

const limits = { minSizeBytes: 5_242_880, maxSizeBytes: 33_554_432, maxParts: 2048 };
const mebibyte = 1_048_576;
const gibibyte = 1024 * mebibyte;

describe('chunkSize()', () => {
  it.each([
    [17 * mebibyte, 8 * mebibyte],
    [2 * gibibyte, 8 * mebibyte],
    [3 * gibibyte, 12 * mebibyte],
    [8 * gibibyte, 32 * mebibyte],
    [10 * gibibyte, 32 * mebibyte],
  ])('of a file of %i bytes is %i', (sizeBytes, wanted) => {
    expect(chunkSize(sizeBytes, limits)).toBe(wanted);
  });

  it('stays within the limits of the server, for any requested size', () => {
    expect(chunkSize(gibibyte, limits, 1)).toBe(limits.minSizeBytes);
    expect(chunkSize(gibibyte, limits, gibibyte)).toBe(limits.maxSizeBytes);
    expect(chunkSize(10 * gibibyte, { ...limits, maxParts: 1024 }, limits.minSizeBytes)).toBe(10 * mebibyte);
  });
});

describe('partsOf()', () => {
  it.each([1, 9, 10, 11, 20, 25])('splits %i bytes into parts of ten bytes without a gap', (sizeBytes) => {
    const parts = partsOf(sizeBytes, 10);
    expect(parts.map(({ number }) => number)).toEqual(parts.map((_, index) => index + 1));
    expect(parts.map(({ startBytes }) => startBytes)).toEqual([
      0,
      ...parts.slice(0, -1).map(({ endBytes }) => endBytes),
    ]);
    expect(parts.at(-1)!.endBytes).toBe(sizeBytes);
    for (const { startBytes, endBytes } of parts) expect(endBytes).toBeGreaterThan(startBytes);
  });
});
