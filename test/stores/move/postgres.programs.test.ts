import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';

import { moveStore } from '#server/stores/move/move-store.ts';
import { PostgresSource } from '#server/stores/move/postgres-source.ts';
import { PostgresTarget } from '#server/stores/move/postgres-target.ts';
import { SqliteSource } from '#server/stores/move/sqlite-source.ts';
import { SqliteTarget } from '#server/stores/move/sqlite-target.ts';
import { PostgresPool } from '#server/stores/postgres/pool.ts';
import { openWriter } from '#server/stores/sqlite/connection.ts';
import { expectSameRows } from '#test/cli/store/same-stores.ts';
import { startLoad } from '#test/cli/store/load.ts';
import { writeFreshDatabase } from '#test/support/fresh-folder.ts';
import { migrated, parsedUrl } from '#test/support/postgres/migrated.ts';
import { chosenStore } from '#test/support/chosen-store.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { startTestServer } from '#test/support/server.ts';
import { postgresRows, sqliteRows } from '#test/support/stored.ts';

const poolOf = (url: string) => new PostgresPool(parsedUrl(url), { deadlineMs: 600_000 });

async function newDatabase(): Promise<string> {
  const database = await freshDatabase(migrated);
  onTestFinished(() => database.drop());
  return database.url;
}

async function newSqlite(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cubby-move-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  writeFreshDatabase(join(dataDir, 'cubby.db'));
  return dataDir;
}

const { signal } = new AbortController();
const common = { signal, now: () => Date.now(), to: { rows: 'there', blobs: null } };

const missing = chosenStore === 'sqlite' ? noPostgres() : 'this test names its stores itself';

describe.skipIf(missing !== undefined)(`moveStore()${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  it('copies rows from SQLite to PostgreSQL and back while they are written', async () => {
    const server = await startTestServer();
    const account = await server.account('enterprise');
    const load = startLoad(server, account);
    await expect.poll(() => load.files.size, { timeout: 20_000 }).toBeGreaterThan(20);
    const url = await newDatabase();
    const source = new SqliteSource(openWriter(join(server.dataDir, 'cubby.db'), false), 'here');
    const target = new PostgresTarget(poolOf(url), 'there');
    expect(await moveStore({ ...common, source, target })).toMatchObject({ repairedRows: 0, damaged: [] });
    await load.stop();
    await source.close();
    await target.close();
    await same({ rows: sqliteRows(server.dataDir) }, { rows: await postgresRows(url), isPostgres: true });

    const back = await newSqlite();
    const writing = writeRows(url);
    const postgres = new PostgresSource(poolOf(url), 'there');
    const sqlite = new SqliteTarget(openWriter(join(back, 'cubby.db'), false), 'here');
    await sleep(200);
    const second = await moveStore({ ...common, source: postgres, target: sqlite });
    const { written, refused } = await writing.stop();
    expect(written).toBeGreaterThan(10);
    expect(refused).toMatch(/store is being moved/);
    expect(second.changes).toBeGreaterThan(0);
    await postgres.close();
    await sqlite.close();
    await same({ rows: await postgresRows(url), isPostgres: true }, { rows: sqliteRows(back) });
  });
});

async function same(ours: Parameters<typeof expectSameRows>[0], theirs: typeof ours): Promise<void> {
  expect(await expectSameRows(ours, theirs)).toBeGreaterThan(100);
  await ours.rows.close();
  await theirs.rows.close();
}

/** Writes rows as a server would, in transactions of several statements, until it is refused. */
function writeRows(url: string) {
  let isStopped = false;
  const running = [1, 2, 3].map(async (client) => {
    const db = new pg.Client({ connectionString: url });
    await db.connect();
    let written = 0;
    let refused = '';
    for (let turn = 0; !isStopped && refused === ''; turn++) {
      try {
        await db.query('BEGIN');
        await db.query(
          'UPDATE contents SET size_bytes = size_bytes + 1 WHERE content_id IN (SELECT content_id FROM contents ' +
            'ORDER BY content_id LIMIT 3)',
        );
        await db.query('INSERT INTO sessions VALUES ($1, $2, 1, 0)', [
          Buffer.from(`${client}-${turn}`),
          Buffer.from('k'),
        ]);
        if (turn % 3 === 0)
          await db.query('DELETE FROM sessions WHERE hash = $1', [Buffer.from(`${client}-${turn - 2}`)]);
        await db.query('COMMIT');
        written++;
      } catch (error) {
        await db.query('ROLLBACK');
        if (!/deadlock/.test((error as Error).message)) refused = (error as Error).message;
      }
    }
    await db.end();
    return { written, refused };
  });
  return {
    async stop() {
      await sleep(300);
      isStopped = true;
      const all = await Promise.all(running);
      return {
        written: all.reduce((sum, one) => sum + one.written, 0),
        refused: all.map(({ refused }) => refused).join(),
      };
    },
  };
}
