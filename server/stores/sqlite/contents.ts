import type { DatabaseSync } from 'node:sqlite';

import type { Content, ContentsTable } from '#server/domain/objects/contents-table.ts';
import { statement } from './connection.ts';
import { formatPartChecksum, partChecksum } from './part-checksum.ts';

interface BlobRow {
  readonly blob_id: string;
  readonly size_bytes: number;
  readonly inline: Uint8Array | null;
  readonly checksum: string | null;
}

/** What files consist of, over one connection. */
export class SqliteContents implements ContentsTable {
  readonly #db: () => DatabaseSync;
  readonly #onDoomed: () => void;

  /** `onDoomed` is told within the transaction that blobs are to be removed. */
  constructor(db: () => DatabaseSync, onDoomed: () => void) {
    this.#db = db;
    this.#onDoomed = onDoomed;
  }

  async find(contentId: string): Promise<Content | undefined> {
    const rows = statement(
      this.#db(),
      'SELECT blob_id, size_bytes, inline, checksum FROM content_blobs WHERE content_id = ? ORDER BY position',
    ).all(contentId) as unknown as BlobRow[];
    if (rows.length === 0) return undefined;
    return {
      id: contentId,
      sizeBytes: rows.reduce((sum, row) => sum + row.size_bytes, 0),
      blobs: rows.map((row) => ({
        blobId: row.blob_id,
        sizeBytes: row.size_bytes,
        inline: row.inline,
        ...partChecksum(row.checksum),
      })),
    };
  }

  async doomedBlobs(limit: number): Promise<string[]> {
    const rows = statement(this.#db(), 'SELECT blob_id FROM doomed_blobs LIMIT ?').all(limit);
    return rows.map((row) => String(row.blob_id));
  }

  async add({ id, sizeBytes, blobs }: Content): Promise<void> {
    statement(this.#db(), 'INSERT INTO contents (content_id, size_bytes, pointing_rows) VALUES (?, ?, 1)').run(
      id,
      sizeBytes,
    );
    const insert = statement(
      this.#db(),
      'INSERT INTO content_blobs (content_id, position, blob_id, size_bytes, inline, checksum) VALUES (?, ?, ?, ?, ?, ?)',
    );
    for (const [position, blob] of blobs.entries())
      insert.run(id, position, blob.blobId, blob.sizeBytes, blob.inline, formatPartChecksum(blob.checksum));
  }

  async share(contentId: string): Promise<void> {
    statement(this.#db(), 'UPDATE contents SET pointing_rows = pointing_rows + 1 WHERE content_id = ?').run(contentId);
  }

  async release(contentId: string): Promise<void> {
    const shared = statement(
      this.#db(),
      'UPDATE contents SET pointing_rows = pointing_rows - 1 WHERE content_id = ? AND pointing_rows > 1',
    ).run(contentId).changes;
    if (shared > 0) return;
    const doomed = statement(
      this.#db(),
      'INSERT OR IGNORE INTO doomed_blobs (blob_id) SELECT blob_id FROM content_blobs WHERE content_id = ? AND inline IS NULL',
    ).run(contentId).changes;
    statement(this.#db(), 'DELETE FROM contents WHERE content_id = ?').run(contentId);
    if (doomed > 0) this.#onDoomed();
  }

  async forgetDoomed(blobIds: readonly string[]): Promise<void> {
    const forget = statement(this.#db(), 'DELETE FROM doomed_blobs WHERE blob_id = ?');
    for (const blobId of blobIds) forget.run(blobId);
  }
}
