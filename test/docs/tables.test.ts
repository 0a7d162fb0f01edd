import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { expect, it } from 'vitest';

import { migrate } from '#server/stores/sqlite/migrations.ts';
import { schemaOfFiles, type SchemaPart } from './schema-tables.ts';
import { tablesPicture } from './tables-picture.ts';

const docs = join(import.meta.dirname, '../../docs');

/** The page is made of the comments of the schema. `npx vitest run test/docs/tables.test.ts -u` writes it anew. */
function page(parts: readonly SchemaPart[]): string {
  const sections = parts.map(({ name, words, tables }) => {
    const described = tables.map(
      (table) =>
        `### ${table.name}\n\n${table.words}${table.isShared ? ' Only over PostgreSQL.' : ''}\n\n` +
        '| column | meaning |\n|---|---|\n' +
        table.columns.map((column) => `| \`${column.name}\` | ${meaning(column)} |\n`).join(''),
    );
    const title = `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
    return `## ${title}\n\n${words}\n\n${described.join('\n')}`;
  });
  return `# Tables

What Cubby keeps in its database, for people who look into it. The tables are the same over SQLite and over PostgreSQL.
Instants are milliseconds since 1970, sizes are bytes, and flags are 0 and 1. Change rows
only through Cubby: many of them depend on others.

![The tables and their relations](diagrams/tables.svg)

Each box is a part of the schema. An arrow leads to the table that rows refer to. A dot stands for a reference to
\`accounts\`. **Key** marks the columns of the primary key.

${sections.join('\n')}`;
}

function meaning({ isKey, refersTo, words }: SchemaPart['tables'][number]['columns'][number]): string {
  const text = words.replaceAll(/[<>{}|]/g, (sign) => `\\${sign}`);
  return `${isKey ? '**Key.** ' : ''}${text}${refersTo ? ` → [${refersTo}](#${refersTo})` : ''}`;
}

it('docs/tables.md and its picture show the schema', async () => {
  const parts = schemaOfFiles();
  await expect(page(parts)).toMatchFileSnapshot(join(docs, 'tables.md'));
  await expect(tablesPicture(parts)).toMatchFileSnapshot(join(docs, 'diagrams/tables.svg'));
});

it('the comments of the schema are about all tables and columns of a database', () => {
  using db = new DatabaseSync(':memory:');
  migrate(db);
  const columns = db
    .prepare(
      `SELECT tables.name || '.' || columns.name AS name
       FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' AND tables.name <> 'schema_migrations'
       ORDER BY 1`,
    )
    .all()
    .map(({ name }) => String(name));
  const described = schemaOfFiles().flatMap(({ tables }) =>
    tables
      .filter(({ isShared }) => !isShared)
      .flatMap(({ name, columns: own }) => own.map((one) => `${name}.${one.name}`)),
  );
  expect(described.toSorted()).toEqual(columns);
});
