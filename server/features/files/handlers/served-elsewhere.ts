import type { Representation } from '#server/http/send-representation.ts';
import type { Content } from '#server/domain/contents/table.ts';
import { isInert } from '../file-type.ts';
import type { BlobAddresses } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';

/** The ports that sending clients elsewhere needs. */
export interface ElsewhereDeps {
  readonly clock: Clock;
  /** Undefined if this server sends all bytes itself. */
  readonly blobAddresses: BlobAddresses | undefined;
}

interface ElsewhereOptions {
  /** When the file, or the link to it, ends. Null: never. */
  readonly endsAt: number | null;
  /** The `Cache-Control` of the redirect. */
  readonly cacheControl: string;
}

/**
 * How long a presigned address of the bucket is valid, and the least time that a client gets to use it. A response that
 * has begun goes on. Caches keep the redirect to it for at most half as long.
 */
const presignedSeconds = 120;
const leastPresignedSeconds = 10;

/** The client's own cache may keep the bytes, and asks before it uses them. */
const bytesCacheControl = 'private, no-cache';

/**
 * Lets clients read a file at the store of its bytes, through an address that is valid for a short time. This server
 * sends the bytes itself if the store cannot:
 *
 * - The file is in the database, or in several blobs.
 * - A browser could take the bytes for a document. The store sends neither `nosniff` nor the policy that sandboxes one.
 * - The file or its link ends too soon.
 * - The store does not work at the moment.
 */
export function servedElsewhere(
  { clock, blobAddresses }: ElsewhereDeps,
  content: Content,
  file: Representation,
  { endsAt, cacheControl }: ElsewhereOptions,
): Representation {
  const [blob, ...others] = content.blobs;
  if (!blobAddresses || !blob || blob.inline || others.length > 0) return file;
  const contentType = file.headers['Content-Type']!;
  const disposition = file.headers['Content-Disposition'];
  if (!disposition?.startsWith('attachment') && !isInert(contentType)) return file;
  return {
    ...file,
    elsewhere() {
      const leftSeconds = endsAt === null ? Infinity : Math.floor((endsAt - clock.now()) / 1000);
      const lifetimeSeconds = Math.min(presignedSeconds, leftSeconds);
      if (lifetimeSeconds < leastPresignedSeconds) return undefined;
      const isStored = !/no-store/i.test(file.headers['Cache-Control'] ?? '');
      const presented = { contentType, disposition, cacheControl: isStored ? bytesCacheControl : 'no-store' };
      const location = blobAddresses.addressOf(blob.blobId, presented, lifetimeSeconds);
      return location === undefined ? undefined : { location, cacheControl };
    },
  };
}
