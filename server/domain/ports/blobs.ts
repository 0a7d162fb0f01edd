import type { Readable } from 'node:stream';

/** A closed interval of byte offsets, as HTTP counts them: `{ start: 0, end: 0 }` is the first byte. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the bytes of larger files lie. A blob is written once under an opaque id and never changes;
 * everything that can change is a row in the metadata store.
 *
 * Faults (a full disk, as `BlobStoreFull`, an unreachable bucket) reject with `BlobStoreUnavailable`, whose `cause` is
 * the store's own error.
 */
export interface BlobStore {
  /**
   * Stores what `source` yields under `blobId`; a chunk holds until the next is asked for. Resolves only once the bytes
   * would survive a power cut. When `source` fails, when `signal` is aborted or when the store fails, it rejects and
   * nothing is left behind; an error of `source` itself is passed on as it is. Writing an id twice is a fault.
   *
   * @param announcedBytes how many will come, where that is known: room for all of them is made sure of before the
   *   first is written
   */
  put(blobId: string, source: AsyncIterable<Uint8Array>, signal?: AbortSignal, announcedBytes?: number): Promise<void>;

  /** Opens a blob, whole or in part; rejects with `BlobMissing`, before the first byte, when it is not there. */
  open(blobId: string, range?: ByteRange): Promise<Readable>;

  /** Removes a blob; removing one that is not there is no error. */
  delete(blobId: string): Promise<void>;

  /** All stored ids, in no particular order, without holding them in memory at once. */
  ids(): AsyncIterable<string>;
}

/** No blob has this id, although somebody expected it: it was removed after its row was read, or it is lost. */
export class BlobMissing extends Error {
  constructor(blobId: string, cause: unknown) {
    super(`There is no blob ${blobId}.`, { cause });
    this.name = 'BlobMissing';
  }
}

/** The blob store cannot do its work at the moment; the request may be tried again. */
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
