import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';

import { PostgresSource } from '#server/stores/move/postgres-source.ts';
import { neverRefused } from '#server/stores/move/shared-tables.ts';
import type { SourceRows } from '#server/stores/move/rows.ts';
import { SqliteSource } from '#server/stores/move/sqlite-source.ts';
import { PostgresPool } from '#server/stores/postgres/pool.ts';
import { openWriter } from '#server/stores/sqlite/connection.ts';
import { writeFreshDatabase } from '#test/support/fresh-folder.ts';
import { migrated, parsedUrl } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';

/** A source of a move, and another connection to the same database. */
interface Subject {
  readonly source: SourceRows;
  run(sql: string): Promise<unknown>;
}

async function sqlite(): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-refusal-'));
  const path = join(folder, 'cubby.db');
  writeFreshDatabase(path);
  const [writer, other] = [openWriter(path, false), openWriter(path, false)];
  onTestFinished(() => {
    writer.close();
    other.close();
    return rm(folder, { recursive: true });
  });
  return { source: new SqliteSource(writer, 'here'), run: async (sql) => other.exec(sql) };
}

async function postgres(): Promise<Subject> {
  const database = await freshDatabase(migrated);
  const pool = new PostgresPool(parsedUrl(database.url));
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(async () => {
    await other.end();
    await pool.close();
    await database.drop();
  });
  return { source: new PostgresSource(pool, 'here'), run: (sql) => other.query(sql) };
}

const change =
  'INSERT INTO chat_installation_days (day, tokens) VALUES (1, 1) ON CONFLICT (day) DO UPDATE SET tokens = 2';
const missing = noPostgres();

describe.each([
  ['SQLite', sqlite, undefined],
  ['PostgreSQL', postgres, missing],
] as const)('a source in %s', (_name, open, reason) => {
  const begun = async () => {
    const subject = await open();
    const shapes = await subject.source.shapes();
    const all = shapes.map(({ name }) => name).filter((name) => !neverRefused.includes(name));
    await subject.source.beginNoting(
      shapes.filter(({ name }) => name === 'chat_installation_days'),
      all,
      'record',
    );
    return subject;
  };

  it.skipIf(reason)(
    `takes writes again by itself when a move dies while they are refused${because(reason)}`,
    async () => {
      const { source, run } = await begun();
      await source.refuseWrites(2_000);
      await expect(run(change)).rejects.toThrow(/store is being moved/);
      await expect.poll(() => run(change).then(() => 'written', String), { timeout: 10_000 }).toBe('written');
      expect(await source.changes(10)).toMatchObject([{ table: 'chat_installation_days', key: [1] }]);
    },
  );

  it.skipIf(reason)(
    `refuses for good only while writes are refused and no change is left${because(reason)}`,
    async () => {
      const { source, run } = await begun();
      expect(await source.refuseForGood('too early')).toBe(false);
      await run(change);
      await source.refuseWrites(20_000);
      expect(await source.refuseForGood('a change is left')).toBe(false);
      await source.forget((await source.changes(10)).map(({ id }) => id));
      expect(await source.refuseForGood('moved')).toBe(true);
      expect(await source.findRecord()).toBe('moved');
      await expect(run(change)).rejects.toThrow(/store is being moved/);
    },
  );

  it.skipIf(reason)(`leaves nothing behind when the move ends${because(reason)}`, async () => {
    const { source, run } = await begun();
    await run(change);
    await source.endNoting();
    expect(await source.findRecord()).toBeUndefined();
    await run(change);
  });
});

describe('a source in PostgreSQL', () => {
  it.skipIf(missing)(`waits for transactions that wrote before the refusal${because(missing)}`, async () => {
    const { source, run } = await postgres();
    const shapes = await source.shapes();
    await source.beginNoting(
      shapes.filter(({ name }) => name === 'chat_installation_days'),
      ['chat_installation_days'],
      '',
    );
    await run('BEGIN');
    await run(change);
    let isRefused = false;
    const refusing = source.refuseWrites(10_000).then(() => (isRefused = true));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(isRefused).toBe(false);
    await run('COMMIT');
    await refusing;
    expect(await source.changes(10)).toHaveLength(1);
  });
});
