import type { StoredPart, UploadPart } from '../chunked-upload.ts';
import type { PartNumber } from '../part-number.ts';
import type { UploadPartsTable } from '../table.ts';
import type { ReceivedBlob } from '#server/domain/contents/table.ts';
import { flag, mapped, record, snakeCase, type Fields } from '#server/stores/tables/columns.ts';
import { blobFields, markForDeletion } from '#server/stores/tables/blob-rows.ts';
import { table, type Rows, type TableContext, where } from '#server/stores/tables/rows.ts';

const partFields: Fields<Omit<UploadPart, 'blob'>> = {
  ...snakeCase('part', 'sequence', 'md5', 'receivedAt'),
  isCut: mapped<true | undefined, boolean>(
    flag('is_cut'),
    (isCut) => isCut || undefined,
    (isCut) => isCut ?? false,
  ),
};

const partBlobFields: Fields<Omit<ReceivedBlob, 'inline'>> = { ...blobFields, crc32: 'crc32' };
const partBlob = record<ReceivedBlob>({ ...partBlobFields, inline: 'inline' });

const parts = table('chunked_parts', record<UploadPart>({ ...partFields, blob: partBlob }));

const newParts = table(
  'chunked_parts',
  record<UploadPart & { uploadId: string }>({ uploadId: 'upload_id', ...partFields, blob: partBlob }),
  'upload_id, part',
);

const listedParts = table(
  'chunked_parts',
  record<StoredPart>({
    ...partFields,
    blob: record<StoredPart['blob']>({
      ...partBlobFields,
      isInline: flag('CASE WHEN inline IS NULL THEN 0 ELSE 1 END'),
    }),
  }),
);

type PartsContext = Pick<TableContext, 'onMarkedForDeletion'>;

/** The parts of files that arrive in parts. */
export function uploadPartsTable(rows: Rows, context: PartsContext): UploadPartsTable {
  const findPart = async (uploadId: string, part: PartNumber) =>
    rows.one(parts, where('upload_id', 'part'), uploadId, part);

  return {
    partsOf: async (uploadId, after, limit) =>
      rows.all(listedParts, 'WHERE upload_id = ? AND part > ? ORDER BY part LIMIT ?', uploadId, after, limit),
    part: findPart,
    async putPart(uploadId, { part, blob, md5, isCut }, at, maxBytes) {
      const replaced = await findPart(uploadId, part);
      const sequence = await rows.value<number>(
        `UPDATE chunked_uploads SET stored_bytes = stored_bytes + :by, revision = revision + 1, active_at = :at
         WHERE upload_id = :id AND stored_bytes + :by <= :max RETURNING revision`,
        { by: blob.sizeBytes - (replaced?.blob.sizeBytes ?? 0), at, id: uploadId, max: maxBytes },
      );
      if (sequence === undefined) return undefined;
      if (replaced && !replaced.blob.inline) await markForDeletion(rows, context, 'VALUES (?)', replaced.blob.blobId);
      await rows.put(newParts, { uploadId, part, sequence, blob, md5, receivedAt: at, ...(isCut && { isCut }) });
      return sequence;
    },
    async replaceParts(uploadId, range, part, at) {
      const these = { id: uploadId, ...range };
      const among = 'upload_id = :id AND part BETWEEN :first AND :last';
      const removedBytes =
        (await rows.value<number>(
          `SELECT CAST(coalesce(sum(size_bytes), 0) AS BIGINT) FROM chunked_parts WHERE ${among}`,
          these,
        )) ?? 0;
      await markForDeletion(
        rows,
        context,
        `SELECT blob_id FROM chunked_parts WHERE ${among} AND inline IS NULL`,
        these,
      );
      await rows.write(`DELETE FROM chunked_parts WHERE ${among}`, these);
      const sequence = await rows.value<number>(
        `UPDATE chunked_uploads SET stored_bytes = stored_bytes + :by, revision = revision + 1, active_at = :at
         WHERE upload_id = :id RETURNING revision`,
        { by: (part?.blob.sizeBytes ?? 0) - removedBytes, at, id: uploadId },
      );
      if (part) await rows.put(newParts, { uploadId, ...part, sequence: sequence!, receivedAt: at });
      return sequence!;
    },
    async markCut(uploadId, last) {
      await rows.write('UPDATE chunked_parts SET is_cut = 1 WHERE upload_id = ? AND part <= ?', uploadId, last);
    },
    async takeParts(fromUploadId, toUploadId, shift) {
      const both = { from: fromUploadId, to: toUploadId, shift };
      await rows.write(
        `UPDATE chunked_uploads SET
           revision = revision + (SELECT count(*) FROM chunked_parts WHERE upload_id = :from),
           stored_bytes = stored_bytes + (SELECT stored_bytes FROM chunked_uploads WHERE upload_id = :from)
         WHERE upload_id = :to`,
        { from: fromUploadId, to: toUploadId },
      );
      await rows.write(
        'UPDATE chunked_parts SET upload_id = :to, part = part + :shift, sequence = part + :shift ' +
          'WHERE upload_id = :from',
        both,
      );
      await rows.write('UPDATE chunked_uploads SET stored_bytes = 0 WHERE upload_id = ?', fromUploadId);
    },
    clearClosed: async (uploadId, limit) => clearParts(rows, context, uploadId, limit),
  };
}

/** Selects the blobs that the file of an upload has in this table. */
function blobsOfFile(name: string): string {
  return `SELECT blob_id FROM ${name} WHERE blob_id IS NOT NULL
    AND content_id = (SELECT content_id FROM chunked_uploads WHERE upload_id = :id)`;
}

/** Removes up to `limit` parts. Returns whether there are more. */
export async function clearParts(rows: Rows, context: PartsContext, uploadId: string, limit: number): Promise<boolean> {
  const nth = 'SELECT part FROM chunked_parts WHERE upload_id = ? ORDER BY part LIMIT 1 OFFSET ?';
  const last = await rows.value<number>(nth, uploadId, limit - 1);
  const these = { id: uploadId, last: last ?? Number.MAX_SAFE_INTEGER };
  await markForDeletion(
    rows,
    context,
    `SELECT blob_id FROM chunked_parts WHERE upload_id = :id AND part <= :last AND inline IS NULL
       AND blob_id NOT IN (${['contents', 'content_blobs'].map(blobsOfFile).join(' UNION ALL ')})`,
    these,
  );
  await rows.write('DELETE FROM chunked_parts WHERE upload_id = :id AND part <= :last', these);
  if (last !== undefined) return true;
  await rows.write('UPDATE chunked_uploads SET has_parts_left = 0 WHERE upload_id = ?', uploadId);
  return false;
}
