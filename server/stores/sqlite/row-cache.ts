import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers';

import { LRUCache } from 'lru-cache';

import { statement } from './connection.ts';

/** Room for the values, in bytes of their columns. */
const defaultMaxBytes = 32 * 1024 * 1024;

/** What an entry takes besides its columns: keys, objects and links of the cache. */
const entryBytes = 512;

/**
 * A cache of the rows that a read-only connection has read. Any later commit empties it. After a commit of this process
 * the store calls `expire()`. A commit of another process is noticed in the next turn of the event loop.
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
   * Returns the cached value of a key, or reads it. Callers share the value and must not change it.
   *
   * @param read must read in the same turn. It returns undefined for nothing, which is not kept
   */
  find<T>(key: string, read: () => { readonly value: T; readonly bytes: number } | undefined): T | undefined {
    if (!this.#isChecked) this.#check();
    const known = this.#entries.get(key);
    if (known) return known.value as T;
    const found = read();
    if (!found) {
      // Another process may have removed the row in this turn. The next look-up then must not return an older row that names it.
      this.expire();
      return undefined;
    }
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
