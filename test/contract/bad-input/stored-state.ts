import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';

import { expect } from 'vitest';

import type { TestServer } from '#test/support/server.ts';

/** What tells at once, when an answer is there, whether something was stored: rows, usage, quota held. */
const settled = ['accounts', 'objects', 'contents', 'content_blobs', 'reservations', 'activity', 'rules', 'upload_tokens', 'chunked_uploads', 'chunked_parts', 'device_requests', 'sessions', 'shares', 'share_downloads'] as const;

type Dump = Readonly<Record<(typeof settled)[number] | 'doomed_blobs' | 'files', unknown>>;

/** Looks at a server's data folder from outside: past its code, at its rows and files. */
export class StoredState {
  readonly #db: DatabaseSync;
  readonly #blobs: string;

  constructor({ dataDir }: TestServer) {
    this.#db = new DatabaseSync(join(dataDir, 'cubby.db'), { readOnly: true });
    this.#blobs = join(dataDir, 'blobs');
  }

  close(): void {
    this.#db.close();
  }

  async dump(): Promise<Dump> {
    const rows = (table: string) => this.#db.prepare(`SELECT * FROM ${table}`).all();
    const tables = Object.fromEntries(settled.map((table) => [table, rows(table)])) as Record<(typeof settled)[number], unknown>;
    // Before the files: where no blob is doomed, all that have been are gone by then.
    const doomed = rows('doomed_blobs');
    const entries = await readdir(this.#blobs, { recursive: true, withFileTypes: true });
    return {
      ...tables,
      doomed_blobs: doomed,
      files: entries.filter((entry) => entry.isFile()).map(({ name }) => name).toSorted(),
    };
  }

  /**
   * Runs `act` and proves that it stored and changed nothing: rows are as they were when it is answered; the bytes of a
   * refused file are gone soon after.
   */
  async unchangedBy<T>(act: () => Promise<T>): Promise<T> {
    const before = await this.#settledDump();
    const result = await act();
    const after = await this.dump();
    if (JSON.stringify(after) === JSON.stringify(before)) return result;
    for (const table of settled) expect(after[table], `${table} changed`).toEqual(before[table]);
    await this.#returnsTo(before);
    return result;
  }

  /** The same for a client that goes away, which gets no answer to wait for. */
  async soonUnchangedBy(act: () => Promise<void>): Promise<void> {
    const before = await this.#settledDump();
    await act();
    await this.#returnsTo(before);
  }

  /** Once the bytes of what was replaced or deleted before are gone. */
  async #settledDump(): Promise<Dump> {
    let dump = await this.dump();
    while ((dump.doomed_blobs as unknown[]).length > 0) {
      await setTimeout(5);
      dump = await this.dump();
    }
    return dump;
  }

  #returnsTo(before: Dump): Promise<void> {
    return expect.poll(() => this.dump(), { timeout: 5000, interval: 5 }).toEqual(before);
  }
}
