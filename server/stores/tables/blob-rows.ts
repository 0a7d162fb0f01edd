import { checksumAlgorithms, type PartChecksum } from '#server/domain/checksums/algorithms.ts';
import type { BlobReference } from '#server/domain/contents/table.ts';
import { column, type Fields, mapped, record } from './columns.ts';
import type { Rows, TableContext, Values } from './rows.ts';

/** A blob, without the bytes that its row may hold. */
export const blobFields: Fields<Omit<BlobReference, 'inline'>> = {
  blobId: 'blob_id',
  sizeBytes: 'size_bytes',
  checksum: mapped<PartChecksum | undefined, string | null>(column('checksum'), parseChecksum, formatChecksum),
};

export const blobColumns = record<BlobReference>({ ...blobFields, inline: 'inline' });

/** Reads an algorithm, a colon and a value. */
function parseChecksum(stored: string | null): PartChecksum | undefined {
  const [name, value] = stored?.split(':', 2) ?? [];
  const algorithm = checksumAlgorithms.find((one) => one === name);
  return algorithm === undefined || value === undefined ? undefined : { algorithm, value };
}

function formatChecksum(checksum: PartChecksum | undefined): string | null {
  return checksum ? `${checksum.algorithm}:${checksum.value}` : null;
}

/**
 * Marks the blobs that `source` gives for deletion: their bytes are removed after the commit.
 *
 * @param source of the INSERT: VALUES, or a SELECT with a WHERE
 */
export async function markForDeletion(
  rows: Rows,
  { onMarkedForDeletion }: Pick<TableContext, 'onMarkedForDeletion'>,
  source: string,
  ...values: Values
): Promise<void> {
  const mark = `INSERT INTO marked_blobs (blob_id) ${source} ON CONFLICT (blob_id) DO NOTHING`;
  if ((await rows.run(mark, ...values)) > 0) onMarkedForDeletion();
}

/**
 * Returns the start of the id of a blob. The index of contents has only these random letters, which take 40 bytes less
 * than the whole id.
 */
export function startOf(blobId: string): string {
  return `substr(${blobId}, 1, 7)`;
}
