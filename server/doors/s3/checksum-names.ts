import type { ChecksumAlgorithm, PartChecksum, Checksum } from '#server/domain/checksums/algorithms.ts';
import { element, type Xml } from './xml.ts';

/** How each header that carries a checksum begins; others begin like it, too. */
export const checksumHeaderStart = 'x-amz-checksum-';

/** The header, or trailer, that carries the checksum of an algorithm. */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return checksumHeaderStart + algorithm.toLowerCase();
}

/** The name of the element that carries it. */
export function checksumElement(algorithm: ChecksumAlgorithm): string {
  return `Checksum${algorithm}`;
}

/** The checksum of a file as the headers of an answer say it. */
export function checksumHeaders(checksum: Checksum | undefined): Record<string, string> {
  return checksum ? { ...partChecksumHeaders(checksum), 'x-amz-checksum-type': checksum.type } : {};
}

/** That of a part, which has no type. */
export function partChecksumHeaders(checksum: PartChecksum | undefined): Record<string, string> {
  return checksum ? { [checksumHeader(checksum.algorithm)]: checksum.value } : {};
}

/** The checksum of a file as elements. */
export function checksumElements(checksum: Checksum | undefined): Xml[] {
  return checksum ? [...partChecksumElements(checksum), element('ChecksumType', checksum.type)] : [];
}

/** That of a part. */
export function partChecksumElements(checksum: PartChecksum | undefined): Xml[] {
  return checksum ? [element(checksumElement(checksum.algorithm), checksum.value)] : [];
}
