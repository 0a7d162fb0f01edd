import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers';

import { LRUCache } from 'lru-cache';

import { textOf, type Rest, type SqlValue, type Values } from '#server/stores/tables/rows.ts';
import { changedAnew, statement, type Changes } from './connection.ts';
import { valuesIn, type WrittenRows } from './written-rows.ts';

/** Space for the values, in bytes of their columns. */
const defaultMaxBytes = 32 * 1024 * 1024;

/** What an entry takes besides its columns: keys, objects and links of the cache. */
const entryBytes = 512;

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
  /** How often all entries of its kind had become stale when it was read. */
  readonly changes: number;
}

/** Look-ups in one table that differ only in their values. */
interface Kind {
  /** The columns that the values are compared with. Undefined if the text does not say so plainly. */
  readonly columns: readonly string[] | undefined;
  /** How often all entries have become stale. Those with another number are out of date. */
  changes: number;
}

/** One look-up. */
interface LookUp {
  /** The only table that is read. */
  readonly table: string;
  readonly rest: Rest;
  readonly values: readonly SqlValue[];
}

/** Rows that a statement under way can change. */
interface ChangingRows {
  readonly rows: WrittenRows;
  readonly values: Values;
}

/** A transaction that changes more rows than this makes all of their tables' entries stale. */
const maxChangingRows = 1000;

/**
 * A cache of the rows that a read-only connection has read. After a commit of this process the store calls
 * `committed()`, which drops the changed rows, or all rows of a table if a statement does not say which it changes. A
 * commit of another process empties the cache, from the next turn of the event loop on.
 */
export class RowCache {
  readonly #db: () => DatabaseSync;
  readonly #entries: LRUCache<string, Entry>;
  /** By table and text. */
  readonly #kinds = new Map<string, Map<string, Kind>>();
  /** The tables of which the transaction under way changes any rows. */
  readonly #changing = new Set<string>();
  /** The single rows that it changes. */
  readonly #changingRows: ChangingRows[] = [];
  #version: unknown;
  /** Whether the version was read in this turn of the event loop. */
  #isChecked = false;

  /**
   * @param db a connection. Commits of all other connections empty the cache, so this is the one whose commits are
   *   reported by `committed()`
   */
  constructor(db: () => DatabaseSync, maxBytes = defaultMaxBytes) {
    this.#db = db;
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  }

  /**
   * Returns the cached value of a look-up, or reads it. Callers share the value and must not change it.
   *
   * @param read must read in the same turn. It returns undefined for nothing, which is not kept
   */
  find<T>(
    { table, rest, values }: LookUp,
    read: () => { readonly value: T; readonly bytes: number } | undefined,
  ): T | undefined {
    if (!this.#isChecked) this.#check();
    const { changes } = this.#kindOf(table, rest);
    const key = keyOf(table, textOf(rest), values);
    const known = this.#entries.get(key);
    if (known?.changes === changes) return known.value as T;
    const found = read();
    if (!found) {
      // Another process may have removed the row in this turn. The next look-up then must not return an older row that
      // names it.
      this.expire();
      return undefined;
    }
    this.#entries.set(key, { value: found.value, bytes: entryBytes + 2 * key.length + found.bytes, changes });
    return found.value;
  }

  /** Makes the next `find()` see every commit of other connections before this call. */
  expire(): void {
    this.#isChecked = false;
  }

  /** Notes what a statement of a transaction changes. Its changes are not seen before `committed()`. */
  changing({ tables, rows }: Changes, values: Values): void {
    for (const table of tables) this.#changing.add(table);
    if (!rows) return;
    if (this.#changingRows.length < maxChangingRows) this.#changingRows.push({ rows, values });
    else this.#changing.add(rows.table);
  }

  /** Drops what has changed. Call it in the same turn as the commit, before anybody reads. */
  committed(): void {
    for (const table of [...changedAnew(this.#db()), ...this.#changing])
      for (const kind of this.#kinds.get(table)?.values() ?? []) kind.changes++;
    for (const { rows, values } of this.#changingRows) this.#dropRows(rows, values);
    this.#changing.clear();
    this.#changingRows.length = 0;
  }

  #dropRows(rows: WrittenRows, values: Values): void {
    for (const [text, kind] of this.#kinds.get(rows.table) ?? []) {
      const written = kind.columns && valuesIn(rows, kind.columns, values);
      if (written) this.#entries.delete(keyOf(rows.table, text, written));
      else kind.changes++;
    }
  }

  #kindOf(table: string, rest: Rest): Kind {
    let ofTable = this.#kinds.get(table);
    if (ofTable === undefined) this.#kinds.set(table, (ofTable = new Map()));
    const text = textOf(rest);
    let kind = ofTable.get(text);
    if (kind === undefined)
      ofTable.set(text, (kind = { columns: typeof rest === 'string' ? undefined : rest.columns, changes: 0 }));
    return kind;
  }

  #check(): void {
    // SQLite changes this number when another connection has committed, also one of another process.
    const [version] = statement(this.#db(), 'PRAGMA data_version').get() as unknown as [number];
    if (version !== this.#version) this.#entries.clear();
    this.#version = version;
    this.#isChecked = true;
    setImmediate(() => (this.#isChecked = false));
  }
}

/** Each value comes with its length, so that no two lists of values have the same key. */
function keyOf(table: string, text: string, values: readonly SqlValue[]): string {
  let key = `${table} ${text}`;
  for (const value of values) {
    const part = ArrayBuffer.isView(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
      : String(value);
    key += ` ${part.length}:${part}`;
  }
  return key;
}
