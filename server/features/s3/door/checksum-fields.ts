import {
  checksumAlgorithms,
  type Checksum,
  type ChecksumAlgorithm,
  type PartChecksum,
} from '#server/domain/checksums/algorithms.ts';
import { S3Refusal } from '../s3-refusal.ts';
import type { Headers } from './request.ts';
import type { XmlElements } from './xml.ts';

/** The start of each header that carries a checksum. Other headers start like it too. */
export const checksumHeaderStart = 'x-amz-checksum-';

/** Returns the header, or trailer, that carries the checksum of an algorithm. */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return checksumHeaderStart + algorithm.toLowerCase();
}

/** Returns the name of the element that carries it. */
export function checksumElement(algorithm: ChecksumAlgorithm): string {
  return `Checksum${algorithm}`;
}

/** Returns the checksum of a file as response headers. */
export function checksumHeaders(checksum: Checksum | undefined): Record<string, string> {
  return checksum ? { ...partChecksumHeaders(checksum), 'x-amz-checksum-type': checksum.type } : {};
}

/** Returns the checksum of a part as response headers. It has no type. */
export function partChecksumHeaders(checksum: PartChecksum | undefined): Record<string, string> {
  return checksum ? { [checksumHeader(checksum.algorithm)]: checksum.value } : {};
}

/** Returns the checksum of a file as elements. */
export function checksumElements(checksum: Checksum | undefined): XmlElements {
  return checksum ? { ...partChecksumElements(checksum), ChecksumType: checksum.type } : {};
}

/** Returns the checksum of a part as elements. */
export function partChecksumElements(checksum: PartChecksum | undefined): XmlElements {
  return checksum ? { [checksumElement(checksum.algorithm)]: checksum.value } : {};
}

/** Returns the algorithm and type of a checksum, without its value, as elements. */
export function checksumKindElements(kind: Pick<Checksum, 'algorithm' | 'type'> | null | undefined): XmlElements {
  return kind ? { ChecksumAlgorithm: kind.algorithm, ChecksumType: kind.type } : {};
}

/** Returns the algorithm that `x-amz-checksum-algorithm` names. @throws InvalidRequest for an unknown one */
export function chosenAlgorithm({ header }: Pick<Headers, 'header'>): ChecksumAlgorithm | undefined {
  const named = header('x-amz-checksum-algorithm')?.toUpperCase();
  const algorithm = checksumAlgorithms.find((one) => one === named);
  if (named !== undefined && algorithm === undefined)
    throw new S3Refusal('InvalidRequest', {
      message: `x-amz-checksum-algorithm must be one of ${checksumAlgorithms.join(', ')}.`,
    });
  return algorithm;
}
