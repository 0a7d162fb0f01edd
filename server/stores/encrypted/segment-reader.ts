import type { KeyObject } from 'node:crypto';
import { Readable } from 'node:stream';

import { BlobDamaged, type ByteRange } from '#server/domain/ports/blobs.ts';
import { openSegment } from './segments.ts';
import { sealedSegmentBytes, segmentBytes } from './sizes.ts';

/** Returns the range of a stored blob that holds the segments of a range of its bytes. */
export function sealedRange({ start, end }: ByteRange): ByteRange {
  return {
    start: Math.floor(start / segmentBytes) * sealedSegmentBytes,
    end: (Math.floor(end / segmentBytes) + 1) * sealedSegmentBytes - 1,
  };
}

/** Memory for the segments of the largest chunk that a store yields, which has a mebibyte. */
const gatheredBytes = 17 * segmentBytes;

/** A stream that takes back chunks whose bytes nobody needs any more. */
type Recycling = Readable & { recycle?(chunk: Uint8Array): void };

/**
 * Decrypts the bytes of a blob, or a range of them. Every byte that it yields is authenticated. It fails if the stored
 * bytes were changed, moved or cut off.
 */
export class SegmentReader extends Readable {
  readonly #blobId: string;
  readonly #key: KeyObject;
  readonly #sealed: Recycling;
  /** The index of the next segment. */
  #next: number;
  /** The bytes before the range in its first segment. */
  #skipBytes: number;
  #leftBytes: number;
  /** The beginning of a segment that has not arrived as a whole. */
  #begun: Uint8Array[] = [];
  #begunBytes = 0;
  /** Whether the last segment of the blob has been read. */
  #hasEnded = false;
  #hasReceived = false;
  /** Memory that came back. */
  readonly #free: Buffer[] = [];
  #isReading = false;

  /**
   * @param sealed the stored bytes, from the beginning of a segment to the end of one, or to that of the blob
   * @param range undefined for all bytes
   */
  constructor(sealed: Readable, key: KeyObject, blobId: string, range?: ByteRange) {
    super();
    this.#sealed = sealed;
    this.#key = key;
    this.#blobId = blobId;
    this.#next = range ? Math.floor(range.start / segmentBytes) : 0;
    this.#skipBytes = range ? range.start % segmentBytes : 0;
    this.#leftBytes = range ? range.end + 1 - range.start : Infinity;
    // Before the first read, the store may fail already. That read then throws the error.
    this.once('error', () => {});
    sealed.once('error', (error) => this.destroy(error));
  }

  override _read(): void {
    if (this.#isReading) return void this.#sealed.resume();
    this.#isReading = true;
    this.#sealed.once('end', () => this.#finish());
    this.#sealed.on('data', (chunk: Uint8Array) => this.#receive(chunk));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#sealed.destroy();
    this.#begun = [];
    this.#free.length = 0;
    done(error);
  }

  /** Takes back a chunk whose bytes nobody needs any more, because the system clears new memory first. */
  recycle({ buffer }: Uint8Array<ArrayBuffer>): void {
    if (buffer.byteLength === gatheredBytes && !this.destroyed) this.#free.push(Buffer.from(buffer));
  }

  #receive(chunk: Uint8Array): void {
    if (this.destroyed) return;
    this.#hasReceived = true;
    const opened: Buffer[] = [];
    try {
      let at = 0;
      if (this.#begunBytes > 0) {
        at = Math.min(sealedSegmentBytes - this.#begunBytes, chunk.byteLength);
        this.#keep(chunk.subarray(0, at));
        if (this.#begunBytes === sealedSegmentBytes) opened.push(this.#open(this.#taken()));
      }
      for (; chunk.byteLength - at >= sealedSegmentBytes; at += sealedSegmentBytes)
        opened.push(this.#open(chunk.subarray(at, at + sealedSegmentBytes)));
      if (at < chunk.byteLength) this.#keep(chunk.subarray(at));
    } catch (error) {
      this.destroy(new BlobDamaged(this.#blobId, error));
      return;
    }
    this.#sealed.recycle?.(chunk);
    if (opened.length > 0 && !this.push(this.#gathered(opened))) this.#sealed.pause();
  }

  /** Returns the segments as one piece: each piece costs a write to the network. */
  #gathered(opened: readonly Buffer[]): Buffer {
    if (opened.length === 1) return opened[0]!;
    if (opened.length * segmentBytes > gatheredBytes) return Buffer.concat(opened);
    const bytes = this.#free.pop() ?? Buffer.allocUnsafeSlow(gatheredBytes);
    let used = 0;
    for (const segment of opened) used += segment.copy(bytes, used);
    return bytes.subarray(0, used);
  }

  /** Keeps a copy, because the chunk may be used again. */
  #keep(bytes: Uint8Array): void {
    this.#begun.push(Buffer.from(bytes));
    this.#begunBytes += bytes.byteLength;
  }

  #taken(): Uint8Array {
    const sealed = this.#begun.length === 1 ? this.#begun[0]! : Buffer.concat(this.#begun);
    this.#begun = [];
    this.#begunBytes = 0;
    return sealed;
  }

  /** Returns what the range has of a segment. */
  #open(sealed: Uint8Array): Buffer {
    if (this.#hasEnded) throw new Error('There are bytes behind the last segment.');
    const bytes = openSegment(this.#key, this.#next++, sealed);
    this.#hasEnded = sealed.byteLength < sealedSegmentBytes;
    const wanted = bytes.subarray(this.#skipBytes, Math.min(bytes.byteLength, this.#skipBytes + this.#leftBytes));
    this.#skipBytes = 0;
    this.#leftBytes -= wanted.byteLength;
    return wanted;
  }

  #finish(): void {
    if (this.destroyed) return;
    try {
      if (this.#begunBytes > 0) this.push(this.#open(this.#taken()));
      // A range may begin behind the end of the blob.
      const isWhole = this.#hasEnded || this.#leftBytes <= 0 || (!this.#hasReceived && this.#next > 0);
      if (!isWhole) throw new Error('The last segment is missing.');
      this.push(null);
    } catch (error) {
      this.destroy(new BlobDamaged(this.#blobId, error));
    }
  }
}
