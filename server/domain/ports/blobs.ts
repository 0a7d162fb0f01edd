import type { Readable } from 'node:stream';

/**
 * A closed interval of byte offsets, as HTTP counts them: `{ start: 0, end: 0 }` is the first byte.
 * server/http/range.ts has the same type, because neither of the two layers may import the other.
 */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** @throws {RangeError} when it is no range of bytes */
export function requireRange(range: ByteRange | undefined): void {
  if (range && !(range.start >= 0 && range.end >= range.start))
    throw new RangeError(`${range.start}-${range.end} is not a range of bytes.`);
}

/** What a store may know of bytes before it has them. */
export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  /** The total, if it is announced. Space for all of them is claimed before the first is written. */
  readonly announcedBytes?: number | undefined;
  /**
   * Whether the source yields exactly the announced bytes, or fails. Default `false`: it may yield a few more or fewer.
   */
  readonly isExact?: boolean | undefined;
}

export interface PutOptions extends WriteOptions {
  /** `false` saves the time that the SHA-256 takes. Default `true`. */
  readonly wantsSha256?: boolean | undefined;
}

/**
 * Stores the bytes of larger files. A blob is written once under an opaque id and never changes. Everything that can
 * change is a row in the metadata store.
 *
 * Faults reject with `BlobStoreFailed`, whose `cause` is the store's own error. A full disk is `BlobStoreFull`, and an
 * unreachable bucket `BlobStoreUnavailable`.
 */
export interface BlobStore {
  /**
   * Stores what `source` yields under `blobId`. A chunk is valid until the next one is requested. Resolves with the
   * hashes of the bytes, when they would survive a power cut. If `source` fails, `signal` is aborted or the store
   * fails, it rejects and leaves nothing behind. An error of `source` is passed on unchanged. Writing an id twice is a
   * fault.
   */
  put(blobId: string, source: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<BlobHashes>;

  /** Opens a blob or a range of it. Rejects with `BlobMissing`, before the first byte, when there is no such blob. */
  open(blobId: string, range?: ByteRange): Promise<Readable>;

  /** Removes a blob, or what a put of it left that was cut off. Does nothing if there is neither. */
  delete(blobId: string): Promise<void>;

  /** Yields all stored blobs in the order of their ids, without holding them all in memory. */
  ids(): AsyncIterable<StoredBlob>;

  /**
   * Returns few bytes as the row of `blobId` keeps them: encrypted, if the id says so. A store without encryption lacks
   * this.
   */
  sealInline?(blobId: string, bytes: Uint8Array): Uint8Array;

  /**
   * Returns the bytes that `sealInline()` was given. A store without encryption lacks this.
   *
   * @throws {BlobDamaged}
   */
  openInline?(blobId: string, kept: Uint8Array): Promise<Uint8Array>;
}

/** A store that can keep encrypted bytes, whose own hashes nobody needs. */
export interface RawBlobStore extends BlobStore {
  /** Stores bytes like `put()`, and does not hash them unless it needs that itself. */
  write(blobId: string, source: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<void>;
}

/** A blob in the store, whether a row names it or not. */
export interface StoredBlob {
  readonly blobId: string;
  readonly sizeBytes: number;
  /** Its age by the store's own clock, so a wrong clock elsewhere does not matter. */
  readonly ageMs: number;
}

/** The headers of a blob that a client reads from the store itself. */
export interface PresentedBlob {
  readonly contentType: string;
  /** Undefined lets the client decide. */
  readonly disposition: string | undefined;
  readonly cacheControl: string;
}

/** Addresses at which clients read blobs from the store itself. */
export interface BlobAddresses {
  /**
   * Returns an address that serves a blob for a while, to anybody who has it. Undefined while the store does not work.
   * It does not look whether the blob exists.
   */
  addressOf(blobId: string, presented: PresentedBlob, lifetimeSeconds: number): string | undefined;
}

/** Bytes that were taken out of the store, and are kept for a while in case that was wrong. */
export interface BlobQuarantine {
  /** Takes a blob out of the store. Does nothing if there is none. */
  put(blobId: string): Promise<void>;
  /** Puts a blob back into the store, which lacks it. Returns whether it was there. */
  takeBack(blobId: string): Promise<boolean>;
  /** Yields the blobs that are there. Their age counts from when they were taken out. */
  ids(): AsyncIterable<StoredBlob>;
  delete(blobId: string): Promise<void>;
}

/** Work that some stores of blobs need done beside the port. */
export interface BlobUpkeep {
  /**
   * Removes what puts of an earlier process left when it was cut off. Resolves with the number of removed files. Call
   * it while no process runs a put.
   */
  sweepTemporaries?(): Promise<number>;
  /** Aborts puts that were begun longer ago than this. Resolves with their number. */
  abortUploads?(olderThanMs: number): Promise<number>;
  /**
   * Whether a blob can appear that no row names and that no process knows of, because a lost request was carried out
   * later. Then such blobs are swept by age.
   */
  readonly hasOrphans?: boolean;
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

/** The bytes of an encrypted blob are not those that were stored: they were changed, cut off or exchanged. */
export class BlobDamaged extends Error {
  constructor(blobId: string, cause?: unknown) {
    super(`The encrypted bytes of the blob ${blobId} are damaged.`, { cause });
    this.name = 'BlobDamaged';
  }
}

/** The blob store failed, for instance because its disk is broken. The request may be tried again. */
export class BlobStoreFailed extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'BlobStoreFailed';
  }
}

/**
 * The blob store cannot be reached, does not answer in time, or takes no work at the moment. Nothing is known to be
 * wrong with the request, so clients get 503 and try again.
 */
export class BlobStoreUnavailable extends BlobStoreFailed {
  override readonly name = 'BlobStoreUnavailable';
}

/** There is no space for the bytes, above what is kept free. */
export class BlobStoreFull extends BlobStoreFailed {
  constructor(cause?: unknown) {
    super('The disk of the blobs has no room for this above what is kept free.', cause);
    this.name = 'BlobStoreFull';
  }
}
