import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { expect } from 'vitest';

import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import type { TestServer } from '#test/support/server.ts';
import { blobsOfFiles } from '#test/support/stored.ts';

/** Values that show, right after a response, whether anything was stored: rows, usage, reserved quota. */
const ofOthers = [
  'accounts',
  'api_keys',
  'objects',
  'trash',
  'folder_jobs',
  'contents',
  'content_blobs',
  'reservations',
  'activity',
  'events',
  'webhooks',
  'rules',
  'image_presets',
  'upload_tokens',
  'chunked_uploads',
  'chunked_parts',
  'device_requests',
  'sessions',
  'shares',
  'share_files',
  'share_downloads',
  'chat_days',
  'chat_reached_budgets',
  'chat_installation_days',
  'apps',
] as const;

const ofFeatures = await partsOfFeatures('settled-tables');
const settled = [...ofOthers, ...ofFeatures.flatMap(({ settledTables = [] }) => settledTables)];

/** Columns that background work writes, at any time. Requests that are refused do not. */
const ofBackground: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['last_used_at'],
  // What the last delivery left.
  webhooks: ['failures', 'failing_since', 'paused_until', 'last_success_at', 'last_error'],
};

const tables = [...settled, 'marked_blobs'];

type Known = (typeof ofOthers)[number] | 'marked_blobs';
type Rows = Readonly<Record<Known, readonly unknown[]>> & Readonly<Record<string, readonly unknown[]>>;
type Dump = Rows & { readonly files: readonly string[] };

/** Reads a server's data folder from outside: its rows and files, without its code. */
export class StoredState {
  readonly #db: DatabaseSync;
  readonly #blobs: string;
  readonly #readsFiles: boolean;
  /** The last result, and the state of the database at that time. */
  #read: { readonly version: unknown; readonly rows: Rows } | undefined;

  /** @param readsFiles lists the files of the 256 blob folders each time, which only tests that send files need. */
  constructor({ dataDir }: TestServer, { readsFiles = true }: { readonly readsFiles?: boolean } = {}) {
    this.#db = new DatabaseSync(join(dataDir, 'cubby.db'), { readOnly: true });
    this.#blobs = join(dataDir, 'blobs');
    this.#readsFiles = readsFiles;
  }

  close(): void {
    this.#db.close();
  }

  async dump(): Promise<Dump> {
    // Read before the files: if no blob is marked for removal, all marked ones are gone by then.
    const rows = this.#rows();
    return { ...rows, files: this.#readsFiles ? await this.#files() : [] };
  }

  /**
   * Waits until each file is named by a row, and each named file exists. Also for hooks, which have no `expect.poll`.
   */
  async expectNoStrayFiles(): Promise<void> {
    const differences = async () => {
      const [files, named] = [new Set(await this.#files()), this.#namedFiles()];
      return [...new Set([...files, ...named])].filter((name) => !files.has(name) || !named.has(name));
    };
    for (let tries = 0; tries < 1000 && (await differences()).length > 0; tries++) await setTimeout(10);
    expect(await differences(), 'files without a row, or rows without their file').toEqual([]);
  }

  #namedFiles(): Set<string> {
    const ofParts = 'SELECT blob_id FROM chunked_parts WHERE inline IS NULL';
    const rows = this.#db.prepare(`SELECT blob_id FROM ${blobsOfFiles} WHERE inline IS NULL UNION ${ofParts}`).all();
    return new Set(rows.map((row) => String(row.blob_id)));
  }

  async #files(): Promise<string[]> {
    const entries = await readdir(this.#blobs, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted();
  }

  /**
   * SQLite, "PRAGMA data_version": the value changes when another connection has committed. If it has not changed, the
   * rows have not either.
   */
  #rows(): Rows {
    const { data_version: version } = this.#db.prepare('PRAGMA data_version').get()!;
    if (this.#read?.version !== version) {
      const read = tables.map((table) => [table, this.#rowsOf(table)] as const);
      this.#read = { version, rows: Object.fromEntries(read) as unknown as Rows };
    }
    return this.#read!.rows;
  }

  #rowsOf(table: string): unknown[] {
    const rows = this.#db.prepare(`SELECT * FROM ${table}`).all();
    const left = ofBackground[table];
    return left
      ? rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name))))
      : rows;
  }

  /**
   * Runs `act` and checks that it stored and changed nothing. The rows are unchanged when the response arrives. The
   * bytes of a rejected file are gone soon after.
   */
  async unchangedBy<T>(act: () => Promise<T>): Promise<T> {
    const before = await this.#settledDump();
    const result = await act();
    const after = await this.dump();
    if (isDeepStrictEqual(after, before)) return result;
    for (const table of settled) expect(after[table], `${table} changed`).toEqual(before[table]);
    await this.#returnsTo(before);
    return result;
  }

  /**
   * The same for a visit of a share link, which adds events, counts a download without a cap, and changes nothing else.
   */
  async unchangedByVisit<T>(act: () => Promise<T>): Promise<T> {
    const before = withoutEvents(await this.#settledDump());
    const result = await act();
    await expect.poll(async () => withoutEvents(await this.dump()), { timeout: 5000, interval: 5 }).toEqual(before);
    return result;
  }

  /** The same for a client that disconnects, which gets no response to wait for. */
  async soonUnchangedBy(act: () => Promise<void>): Promise<void> {
    const before = await this.#settledDump();
    await act();
    await this.#returnsTo(before);
  }

  /** Waits until the bytes of earlier replaced or deleted files are gone. */
  async #settledDump(): Promise<Dump> {
    let dump = await this.dump();
    while (dump.marked_blobs.length > 0) {
      await setTimeout(5);
      dump = await this.dump();
    }
    return dump;
  }

  #returnsTo(before: Dump): Promise<void> {
    return expect.poll(() => this.dump(), { timeout: 5000, interval: 5 }).toEqual(before);
  }
}

function withoutEvents({ events: _, accounts, shares, ...others }: Dump) {
  return {
    ...others,
    accounts: accounts.map((account) => ({ ...(account as object), event_count: 0 })),
    shares: shares.map((share) => ({ ...(share as object), downloads: 0 })),
  };
}
