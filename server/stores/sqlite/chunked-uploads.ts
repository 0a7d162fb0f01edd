import type { DatabaseSync } from 'node:sqlite';

import type {
  ChunkedUpload,
  ListedUpload,
  NewPart,
  StoredPart,
  UploadOutcome,
  UploadPart,
  UploadState,
} from '#server/domain/chunked/chunked-upload.ts';
import type { PartNumber } from '#server/domain/chunked/part-number.ts';
import type { ChunkedUploadsTable, Completion, NewChunkedUpload } from '#server/domain/chunked/table.ts';
import { spaces } from '#server/domain/object-id.ts';
import { type Disposition } from '#server/domain/objects/object.ts';
import { statement } from './connection.ts';
import { formatPartChecksum, partChecksum } from './part-checksum.ts';

interface UploadRow {
  readonly upload_id: string;
  readonly account_id: string;
  readonly token_id: string | null;
  readonly space: number;
  readonly key: string;
  readonly hash: string | null;
  readonly mark: string | null;
  readonly extension: string;
  readonly expire_hours: number | null;
  readonly may_replace: number;
  readonly cache_control: string | null;
  readonly disposition: Disposition | null;
  readonly original_name: string | null;
  readonly metadata: string;
  readonly cap_bytes: number | null;
  readonly cap_prefix: string | null;
  readonly state: UploadState;
  readonly started_at: number;
  readonly active_at: number;
  readonly closed_at: number | null;
  readonly revision: number;
  readonly stored_bytes: number;
  readonly outcome: string | null;
  readonly s3: string | null;
  readonly declared_bytes: number | null;
}

interface PartRow {
  readonly part: PartNumber;
  readonly sequence: number;
  readonly blob_id: string;
  readonly size_bytes: number;
  readonly md5: string;
  readonly checksum: string | null;
  readonly received_at: number;
}

/** How many rows of parts go in the transaction that closes their upload. */
const partsAtOnce = 500;

const partColumns = 'part, sequence, blob_id, size_bytes, md5, checksum, received_at';

function uploadOf(row: UploadRow): ChunkedUpload {
  return {
    id: row.upload_id,
    accountId: row.account_id,
    tokenId: row.token_id,
    plan: {
      address: { accountId: row.account_id, space: spaces[row.space]!, key: row.key },
      ending: { hash: row.hash, mark: row.mark, extension: row.extension },
      expire: row.expire_hours === null ? null : { hours: row.expire_hours },
      mayReplace: row.may_replace === 1,
      disposition: row.disposition,
      cacheControl: row.cache_control,
      metadata: JSON.parse(row.metadata) as Record<string, string>,
      cap: row.cap_bytes === null ? null : { maxBytes: row.cap_bytes, prefix: row.cap_prefix },
    },
    declaredBytes: row.declared_bytes,
    listed: row.s3 === null ? null : (JSON.parse(row.s3) as ListedUpload),
    originalName: row.original_name,
    state: row.state,
    startedAt: row.started_at,
    activeAt: row.active_at,
    closedAt: row.closed_at,
    revision: row.revision,
    storedBytes: row.stored_bytes,
    outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as UploadOutcome),
  };
}

function partOf<B>(row: PartRow, bytes: B) {
  const blob = { blobId: row.blob_id, sizeBytes: row.size_bytes, ...bytes, ...partChecksum(row.checksum) };
  return { part: row.part, sequence: row.sequence, blob, md5: row.md5, receivedAt: row.received_at };
}

/** Files that come in parts, over one connection. */
export class SqliteChunkedUploads implements ChunkedUploadsTable {
  readonly #db: () => DatabaseSync;
  readonly #onDoomed: () => void;

  /** `onDoomed` is told within the transaction that blobs are to be removed. */
  constructor(db: () => DatabaseSync, onDoomed: () => void) {
    this.#db = db;
    this.#onDoomed = onDoomed;
  }

  async find(uploadId: string): Promise<ChunkedUpload | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM chunked_uploads WHERE upload_id = ?').get(uploadId);
    return row && uploadOf(row as unknown as UploadRow);
  }

  async partsOf(uploadId: string, after: number, limit: number): Promise<StoredPart[]> {
    const rows = statement(
      this.#db(),
      `SELECT ${partColumns}, inline IS NOT NULL AS is_inline FROM chunked_parts WHERE upload_id = ? AND part > ? ORDER BY part LIMIT ?`,
    ).all(uploadId, after, limit);
    return (rows as unknown as Array<PartRow & { readonly is_inline: number }>).map((row) =>
      partOf(row, { isInline: row.is_inline === 1 }),
    );
  }

  async part(uploadId: string, part: PartNumber): Promise<UploadPart | undefined> {
    const row = statement(
      this.#db(),
      `SELECT ${partColumns}, inline FROM chunked_parts WHERE upload_id = ? AND part = ?`,
    ).get(uploadId, part);
    if (!row) return undefined;
    const { inline } = row as { readonly inline: Uint8Array | null };
    return partOf(row as unknown as PartRow, { inline });
  }

  async openOf(accountId: string, idleBefore: number): Promise<ChunkedUpload[]> {
    const rows = statement(
      this.#db(),
      "SELECT * FROM chunked_uploads WHERE account_id = ? AND state = 'open' AND active_at > ? ORDER BY started_at, upload_id",
    ).all(accountId, idleBefore);
    return (rows as unknown as UploadRow[]).map(uploadOf);
  }

  async idle(idleBefore: number, limit: number): Promise<string[]> {
    const rows = statement(
      this.#db(),
      "SELECT upload_id FROM chunked_uploads WHERE state = 'open' AND active_at <= ? ORDER BY active_at LIMIT ?",
    ).all(idleBefore, limit);
    return rows.map((row) => String(row.upload_id));
  }

  async withPartsLeft(limit: number): Promise<string[]> {
    const rows = statement(
      this.#db(),
      'SELECT upload_id FROM chunked_uploads WHERE has_parts_left = 1 ORDER BY closed_at LIMIT ?',
    ).all(limit);
    return rows.map((row) => String(row.upload_id));
  }

  /** One statement counts and inserts, so that parallel starts can never pass the limit together. */
  async open(
    { id, accountId, tokenId, plan, declaredBytes, listed: s3, originalName, startedAt }: NewChunkedUpload,
    maxOpen: number,
    idleBefore: number,
  ): Promise<boolean> {
    const { changes } = statement(
      this.#db(),
      `INSERT INTO chunked_uploads (upload_id, account_id, token_id, space, key, hash, mark, extension, expire_hours, may_replace, cache_control, disposition,
         original_name, metadata, cap_bytes, cap_prefix, declared_bytes, s3, state, started_at, active_at)
       SELECT :id, :account, :token, :space, :key, :hash, :mark, :extension, :expire, :replace, :cache, :disposition, :name, :metadata, :cap, :capPrefix, :declared, :s3, 'open', :at, :at
       WHERE (SELECT count(*) FROM chunked_uploads WHERE account_id = :account AND state = 'open' AND active_at > :idle) < :max`,
    ).run({
      id,
      account: accountId,
      token: tokenId,
      space: spaces.indexOf(plan.address.space),
      key: plan.address.key,
      ...plan.ending,
      expire: plan.expire && plan.expire.hours,
      replace: Number(plan.mayReplace),
      cache: plan.cacheControl,
      disposition: plan.disposition,
      name: originalName,
      metadata: JSON.stringify(plan.metadata),
      cap: plan.cap && plan.cap.maxBytes,
      capPrefix: plan.cap && plan.cap.prefix,
      declared: declaredBytes,
      s3: s3 && JSON.stringify(s3),
      at: startedAt,
      idle: idleBefore,
      max: maxOpen,
    });
    return changes === 1;
  }

  async putPart(
    uploadId: string,
    { part, blob, md5 }: NewPart,
    at: number,
    maxBytes: number,
  ): Promise<number | undefined> {
    const replaced = await this.part(uploadId, part);
    const grown = statement(
      this.#db(),
      `UPDATE chunked_uploads SET stored_bytes = stored_bytes + :by, revision = revision + 1, active_at = :at
       WHERE upload_id = :id AND stored_bytes + :by <= :max RETURNING revision`,
    ).get({ by: blob.sizeBytes - (replaced?.blob.sizeBytes ?? 0), at, id: uploadId, max: maxBytes });
    if (!grown) return undefined;
    const sequence = Number(grown.revision);
    if (replaced && !replaced.blob.inline) {
      statement(this.#db(), 'INSERT OR IGNORE INTO doomed_blobs (blob_id) VALUES (?)').run(replaced.blob.blobId);
      this.#onDoomed();
    }
    statement(
      this.#db(),
      'INSERT OR REPLACE INTO chunked_parts (upload_id, part, sequence, blob_id, size_bytes, md5, inline, checksum, received_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(
      uploadId,
      part,
      sequence,
      blob.blobId,
      blob.sizeBytes,
      md5,
      blob.inline,
      formatPartChecksum(blob.checksum),
      at,
    );
    return sequence;
  }

  async keepOpen(uploadId: string, at: number): Promise<void> {
    statement(this.#db(), "UPDATE chunked_uploads SET active_at = ? WHERE upload_id = ? AND state = 'open'").run(
      at,
      uploadId,
    );
  }

  async complete(uploadId: string, { contentId, outcome }: Completion, at: number): Promise<void> {
    this.#close(uploadId, { state: 'completed', outcome: JSON.stringify(outcome), contentId }, at);
  }

  async abort(uploadId: string, at: number): Promise<void> {
    this.#close(uploadId, { state: 'aborted', outcome: null, contentId: null }, at);
  }

  #close(
    uploadId: string,
    {
      state,
      outcome,
      contentId,
    }: { readonly state: UploadState; readonly outcome: string | null; readonly contentId: string | null },
    at: number,
  ): void {
    statement(
      this.#db(),
      'UPDATE chunked_uploads SET state = ?, outcome = ?, content_id = ?, closed_at = ?, stored_bytes = 0, revision = revision + 1, has_parts_left = 1 WHERE upload_id = ?',
    ).run(state, outcome, contentId, at, uploadId);
    // Most uploads have fewer, and need no transaction besides this one.
    if (this.#clear(uploadId, partsAtOnce)) this.#onDoomed();
  }

  async clearClosed(uploadId: string, limit: number): Promise<boolean> {
    return this.#clear(uploadId, limit);
  }

  /** Answers whether there are more. */
  #clear(uploadId: string, limit: number): boolean {
    const last = statement(
      this.#db(),
      'SELECT part FROM chunked_parts WHERE upload_id = ? ORDER BY part LIMIT 1 OFFSET ?',
    ).get(uploadId, limit - 1)?.part;
    const these = { id: uploadId, last: last === undefined ? Number.MAX_SAFE_INTEGER : Number(last) };
    const doomed = statement(
      this.#db(),
      `INSERT OR IGNORE INTO doomed_blobs (blob_id) SELECT blob_id FROM chunked_parts
       WHERE upload_id = :id AND part <= :last AND inline IS NULL
         AND blob_id NOT IN (SELECT blob_id FROM content_blobs WHERE content_id = (SELECT content_id FROM chunked_uploads WHERE upload_id = :id))`,
    ).run(these).changes;
    if (doomed > 0) this.#onDoomed();
    statement(this.#db(), 'DELETE FROM chunked_parts WHERE upload_id = :id AND part <= :last').run(these);
    if (last !== undefined) return true;
    statement(this.#db(), 'UPDATE chunked_uploads SET has_parts_left = 0 WHERE upload_id = ?').run(uploadId);
    return false;
  }

  async forgetClosed(closedBefore: number, limit: number): Promise<number> {
    const { changes } = statement(
      this.#db(),
      'DELETE FROM chunked_uploads WHERE upload_id IN (SELECT upload_id FROM chunked_uploads WHERE closed_at <= ? AND has_parts_left = 0 ORDER BY closed_at LIMIT ?)',
    ).run(closedBefore, limit);
    return Number(changes);
  }
}
