import type { Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';

import { isBlobId } from '#server/domain/blob-id.ts';
import {
  BlobMissing,
  BlobStoreFull,
  BlobStoreFailed,
  requireRange,
  type BlobHashes,
  type BlobUpkeep,
  type ByteRange,
  type PutOptions,
  type RawBlobStore,
  type StoredBlob,
  type WriteOptions,
} from '#server/domain/ports/blobs.ts';
import { BlobReader, ChunkBudget } from './blob-reader.ts';
import { isNoSpace } from './disk-reserve.ts';
import { durability, makeFolders, type Durability } from './durability.ts';
import { HashedContent } from './hashed-content.ts';
import { HashThreads } from './hash-threads.ts';
import { Slabs } from './slabs.ts';
import type { SpaceClaim, WatchedDisk } from './watched-disk.ts';
import { passOn, writeAll, type Write } from './write-all.ts';

const SHARD = /^[a-z2-7]{2}$/;
const temporaryEnd = '.tmp';

/** The options of a {@link FilesystemBlobStore}. */
interface FilesystemBlobOptions {
  /** `false` leaves out every fsync. Only a test of durability needs that. Default `true`. */
  readonly sync?: boolean;
  /** The disk on which space is claimed before bytes are written. Without it, there is always space. */
  readonly disk?: Pick<WatchedDisk, 'claim'> | undefined;
}

/**
 * Blobs as files: `<folder>/<first two characters of the id>/<id>`, with `.tmp` at the end while they are written. The
 * folder belongs to Cubby alone. Other names in it stay untouched.
 */
export class FilesystemBlobStore implements RawBlobStore, BlobUpkeep {
  readonly #folder: string;
  readonly #durable: Durability;
  readonly #disk: FilesystemBlobOptions['disk'];
  readonly #chunkBudget = new ChunkBudget();
  readonly #threads = new HashThreads();
  readonly #slabs = new Slabs();
  /** A cache of the shard folders that exist and are on the disk. */
  readonly #shardCache = new Map<string, Promise<void>>();

  private constructor(folder: string, durable: Durability, disk: FilesystemBlobOptions['disk']) {
    this.#folder = folder;
    this.#durable = durable;
    this.#disk = disk;
  }

  /** Creates the folder when it is missing. */
  static async open(folder: string, { sync = true, disk }: FilesystemBlobOptions = {}): Promise<FilesystemBlobStore> {
    const durable = durability(sync);
    const path = resolve(folder);
    await storing('make the folder of the blobs', makeFolders(path, durable));
    return new FilesystemBlobStore(path, durable, disk);
  }

  async put(
    blobId: string,
    source: AsyncIterable<Uint8Array>,
    { signal, announcedBytes, wantsSha256 = true }: PutOptions = {},
  ): Promise<BlobHashes> {
    using content = new HashedContent(this.#threads, this.#slabs, wantsSha256);
    return await this.#store(blobId, signal, announcedBytes, async (write) => {
      await writeAll(write, content, source, signal);
      return () => content.hashes();
    });
  }

  async write(
    blobId: string,
    source: AsyncIterable<Uint8Array>,
    { signal, announcedBytes }: WriteOptions = {},
  ): Promise<void> {
    await this.#store(blobId, signal, announcedBytes, async (write) => {
      await passOn(write, source, signal);
      return async () => {};
    });
  }

  /**
   * Makes the file of a blob.
   *
   * @param fill writes the bytes. What it returns is called once they are on the disk, and may take a while
   */
  async #store<T>(
    blobId: string,
    signal: AbortSignal | undefined,
    announcedBytes: number | undefined,
    fill: (write: Write) => Promise<() => Promise<T>>,
  ): Promise<T> {
    const path = this.#path(blobId);
    signal?.throwIfAborted();
    using claim = await this.#disk?.claim(announcedBytes);
    await storing('make a folder', this.#shard(blobId));
    // Exclusive, so a second put of this id fails while this one lasts.
    const temporary = path + temporaryEnd;
    const handle = await storing(
      'make a file',
      open(temporary, 'wx', 0o600).catch((error) => alreadyWritten(error, blobId)),
    );
    let result: T;
    let written = temporary;
    try {
      try {
        // rename() would replace an existing blob.
        if (await storing('look for a blob', exists(path))) throw new Error(`Blob ${blobId} exists already.`);
        const finish = await fill(writing(handle, claim));
        await storing('sync a blob', this.#durable.file(handle));
        result = await finish();
      } finally {
        await storing('close a blob', handle.close());
      }
      signal?.throwIfAborted(); // because the next line cannot be undone
      await storing('name a blob', rename(temporary, path));
      written = path;
      await storing('sync a folder', this.#durable.folder(this.#shardPath(blobId)));
      return result;
    } catch (error) {
      // A file that cannot be removed now is swept later. The first error is the one that matters.
      await unlink(written).catch(() => {});
      throw error;
    }
  }

  async open(blobId: string, range?: ByteRange): Promise<Readable> {
    const path = this.#path(blobId);
    requireRange(range);
    const handle = await storing(
      'open a blob',
      open(path, 'r').catch((error) => missing(error, blobId)),
    );
    try {
      const { size } = await handle.stat();
      const start = range?.start ?? 0;
      const end = Math.min(range?.end ?? Infinity, size - 1);
      if (start > end) {
        await handle.close();
        return Readable.from([]);
      }
      // The stream closes the handle, also when it is destroyed early.
      return new BlobReader(handle, { start, end }, this.#chunkBudget);
    } catch (error) {
      await handle.close().catch(() => {});
      throw asStoreFault('open a blob', error);
    }
  }

  /** Not durable: a blob that returns after a power cut is an orphan, which costs only space. */
  async delete(blobId: string): Promise<void> {
    const path = this.#path(blobId);
    await storing('delete a blob', removeIfThere(path));
  }

  async *ids(): AsyncGenerator<StoredBlob> {
    for await (const { name, shard } of this.#files()) {
      if (!isBlobId(name)) continue;
      const found = await storing('look at a blob', stat(join(this.#folder, shard, name)).catch(unlessMissing));
      if (found) yield { blobId: name, sizeBytes: found.size, ageMs: Date.now() - found.mtimeMs };
    }
  }

  /**
   * Removes temporary files that an earlier process left when it crashed. Resolves with their number. Call it while no
   * process runs a put: at start, under the process lock.
   */
  async sweepTemporaries(): Promise<number> {
    let removed = 0;
    for await (const { name, shard } of this.#files()) {
      if (!name.endsWith(temporaryEnd) || !isBlobId(name.slice(0, -temporaryEnd.length))) continue;
      await storing('remove a temporary file', unlink(join(this.#folder, shard, name)).catch(unlessMissing));
      removed++;
    }
    return removed;
  }

  /** Ends the threads that hash. Puts under way fail. */
  async close(): Promise<void> {
    await this.#threads.close();
  }

  /** In the order of their names. A thousand folders hold the files, so the names of one fit into memory. */
  async *#files(): AsyncGenerator<{ name: string; shard: string }> {
    try {
      for (const { name: shard } of await sortedEntries(this.#folder)) {
        if (!SHARD.test(shard)) continue;
        for (const file of await sortedEntries(join(this.#folder, shard)))
          if (file.isFile() && file.name.startsWith(shard)) yield { name: file.name, shard };
      }
    } catch (error) {
      throw asStoreFault('list the blobs', error);
    }
  }

  #shardPath(blobId: string): string {
    return join(this.#folder, blobId.slice(0, 2));
  }

  #path(blobId: string): string {
    if (!isBlobId(blobId)) throw new TypeError(`${JSON.stringify(blobId)} is not a blob id.`);
    return join(this.#shardPath(blobId), blobId);
  }

  /** Not recursive: when the whole folder is gone, its disk is not mounted, and nothing may be written in its place. */
  #shard(blobId: string): Promise<void> {
    const path = this.#shardPath(blobId);
    let ready = this.#shardCache.get(path);
    if (ready === undefined) {
      ready = mkdir(path, { mode: 0o700 })
        .catch(unlessExisting)
        .then(() => this.#durable.folder(this.#folder));
      this.#shardCache.set(path, ready);
      ready.catch(() => this.#shardCache.delete(path));
    }
    return ready;
  }
}

/** Returns a function that claims space on the disk and then writes to the file. */
function writing(handle: FileHandle, claim: SpaceClaim | undefined): Write {
  let writtenBytes = 0;
  return async (bytes) => {
    await claim?.cover(writtenBytes + bytes.byteLength);
    await storing('write a blob', writeFully(handle, bytes));
    writtenBytes += bytes.byteLength;
    claim?.wrote(bytes.byteLength);
  };
}

/** One call may write fewer bytes than it was given, for instance just before the disk is full. */
async function writeFully(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.byteLength;) {
    written += (await handle.write(bytes, written)).bytesWritten;
  }
}

async function sortedEntries(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function storing<T>(doing: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asStoreFault(doing, error);
  }
}

/** Returns the port's own fault for an error of the operating system. Other errors stay as they are. */
function asStoreFault(doing: string, error: unknown): unknown {
  if (isNoSpace(error)) return new BlobStoreFull(error);
  return isSystemError(error)
    ? new BlobStoreFailed(`The blob store could not ${doing}: ${error.message}`, error)
    : error;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

const codeOf = (error: unknown) => (isSystemError(error) ? error.code : undefined);

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    unlessMissing(error);
    return false;
  }
}

/** Removes the file, or else the temporary one that a process left when it was killed during its put. */
async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    unlessMissing(error);
    await unlink(path + temporaryEnd).catch(unlessMissing);
  }
}

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

function unlessExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}

function missing(error: unknown, blobId: string): never {
  throw codeOf(error) === 'ENOENT' ? new BlobMissing(blobId, error) : error;
}

function alreadyWritten(error: unknown, blobId: string): never {
  throw codeOf(error) === 'EEXIST' ? new Error(`Blob ${blobId} is being written already.`, { cause: error }) : error;
}
