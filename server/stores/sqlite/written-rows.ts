import type { SqlValue, Values } from '#server/stores/tables/rows.ts';

/** Where a statement has the value of a column: the index of a `?`, or a name. */
type Place = number | string;

/** The rows of a table that a statement can write: before it and after it, they have its values in these columns. */
export interface WrittenRows {
  readonly table: string;
  /** By column. */
  readonly places: ReadonlyMap<string, Place>;
}

/**
 * Reads from an INSERT, UPDATE or DELETE which rows it can write. Returns undefined if its text does not say so plainly:
 * it may write any row then.
 */
export function writtenRows(sql: string): WrittenRows | undefined {
  const text = sql
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ RETURNING .*$/, '');
  // A `?` in a text would be counted as a place, an OR would let in other rows, and in (a, b) = (?, ?) no column is read.
  if (/'| OR |\) = /.test(text)) return undefined;
  // SQLite goes on counting from the largest number.
  if (/\?\d/.test(text) && /\?(?!\d)/.test(text)) return undefined;
  return inserted(text) ?? selected(text);
}

/** Returns the values of columns in a call of the statement. Undefined if it does not compare all of them. */
export function valuesIn(
  { places }: WrittenRows,
  columns: readonly string[],
  values: Values,
): readonly SqlValue[] | undefined {
  if (!columns.every((column) => places.has(column))) return undefined;
  const [first] = values;
  const isNamed = typeof first === 'object' && first !== null && !ArrayBuffer.isView(first);
  const given = isNamed ? first : (values as SqlValue[]);
  return columns.map((column) => given[places.get(column) as keyof typeof given] as SqlValue);
}

function inserted(text: string): WrittenRows | undefined {
  const [, table, names, places, rest] = /^INSERT INTO (\w+) \(([\w, ]+)\) VALUES \(([^()]*)\)(.*)$/.exec(text) ?? [];
  if (table === undefined) return undefined;
  // A row that is in the way keeps its key, and may have had other values in the other columns.
  const [, key, assignments = ''] =
    /^ ON CONFLICT \(([\w, ]+)\) DO UPDATE SET ((?:(?! ON CONFLICT ).)*)$/.exec(rest!) ?? [];
  const isPlain = rest === '' || key !== undefined || /^ ON CONFLICT( \([\w, ]+\))? DO NOTHING$/.test(rest!);
  if (!isPlain) return undefined;
  const listed = places!.split(', ');
  const columns = names!
    .split(', ')
    .map((name, at) => [name, placeOf(listed[at]!, listed.slice(0, at).join())] as const)
    .filter(([name]) => key === undefined || key.split(', ').includes(name));
  return written(table, columns, assignments);
}

function selected(text: string): WrittenRows | undefined {
  const [, updated, assignments = '', deleted, conditions] =
    /^(?:UPDATE (\w+) SET (.+)|DELETE FROM (\w+)) WHERE (.+)$/.exec(text) ?? [];
  const table = updated ?? deleted;
  // With another SELECT the last WHERE may not be that of the statement.
  if (table === undefined || /\b(SELECT|FROM)\b/.test(text.replace(/^DELETE FROM/, ''))) return undefined;
  // What stands in parentheses may be negated.
  const [plain] = conditions!.split('(') as [string];
  let before = assignments;
  const columns = plain.split(' AND ').map((condition) => {
    const [, name, value] = /^(\w+) = (\?\d*|:\w+)$/.exec(condition) ?? [];
    const place = value === undefined ? undefined : placeOf(value, before);
    before += condition;
    return [name ?? '', place] as const;
  });
  return written(table, columns, assignments);
}

/** A column that is assigned has another value before or after. */
function written(
  table: string,
  columns: ReadonlyArray<readonly [string, Place | undefined]>,
  assignments: string,
): WrittenRows | undefined {
  const assigned = new Set(Array.from(assignments.matchAll(/(?:^|, )(\w+) =/g), ([, name]) => name));
  const known = columns.filter(
    (column): column is readonly [string, Place] => column[1] !== undefined && !assigned.has(column[0]),
  );
  return known.length === 0 ? undefined : { table, places: new Map(known) };
}

/** Returns the place of a value: `?`, `?2` or `:name`; undefined if it is something else. */
function placeOf(value: string, before: string): Place | undefined {
  if (value === '?') return before.split('?').length - 1;
  if (/^\?\d+$/.test(value)) return Number(value.slice(1)) - 1;
  return value.startsWith(':') ? value.slice(1) : undefined;
}
