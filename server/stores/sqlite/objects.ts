import type { DatabaseSync } from 'node:sqlite';

import { type ObjectAddress, spaces } from '#server/domain/object-id.ts';
import type { KeyEnding } from '#server/domain/objects/key.ts';
import { endingOfOlderKey } from '#server/domain/objects/older-key.ts';
import type { ClientProperties, Disposition, StoredObject } from '#server/domain/objects/object.ts';
import type { AgeScan, ObjectScan, ObjectsTable, WrittenObject } from '#server/domain/objects/table.ts';
import { statement } from './connection.ts';

interface ObjectRow {
  readonly account_id: string;
  readonly space: number;
  readonly key: string;
  readonly content_id: string;
  readonly size_bytes: number;
  readonly etag: string;
  readonly sha256: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly cache_control: string | null;
  readonly disposition: Disposition | null;
  readonly original_name: string | null;
  readonly metadata: string;
  readonly hash: string | null;
  readonly mark: string | null;
  readonly extension: string | null;
  readonly incarnation: string;
  readonly s3: string | null;
}

function objectOf(row: ObjectRow): StoredObject {
  return {
    accountId: row.account_id,
    space: spaces[row.space]!,
    key: row.key,
    ending: endingOfRow(row),
    generation: row.incarnation,
    contentId: row.content_id,
    sizeBytes: row.size_bytes,
    etag: row.etag,
    sha256: row.sha256,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    cacheControl: row.cache_control,
    disposition: row.disposition,
    originalName: row.original_name,
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    clientProperties: row.s3 === null ? null : (JSON.parse(row.s3) as ClientProperties),
  };
}

function endingOfRow({
  space,
  key,
  original_name: originalName,
  expires_at: expiresAt,
  hash,
  mark,
  extension,
}: ObjectRow): KeyEnding {
  if (extension === null) return endingOfOlderKey({ space: spaces[space]!, key, originalName, expiresAt });
  return { hash, mark, extension };
}

/** Files, over one connection. Keys compare by the bytes of their UTF-8, which is SQLite's BINARY order. */
export class SqliteObjects implements ObjectsTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async find({ accountId, space, key }: ObjectAddress): Promise<StoredObject | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM objects WHERE account_id = ? AND space = ? AND key = ?').get(
      accountId,
      spaces.indexOf(space),
      key,
    );
    return row && objectOf(row as unknown as ObjectRow);
  }

  async scan({ accountId, space, prefix, from, limit }: ObjectScan): Promise<StoredObject[]> {
    const given = from === undefined ? prefix : 'behind' in from ? from.behind : from.at;
    // A start before the prefix would let in the keys between the two.
    const isBefore = Buffer.compare(Buffer.from(given), Buffer.from(prefix)) < 0;
    const isBehind = !isBefore && from !== undefined && 'behind' in from;
    const start = isBefore ? prefix : given;
    const rows = statement(
      this.#db(),
      `SELECT * FROM objects
       WHERE account_id = ? AND space = ? AND key ${isBehind ? '>' : '>='} ? AND key < CAST(? AS BLOB) || x'ff'
       ORDER BY key LIMIT ?`,
      // The byte ff occurs in no UTF-8, so prefix and ff lie behind every key with the prefix.
    ).all(accountId, spaces.indexOf(space), start, prefix, limit);
    return (rows as unknown as ObjectRow[]).map(objectOf);
  }

  async scanByAge({
    accountId,
    after = Number.MIN_SAFE_INTEGER,
    until,
    behind,
    limit,
  }: AgeScan): Promise<WrittenObject[]> {
    // No space has the number of all of them, so that triple lies behind every file of its instant.
    const start = behind
      ? ([behind.createdAt, spaces.indexOf(behind.space), behind.key] as const)
      : ([after, spaces.length, ''] as const);
    const rows = statement(
      this.#db(),
      `SELECT created_at, space, key FROM objects
       WHERE account_id = ? AND (created_at, space, key) > (?, ?, ?) AND created_at <= ?
       ORDER BY created_at, space, key LIMIT ?`,
    ).all(accountId, ...start, until, limit);
    return rows.map((row) => ({
      accountId,
      space: spaces[Number(row.space)]!,
      key: String(row.key),
      createdAt: Number(row.created_at),
    }));
  }

  async expired(now: number, limit: number): Promise<ObjectAddress[]> {
    const rows = statement(
      this.#db(),
      'SELECT account_id, space, key FROM objects WHERE expires_at <= ? ORDER BY expires_at LIMIT ?',
    ).all(now, limit);
    return rows.map((row) => ({
      accountId: String(row.account_id),
      space: spaces[Number(row.space)]!,
      key: String(row.key),
    }));
  }

  async unhashed(afterContentId: string, limit: number): Promise<string[]> {
    const rows = statement(
      this.#db(),
      'SELECT DISTINCT content_id FROM objects WHERE sha256 IS NULL AND content_id > ? ORDER BY content_id LIMIT ?',
    ).all(afterContentId, limit);
    return rows.map((row) => String(row.content_id));
  }

  async setSha256(contentId: string, sha256: string): Promise<void> {
    statement(this.#db(), 'UPDATE objects SET sha256 = ? WHERE content_id = ?').run(sha256, contentId);
  }

  async put(object: StoredObject): Promise<void> {
    statement(
      this.#db(),
      `INSERT OR REPLACE INTO objects (account_id, space, key, content_id, size_bytes, etag, sha256, created_at, expires_at,
         cache_control, disposition, original_name, metadata, hash, mark, extension, incarnation, s3)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      object.accountId,
      spaces.indexOf(object.space),
      object.key,
      object.contentId,
      object.sizeBytes,
      object.etag,
      object.sha256,
      object.createdAt,
      object.expiresAt,
      object.cacheControl,
      object.disposition,
      object.originalName,
      JSON.stringify(object.metadata),
      object.ending.hash,
      object.ending.mark,
      object.ending.extension,
      object.generation,
      object.clientProperties && JSON.stringify(object.clientProperties),
    );
  }

  async remove({ accountId, space, key }: ObjectAddress): Promise<StoredObject | undefined> {
    const row = statement(
      this.#db(),
      'DELETE FROM objects WHERE account_id = ? AND space = ? AND key = ? RETURNING *',
    ).get(accountId, spaces.indexOf(space), key);
    return row && objectOf(row as unknown as ObjectRow);
  }
}
