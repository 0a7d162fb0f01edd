import type { Readable } from 'node:stream';

import { rootIdOf } from '#server/domain/blob-id.ts';
import {
  BlobDamaged,
  requireRange,
  type BlobHashes,
  type BlobStore,
  type ByteRange,
  type PutOptions,
  type RawBlobStore,
  type StoredBlob,
} from '#server/domain/ports/blobs.ts';
import { HashedContent } from '../filesystem/hashed-content.ts';
import { HashThreads } from '../filesystem/hash-threads.ts';
import { Slabs } from '../filesystem/slabs.ts';
import type { RootKeyRing } from './root-key-ring.ts';
import { sealedRange, SegmentReader } from './segment-reader.ts';
import { SealedSource } from './sealed-source.ts';
import { openSegment, sealSegments } from './segments.ts';
import { openedSize, sealedSize } from './sizes.ts';

/** Wraps a store of blobs of an installation, such as that of a backup, which has the same keys. */
export type Encrypt = (store: RawBlobStore) => EncryptedBlobs;

/**
 * A store that encrypts the blobs whose ids say so. Other blobs pass through unchanged. Hashes and sizes are those of
 * the clear bytes.
 */
export class EncryptedBlobs implements BlobStore {
  readonly #store: RawBlobStore;
  readonly #ring: RootKeyRing;
  readonly #threads = new HashThreads();
  readonly #slabs = new Slabs();

  constructor(store: RawBlobStore, ring: RootKeyRing) {
    this.#store = store;
    this.#ring = ring;
  }

  async put(blobId: string, source: AsyncIterable<Uint8Array>, options: PutOptions = {}): Promise<BlobHashes> {
    const { signal, announcedBytes, wantsSha256 = true, isExact } = options;
    if (rootIdOf(blobId) === undefined)
      return this.#store.put(blobId, source, { signal, announcedBytes, wantsSha256, isExact });
    const key = await this.#ring.dataKey(blobId);
    using content = new HashedContent(this.#threads, this.#slabs, wantsSha256);
    const sealed = new SealedSource(source, key, content, signal);
    try {
      const storedBytes = announcedBytes === undefined ? undefined : sealedSize(announcedBytes);
      await this.#store.write(blobId, sealed.bytes(), { signal, announcedBytes: storedBytes, isExact });
      return await content.hashes();
    } finally {
      sealed.end();
    }
  }

  async open(blobId: string, range?: ByteRange): Promise<Readable> {
    if (rootIdOf(blobId) === undefined) return this.#store.open(blobId, range);
    requireRange(range);
    const key = await this.#ring.dataKey(blobId);
    return new SegmentReader(await this.#store.open(blobId, range && sealedRange(range)), key, blobId, range);
  }

  delete(blobId: string): Promise<void> {
    return this.#store.delete(blobId);
  }

  async *ids(): AsyncGenerator<StoredBlob> {
    for await (const stored of this.#store.ids())
      yield rootIdOf(stored.blobId) === undefined ? stored : { ...stored, sizeBytes: openedSize(stored.sizeBytes) };
  }

  /** Few bytes are one segment. */
  sealInline(blobId: string, bytes: Uint8Array): Uint8Array {
    if (rootIdOf(blobId) === undefined) return bytes;
    const key = this.#ring.knownDataKey(blobId);
    if (!key) throw new Error(`The root key of the new blob ${blobId} is not known.`);
    return sealSegments(key, { index: 0, bytes, isLast: true });
  }

  async openInline(blobId: string, kept: Uint8Array): Promise<Uint8Array> {
    if (rootIdOf(blobId) === undefined) return kept;
    const key = await this.#ring.dataKey(blobId);
    try {
      return openSegment(key, 0, kept);
    } catch (error) {
      throw new BlobDamaged(blobId, error);
    }
  }

  /** Ends the threads that hash. Puts under way fail. */
  async close(): Promise<void> {
    await this.#threads.close();
  }
}
