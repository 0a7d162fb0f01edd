import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import pg from 'pg';

import { postgresDialect, sqliteDialect, type Dialect } from './size-rows.ts';

/** A table or an index, and the bytes that it takes. */
interface Part {
  readonly name: string;
  readonly table: string;
  readonly bytes: number;
}

/** What an account has had so far. */
interface Counts {
  readonly entries: number;
  readonly events: number;
}

/** The rows of an installation, past the server's code. No server runs meanwhile. */
export interface RowsBelow {
  readonly dialect: Dialect;
  run(sql: string): Promise<void>;
  /** Begins to fill: indexes that can be built afterwards are dropped, and nothing is checked. */
  begin(): Promise<void>;
  /** Builds the indexes, and lets the planner count. */
  end(): Promise<void>;
  parts(): Promise<readonly Part[]>;
  /** Returns how many entries of activity and events each account has had. */
  counts(): Promise<ReadonlyMap<string, Counts>>;
  close(): Promise<void>;
}

const filled = ['contents', 'objects', 'activity', 'events'];
const names = filled.map((name) => `'${name}'`).join(', ');

const countsQuery = 'SELECT account_id AS id, activity_count AS entries, event_count AS events FROM accounts';

function countsIn(rows: ReadonlyArray<Readonly<Record<string, unknown>>>): ReadonlyMap<string, Counts> {
  return new Map(
    rows.map(({ id, entries, events }) => [String(id), { entries: Number(entries), events: Number(events) }]),
  );
}

export function sqliteBelow(dataDir: string): RowsBelow {
  const db = new DatabaseSync(join(dataDir, 'cubby.db'));
  db.exec(
    'PRAGMA cache_size = -2000000; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA journal_mode = MEMORY',
  );
  let indexes: string[] = [];
  return {
    dialect: sqliteDialect,
    run: async (sql) => db.exec(sql),
    async begin() {
      const found = db
        .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL AND tbl_name IN (${names})`)
        .all();
      indexes = found.map(({ sql }) => String(sql));
      for (const { name } of found) db.exec(`DROP INDEX ${String(name)}`);
    },
    async end() {
      for (const sql of indexes) db.exec(sql);
    },
    async parts() {
      const rows = db
        .prepare(
          `SELECT dbstat.name, tbl_name AS "table", pgsize AS bytes FROM dbstat JOIN sqlite_schema USING (name)
           WHERE aggregate = TRUE AND tbl_name IN (${names}) ORDER BY tbl_name, type DESC, dbstat.name`,
        )
        .all();
      return rows.map(({ name, table, bytes }) => ({
        name: String(name),
        table: String(table),
        bytes: Number(bytes),
      }));
    },
    counts: async () => countsIn(db.prepare(countsQuery).all()),
    close: async () => db.close(),
  };
}

export async function postgresBelow(url: string): Promise<RowsBelow> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET session_replication_role = replica; SET maintenance_work_mem = '512MB'");
  let indexes: string[] = [];
  return {
    dialect: postgresDialect,
    run: async (sql) => void (await client.query(sql)),
    async begin() {
      const { rows } = await client.query<{ name: string; sql: string }>(
        `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS sql FROM pg_index
         WHERE NOT indisprimary AND NOT indisunique AND indrelid::regclass::text IN (${names})`,
      );
      indexes = rows.map(({ sql }) => sql);
      for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
    },
    async end() {
      for (const sql of indexes) await client.query(sql);
      await client.query('VACUUM ANALYZE');
    },
    async parts() {
      const { rows } = await client.query<{ name: string; table: string; bytes: string }>(
        `SELECT oid::regclass::text AS name, coalesce(indrelid, oid)::regclass::text AS "table",
           pg_table_size(oid) AS bytes
         FROM pg_class LEFT JOIN pg_index ON indexrelid = oid
         WHERE coalesce(indrelid, oid)::regclass::text IN (${names}) ORDER BY 2, relkind DESC, 1`,
      );
      return rows.map(({ name, table, bytes }) => ({ name, table, bytes: Number(bytes) }));
    },
    counts: async () => countsIn((await client.query(countsQuery)).rows),
    close: () => client.end(),
  };
}
