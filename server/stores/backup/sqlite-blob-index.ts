import { rm } from 'node:fs/promises';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

import type { BlobIndex, BlobSum, IndexEntry, NeededBlob, SeenBlob } from '#server/domain/backup/blob-index.ts';
import type { NamedBlob } from '#server/domain/contents/table.ts';

const tables = `
  PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768; PRAGMA locking_mode = EXCLUSIVE;
  CREATE TABLE entries (
    blob_id TEXT PRIMARY KEY, size_bytes INTEGER NOT NULL, sha256 BLOB NOT NULL, ended_in TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE named (blob_id TEXT PRIMARY KEY, size_bytes INTEGER, sha256 TEXT, md5 TEXT) STRICT, WITHOUT ROWID;
  CREATE TABLE seen (blob_id TEXT PRIMARY KEY, size_bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;`;

const isMissing = 'NOT EXISTS (SELECT 1 FROM entries WHERE entries.blob_id = named.blob_id)';
const isNamed = 'EXISTS (SELECT 1 FROM named WHERE named.blob_id = entries.blob_id)';

const isSame = 'WHERE entries.blob_id = seen.blob_id AND entries.size_bytes = seen.size_bytes';

interface EntryRow {
  readonly blob_id: string;
  readonly size_bytes: number;
  readonly sha256: Uint8Array;
  readonly ended_in: string | null;
}

/** The index of a backup in a scratch database, which is removed at the end. */
export class SqliteBlobIndex implements BlobIndex {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  private constructor(path: string) {
    this.#path = path;
    this.#db = new DatabaseSync(path);
    this.#db.exec(tables);
  }

  /** @param path of a file that does not exist, or was left by a process that was cut off */
  static async open(path: string): Promise<SqliteBlobIndex> {
    await rm(path, { force: true });
    return new SqliteBlobIndex(path);
  }

  add(entries: readonly IndexEntry[]): void {
    this.#together(() => {
      for (const { blobId, sizeBytes, sha256, endedIn } of entries)
        this.#run(
          'INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)',
          blobId,
          sizeBytes,
          Buffer.from(sha256, 'hex'),
          endedIn,
        );
    });
  }

  drop(blobIds: readonly string[]): void {
    this.#together(() => {
      for (const blobId of blobIds) this.#run('DELETE FROM entries WHERE blob_id = ?', blobId);
    });
  }

  find(blobId: string): IndexEntry | undefined {
    return this.#entries('WHERE blob_id = ?', blobId)[0];
  }

  entries(afterBlobId: string, limit: number): IndexEntry[] {
    return this.#entries('WHERE blob_id > ? ORDER BY blob_id LIMIT ?', afterBlobId, limit);
  }

  clear(): void {
    this.#db.exec('DELETE FROM named; DELETE FROM seen');
  }

  name(blobs: readonly NamedBlob[]): void {
    this.#together(() => {
      for (const { blobId, sizeBytes, sha256, md5 } of blobs)
        this.#run('INSERT OR REPLACE INTO named VALUES (?, ?, ?, ?)', blobId, sizeBytes, sha256, md5);
    });
  }

  nameMarked(blobIds: readonly string[]): void {
    this.#together(() => {
      for (const blobId of blobIds) this.#run('INSERT OR IGNORE INTO named VALUES (?, NULL, NULL, NULL)', blobId);
    });
  }

  named(): BlobSum {
    return this.#sum('FROM named');
  }

  missing(): BlobSum {
    return this.#sum(`FROM named WHERE ${isMissing}`);
  }

  missingAfter(blobId: string, limit: number): NeededBlob[] {
    const sql = `SELECT * FROM named WHERE blob_id > ? AND ${isMissing} ORDER BY blob_id LIMIT ?`;
    return this.#all<{ blob_id: string; size_bytes: number | null; sha256: string | null; md5: string | null }>(
      sql,
      blobId,
      limit,
    ).map(({ blob_id, size_bytes: sizeBytes, sha256, md5 }) => ({ blobId: blob_id, sizeBytes, sha256, md5 }));
  }

  changedEnds(generation: string, afterBlobId: string, limit: number): IndexEntry[] {
    const changed = this.#entries(
      `WHERE blob_id > ? AND (ended_in IS NULL) <> ${isNamed} ORDER BY blob_id LIMIT ?`,
      afterBlobId,
      limit,
    );
    return changed.map((entry) => ({ ...entry, endedIn: entry.endedIn === null ? generation : null }));
  }

  endedBy(generation: string, limit: number): IndexEntry[] {
    return this.#entries('WHERE ended_in <= ? ORDER BY blob_id LIMIT ?', generation, limit);
  }

  see(blobs: readonly SeenBlob[]): void {
    this.#together(() => {
      for (const { blobId, sizeBytes } of blobs)
        this.#run('INSERT OR REPLACE INTO seen VALUES (?, ?)', blobId, sizeBytes);
    });
  }

  strangers(limit: number): string[] {
    return this.#ids(`SELECT blob_id FROM seen WHERE NOT EXISTS (SELECT 1 FROM entries ${isSame}) LIMIT ?`, limit);
  }

  forget(blobIds: readonly string[]): void {
    this.#together(() => {
      for (const blobId of blobIds) this.#run('DELETE FROM seen WHERE blob_id = ?', blobId);
    });
  }

  seenSize(blobId: string): number | undefined {
    return this.#all<{ size_bytes: number }>('SELECT size_bytes FROM seen WHERE blob_id = ?', blobId)[0]?.size_bytes;
  }

  unseen(limit: number): string[] {
    return this.#ids(`SELECT blob_id FROM entries WHERE NOT EXISTS (SELECT 1 FROM seen ${isSame}) LIMIT ?`, limit);
  }

  async close(): Promise<void> {
    if (this.#db.isOpen) this.#db.close();
    await rm(this.#path, { force: true });
  }

  #entries(rest: string, ...values: SQLInputValue[]): IndexEntry[] {
    return this.#all<EntryRow>(`SELECT * FROM entries ${rest}`, ...values).map((row) => ({
      blobId: row.blob_id,
      sizeBytes: row.size_bytes,
      sha256: Buffer.from(row.sha256).toString('hex'),
      endedIn: row.ended_in,
    }));
  }

  #ids(sql: string, limit: number): string[] {
    return this.#all<{ blob_id: string }>(sql, limit).map(({ blob_id: blobId }) => blobId);
  }

  #sum(from: string): BlobSum {
    const [sum] = this.#all<BlobSum>(`SELECT count(*) AS count, coalesce(sum(size_bytes), 0) AS bytes ${from}`);
    return { count: sum!.count, bytes: sum!.bytes };
  }

  #all<T>(sql: string, ...values: SQLInputValue[]): T[] {
    return this.#prepared(sql).all(...values) as T[];
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepared(sql).run(...values);
  }

  #prepared(sql: string): ReturnType<DatabaseSync['prepare']> {
    let found = this.#statements.get(sql);
    if (!found) this.#statements.set(sql, (found = this.#db.prepare(sql)));
    return found;
  }

  #together(work: () => void): void {
    this.#db.exec('BEGIN');
    work();
    this.#db.exec('COMMIT');
  }
}
