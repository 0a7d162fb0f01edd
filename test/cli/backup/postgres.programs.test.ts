import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it, onTestFinished } from 'vitest';

import { sha256, someBytes, upload } from '#test/support/files.ts';
import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase, type Template } from '#test/support/postgres/postgres.ts';
import { findPostgres, noDumps } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { changePostgres } from '#test/support/stored.ts';
import { cubbyHere, temporaryFolder } from '../cubby.ts';
import { expectFiles, restored } from './restored.ts';

const missing = noDumps();
const found = findPostgres();
const bin = typeof found === 'string' ? '' : found.bin;

async function newDatabase(template?: Template): Promise<Record<string, string>> {
  const database = await freshDatabase(template);
  onTestFinished(() => database.drop());
  return { CUBBY_DATABASE_URL: database.url };
}

/** Uploads files: some in rows, the others blobs. Returns their ids and hashes. */
async function store(server: TestServer, account: TestAccount, count: number): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (let at = 0; at < count; at++) {
    const bytes = someBytes(at % 3 === 0 ? 2_000 : 30_000 + at);
    const stored = await upload(server, account, { bytes, query: { name: `f-${at}`, private: 'true' } });
    files.set(stored.json().response.id, sha256(bytes));
  }
  return files;
}

describe.skipIf(missing)(`cubby over PostgreSQL${because(missing)}`, { timeout: 180_000 }, () => {
  it('backs up with --dump, and restores rows and files elsewhere', async () => {
    const rows = await newDatabase(migrated);
    const server = await startTestServer({ dataDir: await temporaryFolder(), env: rows });
    const account = await server.account();
    const files = await store(server, account, 6);
    const folder = await temporaryFolder();
    const [target, dump] = [join(folder, 'backup'), join(folder, 'rows.dump')];
    const cubby = cubbyHere(server.dataDir, rows);

    const failed = await cubby('backup', target, '--dump', 'exit 3');
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/The command of --dump ended with code 3/) });
    expect(await readdir(join(target, 'generations')).catch(() => [])).toEqual([]);
    const status = await cubby.json('upkeep', 'show');
    expect(status.backups).toMatchObject([{ target, state: 'failed', error: expect.stringMatching(/code 3/) }]);

    const command = `${join(bin, 'pg_dump')} -Fc -f ${dump} '${rows.CUBBY_DATABASE_URL}'`;
    const report = await cubby.json('backup', target, '--dump', command);
    expect(report).toMatchObject({ database_bytes: null, blobs: { count: 4 }, damaged_blobs: [] });
    expect(await cubby.json('upkeep', 'show')).toMatchObject({
      backups: [{ target, state: 'done', last_generation: { generation: report.generation } }],
    });
    const words = await cubby('backup', '--list', target);
    expect(words.stdout).toMatch(/PostgreSQL/);

    const otherRows = await newDatabase();
    await promisify(execFile)(join(bin, 'pg_restore'), ['--no-owner', '-d', otherRows.CUBBY_DATABASE_URL!, dump]);
    const back = await restored(target, server.dataDir, [], otherRows);
    expect(back.report).toMatchObject({ generation: report.generation, blobs: { count: 4 }, missing_blobs: [] });
    const again = cubbyHere(back.dataDir, otherRows);
    expect(await again.json('store', 'check', '--bytes')).toMatchObject({ problems: [], left: 0 });
    expect((await again('audit', 'export')).stdout.trimEnd().split('\n').at(-1)).toMatch(/"store\.restored"/);
    await (await expectFiles(back.dataDir, account.credential, files, otherRows)).stop();
  });

  it('checks the store, and repairs counters and lost files from a backup', async () => {
    const rows = await newDatabase(migrated);
    const server = await startTestServer({ dataDir: await temporaryFolder(), env: rows });
    const account = await server.account();
    await store(server, account, 6);
    const target = join(await temporaryFolder(), 'backup');
    const cubby = cubbyHere(server.dataDir, rows);
    const check = async (...args: readonly string[]) => {
      const { stdout, stderr } = await cubby('store', 'check', '--bytes', '--json', ...args);
      expect(stdout, stderr).not.toBe('');
      return JSON.parse(stdout);
    };
    expect(await check()).toMatchObject({ problems: [], checked: { blobs: 4, contents: 6 } });
    await cubby.json('backup', target);
    const { blobs, metadata } = server.running.app.stores;
    const [lost] = await metadata.read.contents.named('', 1);
    await blobs.delete(lost!.blobId);
    const { CUBBY_DATABASE_URL: url } = rows;
    await changePostgres(url!, 'UPDATE accounts SET used_objects = 99');
    await changePostgres(
      url!,
      "INSERT INTO contents (content_id, size_bytes, crc32, pointing_rows) VALUES ('unused', 0, 0, 1)",
    );

    const found = await check();
    expect(found.problems.map(({ kind }: any) => kind).sort()).toEqual([
      'content-without-file',
      'counter',
      'missing-bytes',
    ]);
    expect(await check('--repair', '--from', target)).toMatchObject({ left: 0 });
    expect(await check()).toMatchObject({ problems: [], left: 0 });
    const activity = await server.send('/v1/account/activity', { credential: account.credential });
    const types = activity.json().response.activity.map(({ type }: { type: string }) => type);
    expect(types.slice(0, 2)).toEqual(['object.repaired', 'object.damaged']);
  });
});
