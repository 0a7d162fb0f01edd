import { checksumAlgorithms, type PartChecksum } from '#server/domain/checksums/algorithms.ts';

/** The checksum of a part as a column holds it: its algorithm, a colon, and the value. */
export function formatPartChecksum(checksum: PartChecksum | undefined): string | null {
  return checksum ? `${checksum.algorithm}:${checksum.value}` : null;
}

/** The property of a blob that a column stands for; none for NULL. */
export function partChecksum(column: string | null): { readonly checksum?: PartChecksum } {
  const [name, value] = column?.split(':', 2) ?? [];
  const algorithm = checksumAlgorithms.find((one) => one === name);
  return algorithm === undefined || value === undefined ? {} : { checksum: { algorithm, value } };
}
