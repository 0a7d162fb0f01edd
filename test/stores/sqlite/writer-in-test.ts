import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, vi } from 'vitest';

import { Connections, statement, type ConnectionOptions } from '#server/stores/sqlite/connection.ts';
import { Writer, type WriterOptions, type WriterTransaction } from '#server/stores/sqlite/writer.ts';

/* A database with a table of notes, and its writer. A file that calls `withWriter()` gets a new one for each test. */

export let folder: string;
export let path: string;
export let connections: Connections;
export let writer: Writer;
/** The number of pieces of each commit. */
export let commits: number[];
/** The errors that `onFault` received. */
export let faults: unknown[];

export function withWriter(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cubby-writer-'));
    path = join(folder, 'cubby.db');
    connections = new Connections(path);
    connections.writer.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT');
    commits = [];
    faults = [];
    writer = aWriter({});
  });
  afterEach(async () => {
    await writer.close();
    connections.close();
    rmSync(folder, { recursive: true });
  });
}

/** Replaces the writer by another one over the same connections. */
export async function restart(options: Partial<WriterOptions>): Promise<void> {
  await writer.close();
  writer = aWriter(options);
}

/** Closes the database and opens it again. */
export async function reopen(connecting: ConnectionOptions = {}, writing: Partial<WriterOptions> = {}): Promise<void> {
  await writer.close();
  connections.close();
  connections = new Connections(path, connecting);
  writer = aWriter(writing);
}

function aWriter(options: Partial<WriterOptions>): Writer {
  return new Writer(connections, {
    now: () => 1_700_000_000_000,
    onFault: (error) => faults.push(error),
    onCommit: ({ pieces }) => commits.push(pieces),
    // On a busy machine a batch of three takes longer than the default.
    maxBatchMs: 10_000,
    ...options,
  });
}

export const write = (tx: WriterTransaction, text: string) =>
  statement(tx.db, 'INSERT INTO note (text) VALUES (?)').run(text);
export const notes = () =>
  connections.reader
    .prepare('SELECT text FROM note ORDER BY id')
    .all()
    .map((row) => row.text);

/** Holds each sync of the log until the test ends it. */
export function heldSyncs() {
  const held: Array<PromiseWithResolvers<void>> = [];
  const sync = vi.spyOn(connections.log, 'sync').mockImplementation(() => {
    const one = Promise.withResolvers<void>();
    held.push(one);
    return one.promise;
  });
  const next = (count: number) => expect.poll(() => sync.mock.calls.length).toBe(count);
  return {
    sync,
    next,
    end: (number: number) => held[number]!.resolve(),
    fail: (number: number, error: unknown) => held[number]!.reject(error),
  };
}
