import { mkdir, opendir, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { BlobStoreFull } from '#server/domain/ports/blobs.ts';
import type { CachedVariant, Rendered, VariantCache } from '../../image-ports.ts';
import { isNoSpace } from '#server/stores/filesystem/disk-reserve.ts';
import type { VariantCipher } from './variant-cipher.ts';
import { openVariant, readAbout, writeVariant, type VariantAbout } from './variant-file.ts';

/** How often the time of the last use of a file is written, at most. */
const touchedEveryMs = 3_600_000;

/** Other processes may use the same folder, so it is listed again from time to time. */
const listedEveryMs = 600_000;

/** A temporary file of this age was abandoned. */
const abandonedAfterMs = 3_600_000;

/** The most files that are known. More would take too much memory. */
const mostFiles = 100_000;

/** A variant on the disk. */
interface Kept {
  readonly fileBytes: number;
  touchedAt: number;
  about: VariantAbout | undefined;
}

interface Options {
  readonly folder: string;
  readonly maxBytes: number;
  readonly cipher: VariantCipher;
  /** Whether the disk has no space above what is kept free. */
  readonly isFull: () => boolean;
  readonly onFault: (error: unknown) => void;
}

/**
 * Variants as files: `<folder>/<content>/<key>`. They survive restarts. Beyond `maxBytes` the least recently used ones
 * are removed; the newest one stays.
 */
export class VariantFiles implements VariantCache {
  readonly #options: Options;
  /** By path, the least recently used first. */
  readonly #kept = new Map<string, Kept>();
  /** The paths of each content's folder. */
  readonly #folders = new Map<string, Set<string>>();
  #totalBytes = 0;
  #listing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Learns what earlier processes have put into the folder. */
  begin(): void {
    this.#listing = this.#list();
    this.#timer = setInterval(() => (this.#listing = this.#list()), listedEveryMs).unref();
  }

  async find(contentId: string, key: string): Promise<CachedVariant | undefined> {
    await this.#listing;
    const path = this.#path(contentId, key);
    const known = this.#kept.get(path);
    const about = known?.about ?? (await readAbout(path, this.#options.cipher));
    if (!about) return undefined;
    await this.#use(path, about);
    return this.#cached(path, about);
  }

  async put(contentId: string, key: string, rendered: Rendered): Promise<CachedVariant> {
    await this.#listing;
    if (this.#options.isFull()) throw new BlobStoreFull();
    const path = this.#path(contentId, key);
    const about = await writeVariant(path, rendered, this.#options.cipher).catch((error: unknown) => {
      throw isNoSpace(error) ? new BlobStoreFull(error) : error;
    });
    await this.#use(path, about);
    await this.#evict();
    return this.#cached(path, about);
  }

  has(contentId: string): boolean {
    return this.#folders.has(this.#folderOf(contentId));
  }

  async drop(contentId: string): Promise<void> {
    const folder = this.#folderOf(contentId);
    for (const path of [...(this.#folders.get(folder) ?? [])]) this.#forget(path);
    await rm(folder, { recursive: true, force: true });
  }

  async contents(): Promise<readonly string[]> {
    await this.#listing;
    const start = this.#options.folder.length + 1;
    return this.#folders
      .keys()
      .map((folder) => folder.slice(start))
      .toArray();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#listing;
  }

  #cached(path: string, about: VariantAbout): CachedVariant {
    return {
      ...about,
      open: async (range) => {
        const bytes = await openVariant(path, range, this.#options.cipher);
        // Another process has removed it.
        if (!bytes) this.#forget(path);
        return bytes;
      },
    };
  }

  /** Makes a variant the most recently used one. */
  async #use(path: string, about: VariantAbout): Promise<void> {
    const now = Date.now();
    const known = this.#kept.get(path);
    this.#forget(path);
    const fileBytes = known?.about === about ? known.fileBytes : ((await statOf(path))?.size ?? about.sizeBytes);
    const kept = { fileBytes, touchedAt: known?.touchedAt ?? now, about };
    this.#keep(path, kept);
    if (now - kept.touchedAt < touchedEveryMs) return;
    kept.touchedAt = now;
    await utimes(path, now / 1000, now / 1000).catch(() => {});
  }

  #keep(path: string, kept: Kept): void {
    // Another request may have used it meanwhile.
    this.#forget(path);
    this.#kept.set(path, kept);
    this.#totalBytes += kept.fileBytes;
    const folder = dirname(path);
    const paths = this.#folders.get(folder);
    if (paths) paths.add(path);
    else this.#folders.set(folder, new Set([path]));
  }

  #forget(path: string): void {
    const kept = this.#kept.get(path);
    if (!kept) return;
    this.#kept.delete(path);
    this.#totalBytes -= kept.fileBytes;
    const paths = this.#folders.get(dirname(path));
    paths?.delete(path);
    if (paths?.size === 0) this.#folders.delete(dirname(path));
  }

  async #evict(): Promise<void> {
    const isOver = () => this.#totalBytes > this.#options.maxBytes || this.#kept.size > mostFiles;
    while (isOver() && this.#kept.size > 1) {
      const [oldest] = this.#kept.keys();
      this.#forget(oldest!);
      await rm(oldest!, { force: true });
      // Fails while it has other variants.
      await rmdir(dirname(oldest!)).catch(() => {});
    }
  }

  /** Learns what the folder contains. */
  async #list(): Promise<void> {
    try {
      await this.#listFolders();
      await this.#evict();
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  async #listFolders(): Promise<void> {
    const { folder } = this.#options;
    /** Files by the hour of their last use. Nothing finer is known, and sorting many would block the event loop. */
    const hours = new Map<number, Array<readonly [path: string, kept: Kept]>>();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for await (const content of await opendir(folder)) {
      if (!content.isDirectory() || !isId(content.name)) continue;
      for await (const { name } of await opendir(join(folder, content.name))) {
        const path = join(folder, content.name, name);
        const about = this.#kept.has(path) ? undefined : await statOf(path);
        if (about && isId(name)) {
          const hour = Math.floor(about.mtimeMs / touchedEveryMs);
          const kept = { fileBytes: about.size, touchedAt: about.mtimeMs, about: undefined };
          const files = hours.get(hour);
          if (files) files.push([path, kept]);
          else hours.set(hour, [[path, kept]]);
        } else if (about && Date.now() - about.mtimeMs > abandonedAfterMs) await rm(path, { force: true });
      }
    }
    for (const hour of [...hours.keys()].sort((a, b) => a - b)) {
      for (const [path, kept] of hours.get(hour)!) if (!this.#kept.has(path)) this.#keep(path, kept);
    }
  }

  #folderOf(contentId: string): string {
    if (!isId(contentId)) throw new Error(`The content ${contentId} cannot name a folder.`);
    return join(this.#options.folder, contentId);
  }

  #path(contentId: string, key: string): string {
    return join(this.#folderOf(contentId), key);
  }
}

/** Ids of contents and keys of variants. Temporary files have a dot. */
function isId(name: string): boolean {
  return /^[\w-]{1,100}$/.test(name);
}

async function statOf(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
