import { CacheUntil } from '#server/stores/memory/cache-until.ts';
import type { BundleArchive } from '../../bundle-archive.ts';
import type { ArchiveCache } from '../../current-archive.ts';

/** Files of all cached archives together. Each takes about half a KB, with its names. */
const maxFiles = 60_000;

/** Laid out archives in the memory of one process. */
export class MemoryArchives extends CacheUntil<BundleArchive> implements ArchiveCache {
  constructor() {
    super(maxFiles, ({ files }) => files.length + 1);
  }
}
