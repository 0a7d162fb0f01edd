import type { ChunkedUpload, UploadState } from '../chunked-upload.ts';
import type { ChunkedUploadsTable, NewChunkedUpload } from '../table.ts';
import type { Duration } from '#server/domain/duration.ts';
import type { ResolvedUpload, SizeCap } from '#server/features/files/upload/resolve-upload.ts';
import { type Fields, flag, json, mapped, nullable, record, snakeCase } from '#server/stores/tables/columns.ts';
import { clearParts, uploadPartsTable } from './chunked-parts.ts';
import { suffixColumns } from '#server/features/files/tables/object-columns.ts';
import { addressColumns } from '#server/stores/tables/address-columns.ts';
import { table, type Rows, type TableContext, where } from '#server/stores/tables/rows.ts';

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
  sentTo: 'sent_to',
  originalName: 'original_name',
  startedAt: 'started_at',
};

/** The columns of a row. Other features join their own to them. */
export const uploadColumns = mapped<ChunkedUpload, Omit<ChunkedUpload, 'accountId'>>(
  record<Omit<ChunkedUpload, 'accountId'>>({
    ...newFields,
    ...snakeCase('state', 'activeAt', 'closedAt', 'revision', 'storedBytes'),
    outcome: nullable(json('outcome')),
    writer: 'writer',
  }),
  (upload) => ({ ...upload, accountId: upload.resolved.address.accountId }),
  (upload) => upload,
);

const uploads = table('chunked_uploads', uploadColumns);

const newUploads = table(
  'chunked_uploads',
  record<Omit<NewChunkedUpload, 'accountId'> & Pick<ChunkedUpload, 'state' | 'activeAt'>>({
    ...newFields,
    state: 'state',
    activeAt: 'active_at',
  }),
);

/** Files that arrive in parts. */
export function chunkedUploadsTable(
  rows: Rows,
  context: Pick<TableContext, 'onMarkedForDeletion'>,
): ChunkedUploadsTable {
  const ids = async (which: string, ...values: number[]) =>
    rows.values<string>(`SELECT upload_id FROM chunked_uploads WHERE ${which} LIMIT ?`, ...values);

  return {
    ...uploadPartsTable(rows, context),
    ...openUploads(rows),
    ...closedUploads(rows, context),
    find: async (uploadId) => rows.one(uploads, where('upload_id'), uploadId),
    openOf: async (accountId, idleBefore) =>
      rows.all(
        uploads,
        "WHERE account_id = ? AND state = 'open' AND active_at > ? ORDER BY started_at, upload_id",
        accountId,
        idleBefore,
      ),
    idle: async (idleBefore, limit) => ids("state = 'open' AND active_at <= ? ORDER BY active_at", idleBefore, limit),
    withPartsLeft: async (limit) => ids('has_parts_left = 1 ORDER BY closed_at', limit),
    async setWriter(uploadId, writer) {
      await rows.write('UPDATE chunked_uploads SET writer = ? WHERE upload_id = ?', writer, uploadId);
    },
    async declareSize(uploadId, sizeBytes) {
      await rows.write('UPDATE chunked_uploads SET declared_bytes = ? WHERE upload_id = ?', sizeBytes, uploadId);
    },
  };
}

/** Uploads that are open, and the places that they take. */
function openUploads(rows: Rows) {
  return {
    // One statement counts and inserts, so that parallel starts can never pass the limit together.
    open: async (upload, maxOpen, idleBefore) =>
      rows.insertIf(
        newUploads,
        { ...upload, state: 'open', activeAt: upload.startedAt },
        `(SELECT count(*) FROM chunked_uploads
           WHERE account_id = ? AND state = 'open' AND active_at > ? AND sent_to IS NULL
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
    async keepOpen(uploadId, at) {
      await rows.write("UPDATE chunked_uploads SET active_at = ? WHERE upload_id = ? AND state = 'open'", at, uploadId);
    },
  } satisfies Partial<ChunkedUploadsTable>;
}

/** At most this many rows of parts are removed in the transaction that closes their upload. */
const partsAtOnce = 500;

interface Closing {
  readonly state: UploadState;
  readonly outcome: string | null;
  readonly contentId: string | null;
}

/** Uploads that end. */
function closedUploads(rows: Rows, context: Pick<TableContext, 'onMarkedForDeletion'>) {
  async function close(uploadId: string, { state, outcome, contentId }: Closing, at: number): Promise<void> {
    await rows.write(
      `UPDATE chunked_uploads SET state = ?, outcome = ?, content_id = ?, closed_at = ?, stored_bytes = 0,
         revision = revision + 1, has_parts_left = 1 WHERE upload_id = ?`,
      ...[state, outcome, contentId, at, uploadId],
    );
    // Most uploads have fewer parts and need no further transaction.
    if (await clearParts(rows, context, uploadId, partsAtOnce)) context.onMarkedForDeletion();
  }

  return {
    async complete(uploadId, { contentId, outcome }, at) {
      await close(uploadId, { state: 'completed', outcome: JSON.stringify(outcome), contentId }, at);
    },
    async abort(uploadId, at) {
      await close(uploadId, { state: 'aborted', outcome: null, contentId: null }, at);
    },
    forgetClosed: async (closedBefore, limit) =>
      rows.removeSome(
        'chunked_uploads',
        'upload_id',
        'closed_at <= ? AND has_parts_left = 0 ORDER BY closed_at',
        closedBefore,
        limit,
      ),
  } satisfies Partial<ChunkedUploadsTable>;
}
