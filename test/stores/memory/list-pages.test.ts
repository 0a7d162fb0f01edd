import { describe, expect, it } from 'vitest';

import type { ListPage } from '#server/domain/objects/list-pages.ts';
import type { ListedObject } from '#server/domain/objects/table.ts';
import { MemoryListPages } from '#server/stores/memory/list-pages.ts';

const halfAnHour = 30 * 60_000;

function page(expiries: ReadonlyArray<number | null>, folders: readonly string[] = []): ListPage {
  return { objects: expiries.map((expiresAt) => ({ expiresAt }) as ListedObject), folders, next: undefined };
}

describe('MemoryListPages', () => {
  it('keeps a page for 30 minutes', () => {
    const pages = new MemoryListPages();
    const kept = page([null]);
    pages.set('a', kept, 1000);
    expect(pages.get('a', 1000 + halfAnHour - 1)).toBe(kept);
    expect(pages.get('a', 1000 + halfAnHour)).toBeUndefined();
    expect(pages.get('b', 1000)).toBeUndefined();
  });

  it('keeps a page only until the first of its files expires', () => {
    const pages = new MemoryListPages();
    pages.set('a', page([null, 5000, 3000, null]), 1000);
    expect(pages.get('a', 2999)).toBeDefined();
    expect(pages.get('a', 3000)).toBeUndefined();
  });

  it('keeps no page with folders, because they may contain files that expire', () => {
    const pages = new MemoryListPages();
    pages.set('a', page([null], ['b/']), 0);
    expect(pages.get('a', 0)).toBeUndefined();
  });

  it('keeps empty pages too', () => {
    const pages = new MemoryListPages();
    pages.set('a', page([]), 0);
    expect(pages.get('a', 1)).toBeDefined();
  });

  it('drops the least recently used page when it holds 20,000 entries', () => {
    const pages = new MemoryListPages();
    const large = page(Array(1000).fill(null));
    for (let number = 0; number < 19; number++) pages.set(`p${number}`, large, 0);
    expect(pages.get('p0', 1)).toBeDefined();
    pages.set('p19', large, 1);
    expect([pages.get('p0', 1), pages.get('p1', 1), pages.get('p19', 1)].map((one) => one !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
  });
});
