import type { Rest, SqlValue, Table } from '#server/stores/tables/rows.ts';

/** Rows of one table: all that have these values. Where a scope is missing, a statement may concern any rows. */
export interface Scope {
  readonly table: string;
  readonly columns: readonly string[];
  readonly values: readonly SqlValue[];
}

/** The parts of a table that name its columns. */
interface Inserted extends Pick<Table<unknown>, 'name' | 'key'> {
  readonly columns: { readonly names: readonly string[] };
}

/** Returns the rows that a look-up can find; undefined if its statement does not say. */
export function scopeOfRead(
  { name, isPlain }: Pick<Table<unknown>, 'name' | 'isPlain'>,
  rest: Rest,
  values: readonly unknown[],
): Scope | undefined {
  if (typeof rest === 'string' || !isPlain) return undefined;
  return { table: name, columns: rest.columns, values: values as readonly SqlValue[] };
}

/** Returns the row that an INSERT adds. */
export function scopeOfInsert({ name, columns }: Inserted, row: readonly SqlValue[]): Scope {
  return { table: name, columns: columns.names, values: row };
}

/** Returns the row that takes the place of another one, which had the same key and perhaps other values. */
export function scopeOfPut({ name, columns, key }: Inserted, row: readonly SqlValue[]): Scope {
  return { table: name, columns: key, values: key.map((column) => row[columns.names.indexOf(column)]!) };
}

/** Returns whether a row may be in both. */
export function mayMeet(one: Scope | undefined, other: Scope | undefined): boolean {
  if (!one || !other) return true;
  if (one.table !== other.table) return false;
  return one.columns.every((column, at) => {
    const there = other.columns.indexOf(column);
    return there < 0 || maybeEqual(one.values[at]!, other.values[there]!);
  });
}

/** Values of other types are not compared. */
function maybeEqual(one: SqlValue, other: SqlValue): boolean {
  const isComparable = typeof one === typeof other && (typeof one === 'string' || typeof one === 'number');
  return !isComparable || one === other;
}
