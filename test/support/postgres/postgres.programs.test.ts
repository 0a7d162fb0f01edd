import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';

import { durable, startCluster } from './cluster.ts';
import { freshDatabase, type TestDatabase } from './postgres.ts';
import { noPostgres, noStandby } from './programs.ts';

const missing = noPostgres();

describe.skipIf(missing)(`PostgreSQL for tests${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const rowsOf = async (url: string, sql: string): Promise<unknown[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const folderOf = async (url: string): Promise<string> => {
    const rows = await rowsOf(url, "SELECT current_setting('data_directory') AS folder");
    return dirname((rows as [{ folder: string }])[0].folder);
  };
  const database = async (...args: Parameters<typeof freshDatabase>): Promise<TestDatabase> => {
    const made = await freshDatabase(...args);
    onTestFinished(() => made.drop());
    return made;
  };

  it('freshDatabase() fills a template once and gives each caller a copy of its own', async () => {
    let filled = 0;
    const template = {
      name: `of_this_test_${process.pid}`,
      async fill(url: string) {
        filled++;
        await rowsOf(url, 'CREATE TABLE things (name text)');
      },
    };
    const [one, other] = await Promise.all([database(template), database(template)]);
    await rowsOf(one.url, "INSERT INTO things VALUES ('only here')");
    expect(filled).toBe(1);
    expect(await rowsOf(one.url, 'SELECT * FROM things')).toEqual([{ name: 'only here' }]);
    expect(await rowsOf(other.url, 'SELECT * FROM things')).toEqual([]);
  });

  it('drop() removes a database that is still in use', async () => {
    const { url, drop } = await database();
    const client = new pg.Client({ connectionString: url });
    const ended = new Promise<void>((resolve) => void client.once('end', resolve));
    client.on('error', () => {}); // the server says that it ends the connection
    await client.connect();
    await drop();
    await ended;
    await expect(rowsOf(url, 'SELECT 1')).rejects.toThrow('does not exist');
  });

  describe('a copy of a template that was dropped', () => {
    const things = {
      name: `things_${process.pid}`,
      async fill(url: string) {
        await rowsOf(
          url,
          `CREATE TABLE things (number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, bytes bytea);
           CREATE TABLE parts (of_thing integer REFERENCES things);
           INSERT INTO things (bytes) VALUES ('\\x00ff')`,
        );
      },
    };
    const addPart = `WITH added AS (INSERT INTO things DEFAULT VALUES RETURNING number)
      INSERT INTO parts SELECT number FROM added RETURNING of_thing`;
    const oidOf = (url: string) => rowsOf(url, 'SELECT oid FROM pg_database WHERE datname = current_database()');

    it('serves the next test under another name, with the rows and numbers of the template', async () => {
      const one = await database(things);
      expect(await rowsOf(one.url, addPart)).toEqual([{ of_thing: 2 }]);
      const oid = await oidOf(one.url);
      await one.drop();
      const next = await database(things);
      expect(await oidOf(next.url)).toEqual(oid);
      expect(next.url).not.toBe(one.url);
      expect(await rowsOf(next.url, 'SELECT * FROM things')).toEqual([{ number: 1, bytes: Buffer.from([0, 255]) }]);
      expect(await rowsOf(next.url, 'SELECT * FROM parts')).toEqual([]);
      expect(await rowsOf(next.url, addPart)).toEqual([{ of_thing: 2 }]);
    });

    it('is not taken from the next test by a second drop()', async () => {
      const one = await database(things);
      await one.drop();
      const next = await database(things);
      await one.drop();
      expect(await rowsOf(next.url, 'SELECT number FROM things')).toEqual([{ number: 1 }]);
    });

    it.each([
      ['has another column', 'ALTER TABLE things ADD COLUMN name text'],
      ['has another index', 'CREATE INDEX ON things (bytes)'],
      ['has lost a table', 'DROP TABLE parts'],
      ['has lost a constraint', 'ALTER TABLE things ALTER COLUMN number DROP IDENTITY'],
      ['has a setting', "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET jit = on', current_database()); END $$"],
      ['has grown', 'INSERT INTO parts SELECT 1 FROM generate_series(1, 200000)'],
    ])('serves no other test if it %s', async (_what, change) => {
      const one = await database(things);
      const oid = await oidOf(one.url);
      await rowsOf(one.url, change);
      await one.drop();
      const next = await database(things);
      expect(await oidOf(next.url)).not.toEqual(oid);
      expect(await rowsOf(next.url, 'SELECT * FROM parts')).toEqual([]);
    });
  });

  it('is gone with its folder when the process that started it is killed', async () => {
    const script = `
      const { startCluster } = await import(${JSON.stringify(join(import.meta.dirname, 'cluster.ts'))});
      const cluster = await startCluster();
      console.log(JSON.stringify({ pid: cluster.pid, url: cluster.url() }));
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { pid, url } = JSON.parse(line.toString()) as { pid: number; url: string };
    const folder = await folderOf(url);
    expect(existsSync(folder)).toBe(true);
    child.kill('SIGKILL');
    await expect.poll(() => existsSync(folder)).toBe(false);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  const noReplication = noStandby();
  it.skipIf(noReplication)(
    'a promoted standby has every commit that a synchronous primary acknowledged' +
      (noReplication ? ` (skipped: ${noReplication})` : ''),
    async () => {
      const primary = await startCluster(durable);
      onTestFinished(() => primary.stop());
      const standby = await primary.standby();
      onTestFinished(() => standby.stop());
      await rowsOf(primary.url(), "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
      await rowsOf(primary.url(), 'SELECT pg_reload_conf()');
      await rowsOf(primary.url(), 'CREATE TABLE things AS SELECT generate_series(1, 100) AS number');
      await primary.kill();
      await standby.promote();
      expect(await rowsOf(standby.url(), 'SELECT count(*)::int AS count FROM things')).toEqual([{ count: 100 }]);
      await rowsOf(standby.url(), 'DELETE FROM things');
    },
  );

  it('leaves no folder behind after stop()', async () => {
    const cluster = await startCluster();
    const folder = await folderOf(cluster.url());
    expect(existsSync(folder)).toBe(true);
    await cluster.stop();
    expect(existsSync(folder)).toBe(false);
  });
});
