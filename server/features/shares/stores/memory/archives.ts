import { LRUCache } from 'lru-cache';

import type { BundleArchive } from '../../bundle-archive.ts';
import type { ArchiveCache } from '../../current-archive.ts';

/** Files of all cached archives together. Each takes about half a KB, with its names. */
const maxFiles = 60_000;

/** Laid out archives in the memory of one process. The least recently used ones are dropped first. */
export class MemoryArchives implements ArchiveCache {
  readonly #archives = new LRUCache<string, { readonly archive: BundleArchive; readonly goodUntil: number }>({
    maxSize: maxFiles,
    sizeCalculation: ({ archive }) => archive.files.length + 1,
  });

  get(key: string, now: number): BundleArchive | undefined {
    const cached = this.#archives.get(key);
    return cached && cached.goodUntil > now ? cached.archive : undefined;
  }

  set(key: string, archive: BundleArchive, goodUntil: number): void {
    this.#archives.set(key, { archive, goodUntil });
  }
}
