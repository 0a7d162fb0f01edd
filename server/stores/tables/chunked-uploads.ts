import type {
  ChunkedUpload,
  SentTo,
  StoredPart,
  UploadPart,
  UploadState,
} from '#server/domain/chunked/chunked-upload.ts';
import type { PartNumber } from '#server/domain/chunked/part-number.ts';
import type { ChunkedUploadsTable, NewChunkedUpload } from '#server/domain/chunked/table.ts';
import type { Duration } from '#server/domain/duration.ts';
import type { ReceivedBlob } from '#server/domain/objects/contents-table.ts';
import type { ResolvedUpload, SizeCap } from '#server/domain/objects/resolve-upload.ts';
import { type Fields, flag, json, mapped, nullable, record, snakeCase } from './columns.ts';
import { blobFields, markForDeletion } from './contents.ts';
import { addressColumns, suffixColumns } from './objects.ts';
import { table, type Rows, type TableContext, where } from './rows.ts';

/** The account is part of the resolved address. */
const newFields: Fields<Omit<NewChunkedUpload, 'accountId'>> = {
  id: 'upload_id',
  tokenId: 'token_id',
  resolved: record<ResolvedUpload>({
    address: addressColumns,
    suffix: suffixColumns,
    expire: nullable(record<Duration>({ hours: 'expire_hours' })),
    mayReplace: flag('may_replace'),
    disposition: 'disposition',
    cacheControl: 'cache_control',
    metadata: json('metadata'),
    cap: nullable(record<SizeCap>({ maxBytes: 'cap_bytes', prefix: 'cap_prefix' })),
  }),
  declaredBytes: 'declared_bytes',
  listed: nullable(json('s3')),
  serial: nullable(json('serial')),
  sentTo: nullable(
    record<SentTo>({
      ...snakeCase('requestId', 'senderHash', 'senderName', 'senderAddress', 'placeFreedAt'),
    }),
  ),
  originalName: 'original_name',
  startedAt: 'started_at',
};

const uploads = table(
  'chunked_uploads',
  mapped<ChunkedUpload, Omit<ChunkedUpload, 'accountId'>>(
    record<Omit<ChunkedUpload, 'accountId'>>({
      ...newFields,
      ...snakeCase('state', 'activeAt', 'closedAt', 'revision', 'storedBytes'),
      outcome: nullable(json('outcome')),
      writer: 'writer',
    }),
    (upload) => ({ ...upload, accountId: upload.resolved.address.accountId }),
    (upload) => upload,
  ),
);

const newUploads = table(
  'chunked_uploads',
  record<Omit<NewChunkedUpload, 'accountId'> & Pick<ChunkedUpload, 'state' | 'activeAt'>>({
    ...newFields,
    state: 'state',
    activeAt: 'active_at',
  }),
);

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

/** At most this many rows of parts are removed in the transaction that closes their upload. */
const partsAtOnce = 500;

interface Closing {
  readonly state: UploadState;
  readonly outcome: string | null;
  readonly contentId: string | null;
}

/** Files that arrive in parts. */
export function chunkedUploadsTable(
  rows: Rows,
  context: Pick<TableContext, 'onMarkedForDeletion'>,
): ChunkedUploadsTable {
  const ids = async (which: string, ...values: number[]) =>
    rows.values<string>(`SELECT upload_id FROM chunked_uploads WHERE ${which} LIMIT ?`, ...values);
  const findPart = async (uploadId: string, part: PartNumber) =>
    rows.one(parts, where('upload_id', 'part'), uploadId, part);

  /** Removes up to `limit` parts. Returns whether there are more. */
  async function clear(uploadId: string, limit: number): Promise<boolean> {
    const nth = 'SELECT part FROM chunked_parts WHERE upload_id = ? ORDER BY part LIMIT 1 OFFSET ?';
    const last = await rows.value<number>(nth, uploadId, limit - 1);
    const these = { id: uploadId, last: last ?? Number.MAX_SAFE_INTEGER };
    await markForDeletion(
      rows,
      context,
      `SELECT blob_id FROM chunked_parts WHERE upload_id = :id AND part <= :last AND inline IS NULL
         AND blob_id NOT IN (SELECT blob_id FROM content_blobs
           WHERE content_id = (SELECT content_id FROM chunked_uploads WHERE upload_id = :id))`,
      these,
    );
    await rows.write('DELETE FROM chunked_parts WHERE upload_id = :id AND part <= :last', these);
    if (last !== undefined) return true;
    await rows.write('UPDATE chunked_uploads SET has_parts_left = 0 WHERE upload_id = ?', uploadId);
    return false;
  }

  async function close(uploadId: string, { state, outcome, contentId }: Closing, at: number): Promise<void> {
    await rows.write(
      `UPDATE chunked_uploads SET state = ?, outcome = ?, content_id = ?, closed_at = ?, stored_bytes = 0,
         revision = revision + 1, has_parts_left = 1 WHERE upload_id = ?`,
      ...[state, outcome, contentId, at, uploadId],
    );
    // Most uploads have fewer parts and need no further transaction.
    if (await clear(uploadId, partsAtOnce)) context.onMarkedForDeletion();
  }

  return {
    find: async (uploadId) => rows.one(uploads, where('upload_id'), uploadId),
    partsOf: async (uploadId, after, limit) =>
      rows.all(listedParts, 'WHERE upload_id = ? AND part > ? ORDER BY part LIMIT ?', uploadId, after, limit),
    part: async (uploadId, part) => findPart(uploadId, part),
    openOf: async (accountId, idleBefore) =>
      rows.all(
        uploads,
        "WHERE account_id = ? AND state = 'open' AND active_at > ? ORDER BY started_at, upload_id",
        accountId,
        idleBefore,
      ),
    idle: async (idleBefore, limit) => ids("state = 'open' AND active_at <= ? ORDER BY active_at", idleBefore, limit),
    withPartsLeft: async (limit) => ids('has_parts_left = 1 ORDER BY closed_at', limit),
    // One statement counts and inserts, so that parallel starts can never pass the limit together.
    open: async (upload, maxOpen, idleBefore) =>
      rows.insertIf(
        newUploads,
        { ...upload, state: 'open', activeAt: upload.startedAt },
        `(SELECT count(*) FROM chunked_uploads
           WHERE account_id = ? AND state = 'open' AND active_at > ? AND request_id IS NULL
             AND s3 IS ${upload.listed ? 'NOT NULL' : 'NULL'}) < ?`,
        ...[upload.accountId, idleBefore, maxOpen],
      ),
    longestIdle: async (accountId, idleBefore) =>
      rows.one(
        uploads,
        `WHERE account_id = ? AND state = 'open' AND active_at <= ? AND s3 IS NOT NULL ORDER BY active_at LIMIT 1`,
        accountId,
        idleBefore,
      ),
    async openSent(upload) {
      await rows.insert(newUploads, { ...upload, state: 'open', activeAt: upload.startedAt });
    },
    openSentTo: async (requestId) => rows.all(uploads, "WHERE request_id = ? AND state = 'open'", requestId),
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
    async replaceParts(uploadId, first, last, part, at) {
      const these = { id: uploadId, first, last };
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
    async setWriter(uploadId, writer) {
      await rows.write('UPDATE chunked_uploads SET writer = ? WHERE upload_id = ?', writer, uploadId);
    },
    async declareSize(uploadId, sizeBytes) {
      await rows.write('UPDATE chunked_uploads SET declared_bytes = ? WHERE upload_id = ?', sizeBytes, uploadId);
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
    async keepOpen(uploadId, at) {
      await rows.write("UPDATE chunked_uploads SET active_at = ? WHERE upload_id = ? AND state = 'open'", at, uploadId);
    },
    async holdPlace(uploadId, at) {
      await rows.write(
        "UPDATE chunked_uploads SET active_at = ?, place_freed_at = NULL WHERE upload_id = ? AND state = 'open'",
        ...[at, uploadId],
      );
    },
    async freePlaces(requestId, at) {
      await rows.write(
        "UPDATE chunked_uploads SET place_freed_at = ? WHERE request_id = ? AND state = 'open'",
        ...[at, requestId],
      );
    },
    async complete(uploadId, { contentId, outcome }, at) {
      await close(uploadId, { state: 'completed', outcome: JSON.stringify(outcome), contentId }, at);
    },
    async abort(uploadId, at) {
      await close(uploadId, { state: 'aborted', outcome: null, contentId: null }, at);
    },
    clearClosed: async (uploadId, limit) => clear(uploadId, limit),
    forgetClosed: async (closedBefore, limit) =>
      rows.removeSome(
        'chunked_uploads',
        'upload_id',
        'closed_at <= ? AND has_parts_left = 0 ORDER BY closed_at',
        closedBefore,
        limit,
      ),
  };
}
