import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers';

import { LRUCache } from 'lru-cache';

import { statement } from './connection.ts';

/** Room for the values, in bytes of their columns. */
const defaultMaxBytes = 32 * 1024 * 1024;

/** What an entry takes besides its columns: keys, objects and links of the cache. */
const entryBytes = 512;

/**
 * A cache of rows that a connection has read, which only reads. All of them are of one state of the database: any later
 * commit empties it. After a commit of this process `expire()` is called, in the same turn of the event loop. Commits of
 * other processes are noticed from the next turn on.
 */
export class RowCache {
  readonly #db: () => DatabaseSync;
  readonly #entries: LRUCache<string, { readonly value: unknown; readonly bytes: number }>;
  #version: unknown;
  /** Whether the version was read in this turn of the event loop. */
  #isChecked = false;

  constructor(db: () => DatabaseSync, maxBytes = defaultMaxBytes) {
    this.#db = db;
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  }

  /**
   * Returns what `read` returned for the same key, or calls it. What it returns is shared, so nobody may change it.
   *
   * @param read must read in the same turn. It returns undefined for nothing, which is not kept
   */
  find<T>(key: string, read: () => { readonly value: T; readonly bytes: number } | undefined): T | undefined {
    if (!this.#isChecked) this.#check();
    const known = this.#entries.get(key);
    if (known) return known.value as T;
    const found = read();
    if (!found) return undefined;
    this.#entries.set(key, { value: found.value, bytes: entryBytes + 2 * key.length + found.bytes });
    return found.value;
  }

  /** Makes the next `find()` see every commit before this call. */
  expire(): void {
    this.#isChecked = false;
  }

  #check(): void {
    // SQLite changes this number when another connection has committed, also one of another process. The writer of this
    // process is another connection.
    const [version] = statement(this.#db(), 'PRAGMA data_version').get() as unknown as [number];
    if (version !== this.#version) this.#entries.clear();
    this.#version = version;
    this.#isChecked = true;
    setImmediate(() => (this.#isChecked = false));
  }
}
