import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { backup } from 'node:sqlite';

import type { DatabaseCopies, DatabaseCopy } from '#server/domain/backup/database-copies.ts';
import type { NamedBlob } from '#server/domain/contents/table.ts';
import { openTables } from '#server/stores/tables/tables.ts';
import { openReader, type Connections } from './connection.ts';
import { SqliteRows } from './rows.ts';

/**
 * All pages in one step, in another thread. A second step would begin anew whenever somebody has written in between. In
 * one step the copy is a long read: writers go on, and the log grows until it ends.
 */
const allPages = 2 ** 31 - 1;

/** Copies of the SQLite database by its online backup. @see https://www.sqlite.org/backup.html */
export class SqliteDatabaseCopies implements DatabaseCopies {
  readonly #path: string;
  readonly #connections: Connections;

  constructor(path: string, connections: Connections) {
    this.#path = path;
    this.#connections = connections;
  }

  /** It is read on the connection that writes, so that this process's own commits do not change it. */
  version(): number {
    return Number(this.#connections.writer.prepare('PRAGMA data_version').get()!.data_version);
  }

  async take(folder: string): Promise<DatabaseCopy> {
    const path = join(folder, 'database-copy.db');
    await remove(path);
    const source = openReader(this.#path);
    try {
      await backup(source, path, { rate: allPages });
    } finally {
      source.close();
    }
    return openCopy(path);
  }
}

/** Opens a whole database of Cubby for reading. */
async function openCopy(path: string): Promise<DatabaseCopy> {
  const { size: sizeBytes } = await stat(path);
  const named = namedBlobsOf(path);
  return {
    sizeBytes,
    pieces: (chunkBytes) => createReadStream(path, { highWaterMark: chunkBytes }),
    named: named.page,
    async close() {
      named.close();
      await remove(path);
    },
  };
}

/** Lists the blobs that a database file names. The file keeps its bytes. */
export function namedBlobsOf(path: string): {
  page(afterBlobId: string, limit: number): Promise<NamedBlob[]>;
  close(): void;
} {
  const reader = openReader(path);
  const tables = openTables(new SqliteRows(() => reader), { now: 0, owner: '', onMarkedForDeletion: () => {} });
  return {
    page: (afterBlobId, limit) => tables.contents.named(afterBlobId, limit),
    close: () => reader.close(),
  };
}

/** Reads the bytes of small blobs from a database file. The file keeps its bytes. */
export function inlineBytesOf(path: string): {
  /** Returns undefined if the database has no such blob, or cannot be read. */
  find(contentId: string, blobId: string): Uint8Array | undefined;
  close(): void;
} {
  const reader = openReader(path);
  return {
    find(contentId, blobId) {
      try {
        const from = (name: string) => `SELECT inline FROM ${name} WHERE content_id = ?1 AND blob_id = ?2`;
        const sql = `${from('contents')} UNION ALL ${from('content_blobs')}`;
        const inline = reader.prepare(sql).get(contentId, blobId)?.inline;
        return inline instanceof Uint8Array ? inline : undefined;
      } catch {
        return undefined;
      }
    },
    close: () => reader.close(),
  };
}

async function remove(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(path + suffix, { force: true });
}
