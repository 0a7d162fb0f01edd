import { describe, expect, it } from 'vitest';

import type { StoredPart } from '#server/features/uploads/chunked-upload.ts';
import { partsToMerge } from '#server/features/uploads/small-parts.ts';
import { partNumber } from '#test/support/parsed.ts';

const mib = 1_048_576;

const partsOf = (sizes: readonly number[]): StoredPart[] =>
  sizes.map((sizeBytes, index) => ({
    part: partNumber(index + 1),
    sequence: index + 1,
    blob: { blobId: `b${index}`, sizeBytes, isInline: false, crc32: 0 },
    md5: '',
    receivedAt: 0,
    isCut: true,
  }));

const merged = (...sizes: number[]) => partsToMerge(partsOf(sizes))?.map(({ part }) => part);

describe('partsToMerge()', () => {
  it('leaves few small parts and all whole ones alone', () => {
    expect(merged()).toBeUndefined();
    expect(merged(16 * mib, 16 * mib)).toBeUndefined();
    expect(merged(16 * mib, 1, 1, 1, 1, 1, 1, 1)).toBeUndefined();
    expect(merged(8 * mib)).toBeUndefined();
  });

  it('merges the small parts at the end once they make a whole one', () => {
    expect(merged(16 * mib, 3 * mib, 2 * mib, 3 * mib)).toEqual([2, 3, 4]);
    expect(merged(7 * mib, 7 * mib)).toEqual([1, 2]);
  });

  it('merges eight of a similar size, without the larger ones before them', () => {
    expect(merged(5000, 1, 2, 3, 4, 5, 6, 7, 7)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it.each([1, 100, 5000, 70_000, 1_000_000])('keeps some dozens of parts of %i bytes, and copies few bytes', (size) => {
    const sizes: number[] = [];
    let copied = 0;
    let most = 0;
    const total = Math.min(20_000 * size, 64 * mib);
    for (let sum = 0; sum < total; sum += size) {
      sizes.push(size);
      for (let found = merged(...sizes); found; found = merged(...sizes)) {
        const bytes = sizes.splice(found[0]! - 1).reduce((a, b) => a + b, 0);
        copied += bytes;
        sizes.push(bytes);
      }
      most = Math.max(most, sizes.filter((one) => one < 8 * mib).length);
    }
    expect(most).toBeLessThan(64);
    expect(copied / total).toBeLessThan(8);
  });
});
