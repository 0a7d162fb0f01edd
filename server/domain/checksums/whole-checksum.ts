import { checksumOf, type Checksum, type ChecksumAlgorithm, type ChecksumType } from './algorithms.ts';
import { combineCrcs, isCombinable, type CheckedStretch } from './combine-crcs.ts';

/**
 * Returns the types that an algorithm allows for a file in parts. Algorithms that cannot be combined allow only
 * composite checksums.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
 */
export function typesOf(algorithm: ChecksumAlgorithm): readonly ChecksumType[] {
  if (algorithm === 'CRC64NVME') return ['FULL_OBJECT'];
  return isCombinable(algorithm) ? ['COMPOSITE', 'FULL_OBJECT'] : ['COMPOSITE'];
}

/** Returns the checksum of a file in parts, computed from the checksums of its parts in order. */
export async function wholeChecksum(
  algorithm: ChecksumAlgorithm,
  type: ChecksumType,
  parts: readonly CheckedStretch[],
): Promise<Checksum> {
  if (type === 'FULL_OBJECT' && isCombinable(algorithm))
    return { algorithm, type, value: await combineCrcs(algorithm, parts) };
  const together = Buffer.concat(parts.map(({ value }) => Buffer.from(value, 'base64')));
  return { algorithm, type: 'COMPOSITE', value: `${checksumOf(algorithm, together)}-${parts.length}` };
}
