import type { KeyObject } from 'node:crypto';
import { Readable } from 'node:stream';

import { BlobDamaged, type ByteRange } from '#server/domain/ports/blobs.ts';
import { releaseMemory } from '../release-memory.ts';
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
  #begun: Buffer | undefined;
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
    // The store may fail before the first read, which then throws the error.
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
    if (this.#begun) releaseMemory(this.#begun);
    for (const free of this.#free.splice(0)) releaseMemory(free);
    done(error);
  }

  /** Takes back a chunk whose bytes nobody needs any more, because the system clears new memory first. */
  recycle(chunk: Uint8Array): void {
    if (chunk.buffer.byteLength !== gatheredBytes) return releaseMemory(chunk);
    const whole = Buffer.from(chunk.buffer as ArrayBuffer);
    if (this.destroyed) releaseMemory(whole);
    else this.#free.push(whole);
  }

  #receive(chunk: Uint8Array): void {
    if (this.destroyed) return;
    this.#hasReceived = true;
    try {
      this.#openAll(chunk);
    } catch (error) {
      return void this.destroy(new BlobDamaged(this.#blobId, error));
    }
    this.#sealed.recycle?.(chunk);
  }

  /** Passes on all segments that end in a chunk, as one piece: each piece costs a write to the network. */
  #openAll(chunk: Uint8Array): void {
    const count = Math.floor((this.#begunBytes + chunk.byteLength) / sealedSegmentBytes);
    const gathered = count > 1 ? this.#memory(count) : undefined;
    let [at, used] = [0, 0];
    const open = (sealed: Uint8Array): void => {
      if (gathered) used += this.#openInto(gathered, used, sealed);
      else this.#pass(this.#open(sealed));
    };
    if (this.#begunBytes > 0) {
      at = Math.min(sealedSegmentBytes - this.#begunBytes, chunk.byteLength);
      this.#keep(chunk.subarray(0, at));
      if (this.#begunBytes === sealedSegmentBytes) open(this.#taken());
    }
    for (; chunk.byteLength - at >= sealedSegmentBytes; at += sealedSegmentBytes)
      open(chunk.subarray(at, at + sealedSegmentBytes));
    if (at < chunk.byteLength) this.#keep(chunk.subarray(at));
    if (gathered) this.#pass(gathered.subarray(0, used));
  }

  #pass(bytes: Buffer): void {
    if (bytes.byteLength > 0 && !this.push(bytes)) this.#sealed.pause();
  }

  /** Returns memory for at least what the range has of this many segments. */
  #memory(segments: number): Buffer {
    const bytes = Math.min(segments * segmentBytes, this.#leftBytes);
    if (2 * bytes < gatheredBytes || bytes > gatheredBytes) return Buffer.allocUnsafe(bytes);
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(gatheredBytes);
  }

  /** Keeps a copy, because the chunk may be used again. */
  #keep(bytes: Uint8Array): void {
    this.#begun ??= Buffer.allocUnsafeSlow(sealedSegmentBytes);
    this.#begun.set(bytes, this.#begunBytes);
    this.#begunBytes += bytes.byteLength;
  }

  /** Returns what was kept. It may be used until the next bytes are kept. */
  #taken(): Uint8Array {
    const sealed = this.#begun!.subarray(0, this.#begunBytes);
    this.#begunBytes = 0;
    return sealed;
  }

  #openInto(memory: Buffer, at: number, sealed: Uint8Array): number {
    const bytes = openSegment(this.#key, this.#next++, sealed);
    const wanted = this.#wanted(bytes, sealed);
    memory.set(wanted, at);
    const { byteLength } = wanted;
    releaseMemory(bytes); // after which the part has no length either
    return byteLength;
  }

  /** Returns a copy of a small part, so that the rest takes no memory. */
  #open(sealed: Uint8Array): Buffer {
    const bytes = openSegment(this.#key, this.#next++, sealed);
    const wanted = this.#wanted(bytes, sealed);
    if (2 * wanted.byteLength > bytes.byteLength) return wanted;
    const copy = Buffer.from(wanted);
    releaseMemory(bytes);
    return copy;
  }

  /** Returns what the range has of a segment. */
  #wanted(bytes: Buffer, sealed: Uint8Array): Buffer {
    if (this.#hasEnded) throw new Error('There are bytes behind the last segment.');
    this.#hasEnded = sealed.byteLength < sealedSegmentBytes;
    const wanted = bytes.subarray(this.#skipBytes, Math.min(bytes.byteLength, this.#skipBytes + this.#leftBytes));
    this.#skipBytes = 0;
    this.#leftBytes -= wanted.byteLength;
    return wanted;
  }

  #finish(): void {
    if (this.destroyed) return;
    try {
      if (this.#begunBytes > 0) this.#pass(this.#open(this.#taken()));
      // A range may begin behind the end of the blob.
      const isWhole = this.#hasEnded || this.#leftBytes <= 0 || (!this.#hasReceived && this.#next > 0);
      if (!isWhole) throw new Error('The last segment is missing.');
      this.push(null);
    } catch (error) {
      this.destroy(new BlobDamaged(this.#blobId, error));
    }
  }
}
