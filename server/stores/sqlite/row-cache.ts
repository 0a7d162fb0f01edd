import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers';

import { LRUCache } from 'lru-cache';

import { changedAnew, statement } from './connection.ts';

/** Space for the values, in bytes of their columns. */
const defaultMaxBytes = 32 * 1024 * 1024;

/** What an entry takes besides its columns: keys, objects and links of the cache. */
const entryBytes = 512;

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
  /** How often its table had changed when it was read. */
  readonly changes: number;
}

/**
 * A cache of the rows that a read-only connection has read. After a commit of this process the store calls
 * `committed()`, which drops the rows of the changed tables. A commit of another process empties the cache, from the
 * next turn of the event loop on.
 */
export class RowCache {
  readonly #db: () => DatabaseSync;
  readonly #entries: LRUCache<string, Entry>;
  /** How often each table has changed. An entry with another number is out of date. */
  readonly #changes = new Map<string, number>();
  /** The tables that the transaction under way changes, as a set for each statement. */
  readonly #changing = new Set<ReadonlySet<string>>();
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
   * Returns the cached value of a key, or reads it. Callers share the value and must not change it.
   *
   * @param table the only table that the value is read from
   * @param read must read in the same turn. It returns undefined for nothing, which is not kept
   */
  find<T>(
    table: string,
    key: string,
    read: () => { readonly value: T; readonly bytes: number } | undefined,
  ): T | undefined {
    if (!this.#isChecked) this.#check();
    const changes = this.#changes.get(table) ?? 0;
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

  /** Notes that a transaction changes these tables. Its changes are not seen before `committed()`. */
  changing(tables: ReadonlySet<string>): void {
    this.#changing.add(tables);
  }

  /** Drops the rows of the changed tables. Call it in the same turn as the commit, before anybody reads. */
  committed(): void {
    for (const tables of [changedAnew(this.#db()), ...this.#changing])
      for (const table of tables) this.#changes.set(table, (this.#changes.get(table) ?? 0) + 1);
    this.#changing.clear();
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
