import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { migrate } from '#server/stores/sqlite/migrations.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { openPostgres } from './open-postgres.ts';

type Schema = Record<string, Record<string, string>>;

/** Returns the columns of each table, with their types in SQLite's words, and whether they may be null. */
function sqliteSchema(): Schema {
  using db = new DatabaseSync(':memory:');
  migrate(db);
  const columns = db
    .prepare(
      `SELECT tables.name AS place, columns.name, columns.type, columns."notnull" OR columns.pk > 0 AS required
       FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`,
    )
    .all() as Array<{ place: string; name: string; type: string; required: number }>;
  return schemaOf(columns.map(({ place, name, type, required }) => [place, name, type, required]));
}

const types: Readonly<Record<string, string>> = {
  bigint: 'INTEGER',
  integer: 'INTEGER',
  smallint: 'INTEGER',
  text: 'TEXT',
  bytea: 'BLOB',
};

function schemaOf(columns: ReadonlyArray<readonly [string, string, string, number]>): Schema {
  const schema: Schema = {};
  for (const [place, name, type, required] of columns)
    (schema[place] ??= {})[name] = `${types[type] ?? type}${required === 1 ? '' : ' or null'}`;
  return schema;
}

/** Tables for what one process over SQLite has in its memory. */
const onlyPostgres = [
  'account_leases',
  'chat_installation',
  'chat_key_leases',
  'chat_leases',
  'job_leases',
  'password_tries',
  'rates',
  'replicas',
  'slots',
];

describe.skipIf(noPostgres())(`the tables of both engines${because(noPostgres())}`, () => {
  it('have the same columns of the same types', async () => {
    const { pool } = await openPostgres();
    const { rows } = await pool.query<readonly [string, string, string, number]>(
      `SELECT table_name, column_name, data_type, is_nullable = 'NO' FROM information_schema.columns
       WHERE table_schema = 'public'`,
    );
    const found = schemaOf(rows);
    expect(Object.keys(found)).toEqual(expect.arrayContaining(onlyPostgres));
    for (const table of onlyPostgres) delete found[table];
    // Only one server uses a database of SQLite.
    delete found.schema_migrations!.oldest_server;
    expect(found).toEqual(sqliteSchema());
  });

  it('compare keys by their bytes', async () => {
    const { pool } = await openPostgres();
    const { rows } = await pool.query<readonly [string]>(
      `SELECT DISTINCT tables.relname || '.' || columns.attname
       FROM pg_index AS indexes
         JOIN pg_class AS tables ON tables.oid = indexes.indrelid
         JOIN pg_attribute AS columns ON columns.attrelid = tables.oid AND columns.attnum = ANY (indexes.indkey)
         JOIN pg_collation AS collations ON collations.oid = columns.attcollation
       WHERE tables.relnamespace = 'public'::regnamespace AND collations.collname <> 'C'`,
    );
    expect(rows).toEqual([]);
  });

  it('have an index for every query that SQLite has one for', async () => {
    const { pool } = await openPostgres();
    const { rows } = await pool.query<readonly [string]>(
      "SELECT indexname FROM pg_indexes WHERE schemaname = 'public' AND indexname NOT LIKE '%\\_pkey'",
    );
    using db = new DatabaseSync(':memory:');
    migrate(db);
    const inSqlite = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND name NOT LIKE 'sqlite_%'")
      .all()
      .map(({ name }) => String(name));
    expect(inSqlite.filter((name) => !rows.some(([one]) => one === name))).toEqual([]);
  });
});
