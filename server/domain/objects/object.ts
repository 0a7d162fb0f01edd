import type { ClientProperties } from './client-properties.ts';
import type { Space } from '../object-id.ts';
import type { KeyEnding } from './key.ts';

export type Disposition = 'inline' | 'attachment';

/**
 * A file: a row that points to a content. Bytes never change under a row; a new upload gets a new content.
 * Sizes are bytes, instants milliseconds since the epoch.
 */
export interface StoredObject {
  readonly accountId: string;
  readonly space: Space;
  readonly key: string;
  /** What of the key is not its name. */
  readonly ending: KeyEnding;
  /** Tells it from another file that had its address before. @see incarnation.ts */
  readonly incarnation: string;
  readonly contentId: string;
  readonly sizeBytes: number;
  /** MD5 of the bytes in hex, without quotes; of a file of parts, see `etagOf()`. */
  readonly etag: string;
  /** SHA-256 in hex; null while a background read still computes it. */
  readonly sha256: string | null;
  /** When this form of the file was written. */
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** As it was set: `immutable`, `max-age=60` or `no-cache`. */
  readonly cacheControl: string | null;
  readonly disposition: Disposition | null;
  readonly originalName: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** What its client set in words of its own; null when it did not. */
  readonly clientProperties: ClientProperties | null;
}

/** Whether the file is gone for readers, also when no job has come by yet. */
export function isExpired(object: Pick<StoredObject, 'expiresAt'>, now: number): boolean {
  return object.expiresAt !== null && object.expiresAt <= now;
}
