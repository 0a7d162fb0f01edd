import { readFileSync } from 'node:fs';

import { schemaParts } from '#server/stores/tables/schema-parts.ts';

/** A part of the schema, as its file describes it. */
export interface SchemaPart {
  readonly name: string;
  readonly words: string;
  readonly tables: readonly SchemaTable[];
}

export interface SchemaTable {
  readonly name: string;
  readonly words: string;
  readonly columns: readonly SchemaColumn[];
  /** Whether only PostgreSQL has it: a single server keeps such rows in its memory. */
  readonly isShared: boolean;
}

export interface SchemaColumn {
  readonly name: string;
  readonly words: string;
  readonly isKey: boolean;
  /** The table that it refers to. */
  readonly refersTo: string | undefined;
}

/** Reads the parts of PostgreSQL, which has all tables of SQLite and more. Throws if something has no comment. */
export function schemaOfFiles(): SchemaPart[] {
  const inSqlite = new Set(schemaParts('sqlite').flatMap((part) => tablesIn(textOf(part)).map(([table]) => table)));
  return schemaParts('postgres').map((part) => {
    const text = textOf(part);
    const tables = tablesIn(text).map(([table, words, body]) => ({
      name: table,
      words,
      columns: columnsIn(table, body),
      isShared: !inSqlite.has(table),
    }));
    return { name: part.name, words: joined(/^(?:-- .*\n)+/.exec(text)![0]), tables };
  });
}

function textOf({ file }: { readonly file: URL }): string {
  return readFileSync(file, 'utf8');
}

const joined = (comment: string): string =>
  comment
    .replaceAll(/^ *-- /gm, '')
    .trim()
    .replaceAll('\n', ' ');

function tablesIn(text: string): ReadonlyArray<readonly [name: string, words: string, body: string]> {
  const form = /((?:^-- .*\n)*)^CREATE (?:UNLOGGED )?TABLE (\w+) \(\n([^]*?)^\)/gm;
  return [...text.matchAll(form)].map(([, words, name, body]) => {
    if (words === '') throw new Error(`The table ${name} has no comment.`);
    return [name!, joined(words!), body!];
  });
}

function columnsIn(table: string, body: string): SchemaColumn[] {
  const keys = /^ {2}PRIMARY KEY \((.*?)\)/m.exec(body)?.[1]!.split(', ') ?? [];
  const columns = body.matchAll(/((?:^ {2}-- .*\n)*)^ {2}"?([a-z]\w*)"? (.*?),?(?: +-- (.*))?$/gm);
  return [...columns].map(([, above, name, definition, behind]) => {
    const words = behind ?? joined(above!);
    if (words === '') throw new Error(`The column ${table}.${name} has no comment.`);
    return {
      name: name!,
      words,
      isKey: keys.includes(name!) || definition!.includes('PRIMARY KEY'),
      refersTo: /REFERENCES (\w+)/.exec(definition!)?.[1],
    };
  });
}
