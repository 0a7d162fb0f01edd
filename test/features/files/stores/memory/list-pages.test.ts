import { describe, expect, it } from 'vitest';

import { MemoryListPages } from '#server/features/files/stores/memory/list-pages.ts';

const megabyte = 1024 * 1024;

function page(sizeBytes: number) {
  return { bytes: new Uint8Array(sizeBytes) };
}

/** Stores pages of one size, and returns how many of them are kept. */
function keptOf(count: number, sizeBytes: number, keyOf: (number: number) => string = String): number {
  const pages = new MemoryListPages();
  for (let number = 0; number < count; number++) pages.set(keyOf(number), page(sizeBytes), 10);
  return Array.from({ length: count }, (_, number) => pages.get(keyOf(number), 1)).filter(Boolean).length;
}

describe('MemoryListPages', () => {
  it('returns a page only before the instant until which it is good', () => {
    const pages = new MemoryListPages();
    const kept = page(10);
    pages.set('a', kept, 3000);
    expect(pages.get('a', 2999)).toBe(kept);
    expect(pages.get('a', 3000)).toBeUndefined();
    expect(pages.get('b', 1000)).toBeUndefined();
  });

  it('counts bytes up to 32 MiB, and drops the least recently used page', () => {
    expect(keptOf(31, megabyte)).toBe(31);
    expect(keptOf(40, megabyte)).toBe(31);
    expect(keptOf(100, megabyte / 2)).toBe(63);

    const pages = new MemoryListPages();
    for (let number = 0; number < 31; number++) pages.set(`p${number}`, page(megabyte), 10);
    expect(pages.get('p0', 1)).toBeDefined();
    pages.set('p31', page(megabyte), 10);
    expect(['p0', 'p1', 'p2', 'p31'].filter((key) => pages.get(key, 1))).toEqual(['p0', 'p2', 'p31']);
  });

  it('counts keys, and the memory that even an empty page takes', () => {
    expect(keptOf(40, 0, (number) => `${number}${'k'.repeat(megabyte / 2)}`)).toBe(31);
    expect(keptOf(40_000, 60)).toBeLessThan(32_000);
  });

  it('does not keep a page that is larger than the whole cache, nor drop others for it', () => {
    const pages = new MemoryListPages();
    pages.set('small', page(1), 10);
    pages.set('huge', page(33 * megabyte), 10);
    expect([pages.get('small', 1), pages.get('huge', 1)].map((one) => one !== undefined)).toEqual([true, false]);
  });
});
