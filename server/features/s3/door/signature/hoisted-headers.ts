import { checksumAlgorithms, startChecksum } from '#server/domain/checksums/algorithms.ts';
import type { RawQuery } from '#server/http/query.ts';
import { checksumHeader } from '../checksum-fields.ts';

/** The checksums of an empty body, by the parameter that has them. */
const checksumsOfNothing: ReadonlyMap<string, string> = new Map(
  checksumAlgorithms.map((algorithm) => [checksumHeader(algorithm), startChecksum(algorithm).digest()]),
);

/**
 * Returns the headers that are in the query of a presigned request.
 *
 * One SDK presigns with the checksum of an empty body, because it does not have the real body yet. So that checksum,
 * and the name of its algorithm, are left out.
 */
export function hoistedHeaders(query: RawQuery): Map<string, string> {
  const hoisted = new Map<string, string>();
  for (const [written, [value]] of query) {
    const name = written.toLowerCase();
    if (name.startsWith('x-amz-') && checksumsOfNothing.get(name) !== value) hoisted.set(name, value!);
  }
  if (!checksumAlgorithms.some((algorithm) => hoisted.has(checksumHeader(algorithm))))
    hoisted.delete('x-amz-sdk-checksum-algorithm');
  return hoisted;
}
