import type { Checksum } from '#server/domain/checksums/algorithms.ts';
import type { ObjectAddress, Space } from '#server/domain/object-id.ts';
import type { KeySuffix } from './key.ts';

export type Disposition = 'inline' | 'attachment';

/** Headers that are returned as they were set. */
export interface ClientHeaders {
  readonly contentType?: string;
  readonly cacheControl?: string;
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly expires?: string;
}

/**
 * Properties that a client set through its own protocol and that do not fit the file's own fields. Only that protocol
 * returns them. Other doors derive the type from the extension, because a browser would run a file that calls itself a
 * page.
 */
export interface ClientProperties extends ClientHeaders {
  /** User metadata that does not fit the file's `metadata`. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly checksum?: Checksum;
}

/**
 * A file: a row that points to a content. Bytes never change under a row, and a new upload gets a new content. Sizes
 * are bytes, instants milliseconds since the epoch.
 */
export interface StoredObject {
  readonly accountId: string;
  readonly space: Space;
  readonly key: string;
  /** The end of the key, which Cubby added to the name. */
  readonly suffix: KeySuffix;
  /** Distinguishes the file from another one that had its address before. @see generation.ts */
  readonly generation: string;
  /** Names this form of the file, also in the trash. Unique in the account. @see version.ts */
  readonly versionId: string;
  readonly contentId: string;
  readonly sizeBytes: number;
  /** MD5 of the bytes in hex, without quotes. For a file of parts, see `etagOf()`. */
  readonly etag: string;
  /** SHA-256 in hex. Null while a job still computes it. */
  readonly sha256: string | null;
  /** When this form of the file was written. */
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** As it was set: `immutable`, `max-age=60` or `no-cache`. */
  readonly cacheControl: string | null;
  readonly disposition: Disposition | null;
  readonly originalName: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Null if the client set none. */
  readonly clientProperties: ClientProperties | null;
}

/** Whether readers no longer see the file. Its row may stay until a job removes it. */
export function isExpired(object: Pick<StoredObject, 'expiresAt'>, now: number): boolean {
  return object.expiresAt !== null && object.expiresAt <= now;
}

/** Finds a file that has not expired. */
export async function findLive(
  objects: { find(address: ObjectAddress): Promise<StoredObject | undefined> },
  address: ObjectAddress,
  now: number,
): Promise<StoredObject | undefined> {
  const object = await objects.find(address);
  return object && !isExpired(object, now) ? object : undefined;
}
