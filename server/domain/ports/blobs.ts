import type { Readable } from 'node:stream';

/**
 * A closed interval of byte offsets, as HTTP counts them: `{ start: 0, end: 0 }` is the first byte. server/http/range.ts
 * has the same type, because neither of the two layers may import the other.
 */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Stores the bytes of larger files. A blob is written once under an opaque id and never changes. Everything that can
 * change is a row in the metadata store.
 *
 * Faults, such as a full disk (`BlobStoreFull`) or an unreachable bucket, reject with `BlobStoreUnavailable`, whose
 * `cause` is the store's own error.
 */
export interface BlobStore {
  /**
   * Stores what `source` yields under `blobId`. A chunk is valid until the next one is requested. Resolves with the hashes
   * of the bytes, when they would survive a power cut. If `source` fails, `signal` is aborted or the store fails, it
   * rejects and leaves nothing behind. An error of `source` is passed on unchanged. Writing an id twice is a fault.
   *
   * @param announcedBytes the total, if it is known. Room for all of them is claimed before the first is written
   * @param wantsSha256 `false` saves the time that the SHA-256 takes. Default `true`
   */
  put(
    blobId: string,
    source: AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
    announcedBytes?: number,
    wantsSha256?: boolean,
  ): Promise<BlobHashes>;

  /** Opens a blob or a range of it. Rejects with `BlobMissing`, before the first byte, when there is no such blob. */
  open(blobId: string, range?: ByteRange): Promise<Readable>;

  /** Removes a blob, if it exists. */
  delete(blobId: string): Promise<void>;

  /** Yields all stored ids in any order, without holding them all in memory. */
  ids(): AsyncIterable<string>;
}

/** The hashes of a blob, in hex. */
export interface BlobHashes {
  readonly md5: string;
  /** Null if it was not wanted. */
  readonly sha256: string | null;
}

/** There is no blob with this id: it was removed after its row was read, or it is lost. */
export class BlobMissing extends Error {
  constructor(blobId: string, cause: unknown) {
    super(`There is no blob ${blobId}.`, { cause });
    this.name = 'BlobMissing';
  }
}

/** The blob store cannot work at the moment. The request may be tried again. */
export class BlobStoreUnavailable extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'BlobStoreUnavailable';
  }
}

/** There is no room for the bytes, above what is kept free. */
export class BlobStoreFull extends BlobStoreUnavailable {
  constructor(cause?: unknown) {
    super('The disk of the blobs has no room for this above what is kept free.', cause);
    this.name = 'BlobStoreFull';
  }
}
