import type { PartChecksum } from '#server/domain/checksums/algorithms.ts';
import type { StoredPart } from '#server/features/uploads/chunked-upload.ts';
import type { PartChoice } from '#server/features/uploads/complete-upload.ts';
import type { PartNumber } from '#server/features/uploads/part-number.ts';
import { tooSmall } from '#server/features/uploads/parts.ts';
import { minPartBytes } from '#server/domain/limits.ts';
import { S3Refusal } from './s3-refusal.ts';
import type { WriteConditions } from '#server/domain/write-conditions.ts';
import { requireS3Conditions } from './require-conditions.ts';

/** A part as a completion over S3 names it. */
export interface ListedPart {
  readonly part: PartNumber;
  /** Without quotes. */
  readonly etag: string;
  readonly checksums?: readonly PartChecksum[];
}

/** A completion as it is sent over S3. */
interface S3Completion {
  /** Named in refusals. */
  readonly uploadId: string;
  readonly listed: readonly ListedPart[];
  /** @throws BadDigest, InvalidRequest */
  readonly requireWhole: PartChoice['requireWhole'];
  /** Those of the completion, and those of the start of its upload. */
  readonly conditions: readonly WriteConditions[];
}

/** Makes the choice of parts for a completion over S3. */
export function choiceOf({ uploadId, listed, requireWhole, conditions }: S3Completion): PartChoice {
  return {
    choose: (stored) => chooseParts(stored, uploadId, listed),
    requireWhole,
    async requireTarget(tx, address) {
      for (const one of conditions) await requireS3Conditions(tx, address, one);
    },
  };
}

/**
 * Returns the stored parts that a completion names. Their numbers may have gaps.
 *
 * @throws InvalidPartOrder, InvalidPart, InvalidRequest, EntityTooSmall
 */
function chooseParts(stored: readonly StoredPart[], uploadId: string, listed: readonly ListedPart[]): StoredPart[] {
  const byNumber = new Map(stored.map((part) => [part.part, part]));
  if (listed.some(({ part }, at) => at > 0 && part <= listed[at - 1]!.part)) throw new S3Refusal('InvalidPartOrder');
  const parts = listed.map((one) => {
    const found = byNumber.get(one.part);
    if (found?.md5 !== one.etag) throw invalidPart(uploadId, one);
    requireChecksums(uploadId, one, found);
    return found;
  });
  const small = tooSmall(parts);
  if (small) {
    const details = {
      ProposedSize: String(small.blob.sizeBytes),
      MinSizeAllowed: String(minPartBytes),
      PartNumber: String(small.part),
      ETag: small.md5,
    };
    throw new S3Refusal('EntityTooSmall', { message: 'Every part but the last takes at least 5 MiB.', details });
  }
  return parts;
}

/**
 * Compares the checksums that a completion names. A checksum that cannot be compared is an error, so that no client
 * believes that it was compared.
 *
 * @throws InvalidPart
 * @throws InvalidRequest for a checksum that the part was not sent with
 */
function requireChecksums(uploadId: string, listed: ListedPart, { blob }: StoredPart): void {
  const { part, checksums = [] } = listed;
  for (const { algorithm, value } of checksums) {
    if (blob.checksum?.algorithm !== algorithm) {
      throw new S3Refusal('InvalidRequest', {
        message:
          `Part ${part} came without the checksum ${algorithm} that the list of parts names. Leave it out, or send ` +
          'the part again with it.',
      });
    }
    if (blob.checksum.value !== value) throw invalidPart(uploadId, listed);
  }
}

function invalidPart(uploadId: string, { part, etag }: ListedPart): S3Refusal {
  return new S3Refusal('InvalidPart', { details: { UploadId: uploadId, PartNumber: String(part), ETag: etag } });
}
