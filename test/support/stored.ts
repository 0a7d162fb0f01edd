import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import pg from 'pg';

export type StoredRow = Readonly<Record<string, number | string | Uint8Array | null>>;

/** Rows as SQL gives them. All reads through one of these see the same snapshot. */
export interface StoredRows {
  all(sql: string): Promise<StoredRow[]>;
  close(): Promise<void>;
}

/** Blobs as they lie in their store, past the server's own code. */
export interface StoredBlobs {
  /** The size of each blob by its name. Names of unfinished ones are among them. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  /** Returns the bytes, or `undefined` if there is no such blob. */
  read(id: string): Promise<Buffer | undefined>;
}

/** The blobs of files, for a FROM: the only one of a content is in the row of the content. */
export const blobsOfFiles = `(
  SELECT content_id, 0 AS position, blob_id, size_bytes, inline FROM contents WHERE blob_id IS NOT NULL
  UNION ALL SELECT content_id, position, blob_id, size_bytes, inline FROM content_blobs) AS blobs`;

/** Whether any value of any row holds the text. */
export function holdText(rows: readonly StoredRow[], text: string): boolean {
  return rows
    .flatMap((row) => Object.values(row))
    .some((value) => Buffer.from(value instanceof Uint8Array ? value : String(value)).includes(text));
}

/** Opens the SQLite database of a data folder for reading. Its server may run or be dead. */
export function sqliteRows(dataDir: string): StoredRows {
  const db = new DatabaseSync(join(dataDir, 'cubby.db'), { readOnly: true, timeout: 2_000 });
  db.exec('BEGIN');
  return {
    all: async (sql) => db.prepare(sql).all() as StoredRow[],
    close: async () => db.close(),
  };
}

/** Changes rows of a data folder's SQLite database. Returns how many. */
export async function changeSqlite(dataDir: string, sql: string): Promise<number> {
  const db = new DatabaseSync(join(dataDir, 'cubby.db'), { timeout: 2_000 });
  try {
    return Number(db.prepare(sql).run().changes);
  } finally {
    db.close();
  }
}

/** Changes rows of a PostgreSQL database. Returns how many. */
export async function changePostgres(url: string, sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** Opens a PostgreSQL database for reading. */
export async function postgresRows(url: string): Promise<StoredRows> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser: parserOf } as pg.CustomTypesConfig });
  await client.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  return {
    all: async (sql) => (await client.query(sql)).rows as StoredRow[],
    close: () => client.end(),
  };
}

/** `bigint` and `numeric`, which the driver returns as text, are numbers in these tests. */
function parserOf(type: number, format?: 'text' | 'binary'): unknown {
  const isNumber = type === pg.types.builtins.INT8 || type === pg.types.builtins.NUMERIC;
  return isNumber ? Number : pg.types.getTypeParser(type, format as 'text');
}

/** The files of a data folder. */
export function fileBlobs(dataDir: string): StoredBlobs {
  const folder = join(dataDir, 'blobs');
  const pathOf = (id: string) => join(folder, id.slice(0, 2), id);
  return {
    async sizes() {
      const names = readdirSync(folder).flatMap((shard) => readdirSync(join(folder, shard)));
      // A file may be removed while we look.
      const size = (name: string) => statSync(pathOf(name), { throwIfNoEntry: false })?.size ?? -1;
      return new Map(names.map((name) => [name, size(name)]));
    },
    read: async (id) => (existsSync(pathOf(id)) ? readFileSync(pathOf(id)) : undefined),
  };
}
