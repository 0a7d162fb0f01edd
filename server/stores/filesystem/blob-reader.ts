import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

import { releaseMemory } from '../release-memory.ts';

const [smallestChunkBytes, largestChunkBytes] = [64 * 1024, 1024 * 1024];

/** Up to this many bytes are read in one piece: a segment of an encrypted blob has a little more than 64 KiB. */
const mostAtOnceBytes = smallestChunkBytes + 4096;

/**
 * How quickly the last chunk was taken. A reader doubles its chunks below `quickMs` and halves them above `slowMs`.
 */
const [quickMs, slowMs] = [25, 100];

/**
 * The bytes that the chunks of all readers may take above their smallest size. Large chunks halve the cost of a
 * download. Clients that stop reading keep theirs, so without a bound a thousand of them would fill the memory.
 */
export class ChunkBudget {
  #leftBytes: number;

  constructor(bytes = 64 * largestChunkBytes) {
    this.#leftBytes = bytes;
  }

  /** Returns the new size of a chunk of `bytes`: `wanted`, or `bytes` if the budget has too little left. */
  resized(bytes: number, wanted: number): number {
    if (wanted - bytes > this.#leftBytes) return bytes;
    this.#leftBytes -= wanted - bytes;
    return wanted;
  }
}

/** Reads the bytes of a file from `start` to `end`, both included. Closes the file at the end. */
export class BlobReader extends Readable {
  readonly #handle: FileHandle;
  readonly #budget: ChunkBudget;
  readonly #end: number;
  #next: number;
  #chunkBytes = smallestChunkBytes;
  /** Chunks that came back. */
  readonly #free: Uint8Array[] = [];
  #pushedAt = -Infinity;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(
    handle: FileHandle,
    { start, end }: { readonly start: number; readonly end: number },
    budget: ChunkBudget,
  ) {
    // One chunk is read ahead.
    super({ highWaterMark: 1 });
    this.#handle = handle;
    this.#budget = budget;
    this.#next = start;
    this.#end = end;
  }

  override _read(): void {
    const leftBytes = this.#end + 1 - this.#next;
    if (leftBytes <= 0) return void this.push(null);
    this.#adapt();
    const chunk =
      leftBytes <= mostAtOnceBytes ? Buffer.allocUnsafeSlow(leftBytes) : this.#chunk().subarray(0, leftBytes);
    this.#reading = this.#handle.read(chunk, 0, chunk.length, this.#next).then(
      ({ bytesRead }) => {
        this.#next += bytesRead;
        this.#pushedAt = performance.now();
        this.push(bytesRead === 0 ? null : chunk.subarray(0, bytesRead));
      },
      (error: Error) => void this.destroy(error),
    );
  }

  /**
   * Takes back a chunk whose bytes nobody needs any more. Without this each chunk takes new memory, which the system
   * clears first.
   */
  recycle(chunk: Uint8Array): void {
    if (chunk.byteLength === this.#chunkBytes && !this.destroyed) this.#free.push(chunk);
    else releaseMemory(chunk);
  }

  #chunk(): Uint8Array {
    for (let free = this.#free.pop(); free; free = this.#free.pop())
      if (free.byteLength === this.#chunkBytes) return free;
    return Buffer.allocUnsafeSlow(this.#chunkBytes);
  }

  /** Chooses the size of the next chunk by how long the last one waited to be taken. */
  #adapt(): void {
    const waitedMs = performance.now() - this.#pushedAt;
    if (waitedMs < quickMs) this.#resize(Math.min(2 * this.#chunkBytes, largestChunkBytes));
    else if (waitedMs > slowMs) this.#resize(Math.max(this.#chunkBytes / 2, smallestChunkBytes));
  }

  #resize(bytes: number): void {
    this.#chunkBytes = this.#budget.resized(this.#chunkBytes, bytes);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    for (const chunk of this.#free.splice(0)) releaseMemory(chunk);
    this.#resize(smallestChunkBytes);
    // A file must not be closed during a read.
    void this.#reading
      .then(() => this.#handle.close())
      .then(
        () => done(error),
        (fault: Error) => done(error ?? fault),
      );
  }
}
