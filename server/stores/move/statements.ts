import { keyOf, type MovedRow, type MovedTable, type RowChanges } from './rows.ts';

/** Names are quoted, because a column is called `offset`. */
export const quoted = (name: string) => `"${name}"`;
export const listOf = (names: readonly string[]) => names.map(quoted).join(', ');

export function select({ name, columns }: MovedTable): string {
  return `SELECT ${listOf(columns)} FROM ${quoted(name)}`;
}

export function conditions({ where }: MovedTable, ...others: ReadonlyArray<string | false>): string {
  const all = [where, ...others].filter(Boolean);
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
}

export function comparison({ key }: MovedTable, operator: '=' | '>' | '<='): string {
  return `(${listOf(key)}) ${operator} ${places(1, key.length)}`;
}

/** A condition for the rows with one of `count` keys. SQLite takes one only. */
export function isAmong(table: MovedTable, count: number): string {
  return count === 1 ? comparison(table, '=') : `(${listOf(table.key)}) IN (${places(count, table.key.length)})`;
}

/** Returns `(?, ?), (?, ?)` for two rows of two values. */
function places(rows: number, columns: number): string {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`;
  return Array.from({ length: rows }, () => row).join(', ');
}

/** Splits rows into parts of a few lengths, the last of which is 1. */
export function* inParts<T>(rows: readonly T[], lengths: readonly number[]): Generator<readonly T[]> {
  let at = 0;
  for (const length of lengths) for (; rows.length - at >= length; at += length) yield rows.slice(at, at + length);
}

/**
 * Returns the statements that write changes.
 *
 * @param removesFirst whether rows that are put are removed before
 * @param lengths how many rows a statement may have
 */
export function* writesOf(
  changes: readonly RowChanges[],
  removesFirst: boolean,
  lengths: readonly number[],
): Generator<readonly [sql: string, values: MovedRow]> {
  for (const { table, put, remove } of changes) {
    const gone = removesFirst ? [...remove, ...put.map((row) => keyOf(table, row))] : remove;
    for (const some of inParts(gone, lengths))
      yield [`DELETE FROM ${quoted(table.name)} WHERE ${isAmong(table, some.length)}`, some.flat()];
    for (const some of inParts(put, lengths)) yield [putOf(table, some.length), some.flat()];
  }
}

/** A row with another key and the same unique value is a conflict, so that no row is lost unnoticed. */
function putOf({ name, columns, key }: MovedTable, rows: number): string {
  const others = columns.filter((column) => !key.includes(column));
  const change = others.map((column) => `${quoted(column)} = excluded.${quoted(column)}`).join(', ');
  const onConflict = others.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${change}`;
  return (
    `INSERT INTO ${quoted(name)} (${listOf(columns)}) VALUES ${places(rows, columns.length)} ON CONFLICT ` +
    `(${listOf(key)}) ${onConflict}`
  );
}
