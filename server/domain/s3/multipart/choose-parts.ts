import type { ChunkedUpload, UploadPart } from '../../chunked/chunked-upload.ts';
import { minPartBytes } from '../../limits.ts';
import { wholeChecksum } from '../checksums/whole-checksum.ts';
import type { StoredChecksum } from '../s3-properties.ts';
import { S3Refusal } from '../s3-refusal.ts';
import type { WriteConditions } from '../write-conditions.ts';

/** A part as a completion over S3 names it. */
export interface ListedPart {
  readonly part: number;
  /** Without quotes. */
  readonly etag: string;
  /** Of the upload's algorithm, in base64, when it is named. */
  readonly checksum?: string | undefined;
}

/** What a completion over S3 asks for. */
export interface S3Completion {
  readonly listed: readonly ListedPart[];
  /** Whether the whole is what the client says it is. @throws BadDigest, InvalidRequest */
  checkWhole(checksum: StoredChecksum | undefined, parts: readonly UploadPart[]): void;
  readonly conditions: WriteConditions;
}

/**
 * The stored parts that a completion names; those that it leaves out are thrown away. Their numbers may have gaps.
 *
 * @throws InvalidPartOrder, InvalidPart, EntityTooSmall
 */
export function chooseParts(stored: readonly UploadPart[], { listed }: Pick<S3Completion, 'listed'>): UploadPart[] {
  const byNumber = new Map(stored.map((part) => [part.part, part]));
  if (listed.some(({ part }, at) => at > 0 && part <= listed[at - 1]!.part)) throw new S3Refusal('InvalidPartOrder');
  const parts = listed.map(({ part, etag, checksum }) => {
    const found = byNumber.get(part);
    const isRight = found?.md5 === etag && (checksum === undefined || checksum === found.blob.checksum?.value);
    if (!isRight) throw new S3Refusal('InvalidPart', { details: { PartNumber: String(part), ETag: etag } });
    return found;
  });
  const small = parts.slice(0, -1).find(({ blob }) => blob.sizeBytes < minPartBytes);
  if (small) {
    const details = { ProposedSize: String(small.blob.sizeBytes), MinSizeAllowed: String(minPartBytes), PartNumber: String(small.part), ETag: small.md5 };
    throw new S3Refusal('EntityTooSmall', { message: 'Every part but the last takes at least 5 MiB.', details });
  }
  return parts;
}

/** The checksum of the whole, of what each part has; undefined when the upload was begun without one. */
export function checksumOfUpload({ s3 }: Pick<ChunkedUpload, 's3'>, parts: readonly UploadPart[]): StoredChecksum | undefined {
  if (!s3?.checksum) return undefined;
  const { algorithm, type } = s3.checksum;
  return wholeChecksum(algorithm, type, parts.map(({ blob: { sizeBytes, checksum } }) => ({ sizeBytes, value: checksum!.value })));
}
