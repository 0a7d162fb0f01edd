import { expect } from 'vitest';

import { isBlobId } from '#server/domain/blob-id.ts';
import { blobsOfFiles, type StoredBlobs, type StoredRow, type StoredRows } from '#test/support/stored.ts';

/** Tables and columns of running processes. What they hold is given back by the move. */
const ofProcesses = new Set([
  'account_leases',
  'blob_holds',
  'chat_installation',
  'chat_key_leases',
  'chat_leases',
  'reserved_token_uses',
  'job_leases',
  'password_tries',
  'rates',
  'replicas',
  'reservations',
  'schema_migrations',
  'slots',
]);

const tablesOfSqlite = "SELECT name FROM sqlite_schema WHERE type = 'table'";
const tablesOfPostgres = "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'";

/** A database, and whether it is PostgreSQL. */
export interface Side {
  readonly rows: StoredRows;
  readonly isPostgres?: boolean;
}

async function tablesOf({ rows, isPostgres = false }: Side): Promise<string[]> {
  const names = (await rows.all(isPostgres ? tablesOfPostgres : tablesOfSqlite)).map(({ name }) => String(name));
  return names.filter((name) => !/^(sqlite_|store_move)/.test(name) && !ofProcesses.has(name)).sort();
}

/** Compares all rows of two databases past the product's own code. Returns how many there are. */
export async function expectSameRows(source: Side, target: Side): Promise<number> {
  const tables = await tablesOf(source);
  expect(await tablesOf(target)).toEqual(tables);
  const held = await heldBytes(source);
  let count = 0;
  for (const table of tables) {
    const [ours, theirs] = await Promise.all([source, target].map(({ rows }) => rows.all(`SELECT * FROM ${table}`)));
    const expected = ours!
      .map((row) => (table === 'accounts' ? givenBack(row, held) : row))
      .map(comparable)
      .sort();
    expect(theirs!.map(comparable).sort(), table).toEqual(expected);
    count += expected.length;
  }
  return count;
}

/** Returns what uploads under way hold of each account's quota. */
async function heldBytes({ rows }: Side): Promise<Map<string, { readonly size: number; readonly flowing: number }>> {
  const sums = await rows.all(
    'SELECT account_id, sum(size_bytes) AS size, sum(flowing_bytes) AS flowing FROM reservations GROUP BY account_id',
  );
  return new Map(sums.map((row) => [String(row.account_id), { size: Number(row.size), flowing: Number(row.flowing) }]));
}

function givenBack(row: StoredRow, held: Awaited<ReturnType<typeof heldBytes>>): StoredRow {
  const { size, flowing } = held.get(String(row.account_id)) ?? { size: 0, flowing: 0 };
  return {
    ...row,
    reserved_bytes: Number(row.reserved_bytes) - size,
    flowing_bytes: Number(row.flowing_bytes) - flowing,
  };
}

function comparable(row: StoredRow): string {
  const columns = Object.keys(row).sort();
  return JSON.stringify(
    columns.map((name) => [name, row[name] instanceof Uint8Array ? Buffer.from(row[name]).toString('hex') : row[name]]),
  );
}

/** Checks that every blob that rows name is in both places with the same bytes, and that the target has no other. */
export async function expectSameBlobs(rows: StoredRows, source: StoredBlobs, target: StoredBlobs): Promise<number> {
  const named = await rows.all(
    `SELECT blob_id FROM ${blobsOfFiles} WHERE inline IS NULL
     UNION SELECT blob_id FROM chunked_parts WHERE inline IS NULL`,
  );
  const ids = named.map(({ blob_id: id }) => String(id)).sort();
  for (const id of ids) {
    const [ours, theirs] = [await source.read(id), await target.read(id)];
    expect(ours && theirs && ours.equals(theirs), id).toBe(true);
  }
  const doomed = new Set((await rows.all('SELECT blob_id FROM marked_blobs')).map(({ blob_id: id }) => String(id)));
  const known = [...(await target.sizes()).keys()].filter((id) => isBlobId(id) && !doomed.has(id));
  expect(known.sort().filter((id) => !ids.includes(id))).toEqual([]);
  return ids.length;
}
