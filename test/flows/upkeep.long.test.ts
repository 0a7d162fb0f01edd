import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { describe, expect, it, onTestFinished } from 'vitest';

import { TestClock } from '#test/support/clock.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { metricsOf } from '#test/metrics/scraped.ts';

async function newTarget(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-upkeep-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'target');
}

/** Returns the processes of backups that this process has started. */
async function backupProcesses(): Promise<number[]> {
  const own = (pid: string) => {
    try {
      const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return parent === String(process.pid) && command.includes('backup-process/main.js');
    } catch {
      return false; // it has just ended
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && own(name))
    .map(Number);
}

async function ask(server: TestServer, credential: string, method: string, path: string): Promise<any> {
  const answer = await server.send(`/v2/operator${path}`, { method, door: 'operator', credential });
  expect(answer.status, answer.body.toString()).toBeLessThan(300);
  return answer.json().response;
}

describe("backups at the operator's door", () => {
  it('run in a process of their own, show their progress in bytes and files, and leave a generation', async () => {
    const target = await newTarget();
    const server = await startTestServer({ env: { CUBBY_BACKUP_TARGET: target } });
    const [account, key] = [await server.account(), await server.operatorKey()];
    for (let at = 0; at < 12; at++)
      await upload(server, account, { bytes: someBytes(300_000), query: { name: `f-${at}`, private: 'true' } });
    expect(await ask(server, key, 'GET', '/backups')).toEqual({ target, generations: [] });
    await mkdir(target);
    expect(await ask(server, key, 'GET', '/backups')).toEqual({ target, generations: [] });
    expect(await ask(server, key, 'GET', '/upkeep')).toMatchObject({
      backups: [],
      scrub: { days: 30, damaged_files: 0 },
    });
    const run = await ask(server, key, 'POST', '/backups');
    const isSqlite = server.running.app.stores.places.database === 'sqlite';
    expect(run).toMatchObject({
      target,
      includes_rows: isSqlite,
      state: 'running',
      ended_at: null,
      last_generation: null,
    });
    const status = async () => (await ask(server, key, 'GET', '/upkeep')).backups[0];
    await expect.poll(async () => (await status()).state, { timeout: 20_000 }).toBe('done');
    const done = await status();
    expect(done).toMatchObject({ error: null, last_generation: { generation: expect.any(String) } });
    const { generations } = await ask(server, key, 'GET', '/backups');
    expect(generations).toMatchObject([
      {
        generation: done.last_generation.generation,
        database_bytes: isSqlite ? expect.any(Number) : null,
        blobs: { count: 12, bytes: 3_600_000 },
        damaged_blobs: [],
      },
    ]);
    expect(await readdir(join(target, 'generations'))).toHaveLength(1);
    // The last backup is known, so a target without it is one whose disk is not there.
    await rm(target, { recursive: true });
    const gone = await server.send('/v2/operator/backups', { door: 'operator', credential: key });
    expect([gone.status, gone.json().code]).toEqual([409, 'BACKUP_TARGET_UNUSABLE']);
    expect(gone.json().message).toMatch(/backups of this installation in .* are gone .* Is its disk mounted\?/);
    expect(server.log).not.toContainEqual(expect.objectContaining({ message: 'fault' }));
    const { entries } = await ask(server, key, 'GET', '/audit');
    expect(entries.at(-1)).toMatchObject({
      action: 'backup.started',
      actor: { kind: 'operator_key' },
      subject: target,
    });
    expect(server.log).toContainEqual(expect.objectContaining({ message: 'backup done', sent_files: 12 }));
  });

  it('fail in words that the status and the log show', async () => {
    const target = await newTarget();
    await mkdir(target);
    await writeFile(join(target, 'stranger'), 'x');
    const server = await startTestServer({ env: { CUBBY_BACKUP_TARGET: target } });
    const key = await server.operatorKey();
    const list = await server.send('/v2/operator/backups', { door: 'operator', credential: key });
    expect([list.status, list.json().code]).toEqual([409, 'BACKUP_TARGET_UNUSABLE']);
    expect(list.json().message).toMatch(/is neither empty nor a backup of Cubby/);
    expect(server.log).not.toContainEqual(expect.objectContaining({ message: 'fault' }));
    await ask(server, key, 'POST', '/backups');
    const status = async () => (await ask(server, key, 'GET', '/upkeep')).backups[0];
    await expect.poll(async () => (await status()).state, { timeout: 20_000 }).toBe('failed');
    expect(await status()).toMatchObject({ error: expect.stringMatching(/is neither empty nor a backup of Cubby/) });
    expect(server.log).toContainEqual(
      expect.objectContaining({ level: 'error', message: expect.stringMatching(/THE BACKUP FAILED/) }),
    );
  });

  it.runIf(process.platform === 'linux')('say it when their process is killed', async () => {
    const target = await newTarget();
    const server = await startTestServer({ env: { CUBBY_BACKUP_TARGET: target } });
    const [account, key] = [await server.account(), await server.operatorKey()];
    await upload(server, account, { bytes: someBytes(300_000), query: { name: 'photo', private: 'true' } });
    const run = async () => (await ask(server, key, 'GET', '/upkeep')).backups[0];
    await ask(server, key, 'POST', '/backups');
    await expect.poll(backupProcesses, { interval: 5 }).toHaveLength(1);
    for (const pid of await backupProcesses()) process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await run()).state, { timeout: 20_000 }).toBe('failed');
    expect((await run()).error).toBe('The process of the backup ended without a result (SIGKILL).');
    // The next one goes on, and needs no word about the killed one.
    await ask(server, key, 'POST', '/backups');
    await expect.poll(async () => (await run()).state, { timeout: 20_000 }).toBe('done');
  });

  it('end with the server, and say so', async () => {
    const target = await newTarget();
    const server = await startTestServer({ env: { CUBBY_BACKUP_TARGET: target } });
    const [account, key] = [await server.account(), await server.operatorKey()];
    for (let at = 0; at < 4; at++)
      await upload(server, account, { bytes: someBytes(300_000), query: { name: `f-${at}`, private: 'true' } });
    await ask(server, key, 'POST', '/backups');
    await server.running.stop();
    const again = await startTestServer({ env: { CUBBY_BACKUP_TARGET: target }, dataDir: server.dataDir });
    const [run] = (await ask(again, key, 'GET', '/upkeep')).backups;
    expect(['failed', 'done']).toContain(run.state);
    if (run.state === 'failed') expect(run.error).toBe('It was stopped.');
  });
});

describe("the scrub at the operator's door", () => {
  it('reads all files at once when an operator starts it, and finds a damaged one', async () => {
    const server = await startTestServer();
    const [account, key] = [await server.account(), await server.operatorKey()];
    for (let at = 0; at < 5; at++)
      await upload(server, account, { bytes: someBytes(20_000), query: { name: `f-${at}`, private: 'true' } });
    const { blobs, metadata } = server.running.app.stores;
    const [first] = await metadata.read.contents.named('', 1);
    await blobs.delete(first!.blobId);
    const begun = await ask(server, key, 'POST', '/scrub');
    expect(begun).toMatchObject({ round: { requested: true, ended_at: null } });
    const status = async () => (await ask(server, key, 'GET', '/upkeep')).scrub;
    await expect.poll(async () => (await status()).round.ended_at, { timeout: 20_000 }).not.toBeNull();
    expect(await status()).toMatchObject({
      damaged_files: 1,
      round: { requested: true, progress: { files: 5, total_files: 5, bytes: 100_000, seconds_left: null } },
    });
    const [reported] = server.log.filter(({ message }) => String(message).startsWith('A FILE IS DAMAGED'));
    expect(reported).toMatchObject({ level: 'error' });
  });
});

describe("a job at the operator's door", () => {
  it('that takes long is answered while it goes on, and shows its end later', async () => {
    const gate = Promise.withResolvers<void>();
    const server = await startTestServer({
      blobs: (real) => ({
        put: (...given) => real.put(...given),
        delete: (id) => real.delete(id),
        ids: () => real.ids(),
        async open(...given) {
          await gate.promise;
          return real.open(...given);
        },
      }),
    });
    const [account, key] = [await server.account(), await server.operatorKey()];
    await upload(server, account, { bytes: someBytes(20_000), query: { name: 'photo', private: 'true' } });
    await ask(server, key, 'POST', '/scrub');
    const post = () =>
      server.send('/v2/operator/jobs/scrub/run', { method: 'POST', door: 'operator', credential: key });
    const answers = await Promise.all([post(), post()]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(answers[0]!.json().response).toEqual({ job: 'scrub', count: null });
    const { entries } = await ask(server, key, 'GET', '/audit');
    expect(entries.at(-1)).toMatchObject({ action: 'job.run', subject: 'scrub', details: { count: null } });
    gate.resolve();
    const last = async () =>
      (await ask(server, key, 'GET', '/jobs')).jobs.find(({ job }: any) => job === 'scrub').last_run;
    await expect.poll(last, { timeout: 10_000 }).toMatchObject({ count: 0 });
    await expect.poll(async () => (await post()).status).toBe(200);
  });
});

describe('damage that the scrub finds', () => {
  it('is repaired from the backup target, and shown in the log, the activity and the metrics', async () => {
    const target = await newTarget();
    const clock = new TestClock(Date.now());
    const server = await startTestServer({ env: { CUBBY_BACKUP_TARGET: target }, clock });
    const [account, key] = [await server.account(), await server.operatorKey()];
    const bytes = someBytes(20_000);
    const stored = await upload(server, account, { bytes, query: { name: 'photo', private: 'true' } });
    const { id } = stored.json().response;
    const metric = async (name: string) => {
      // Figures of the store are kept for a while.
      clock.advance(60_000);
      return metricsOf(server).then((all) => all.value(name));
    };
    expect(await metric('cubby_backup_age_seconds')).toBeNaN();
    await ask(server, key, 'POST', '/backups');
    const run = async () => (await ask(server, key, 'GET', '/upkeep')).backups[0].state;
    await expect.poll(run, { timeout: 20_000 }).toBe('done');
    expect(await metric('cubby_backup_age_seconds')).toBeGreaterThan(0);

    const { blobs, metadata } = server.running.app.stores;
    const [blob] = await metadata.read.contents.named('', 1);
    const damage = async () => {
      await blobs.delete(blob!.blobId);
      await blobs.put(blob!.blobId, Readable.from([someBytes(20_000)]));
    };
    const scrub = async () => {
      clock.advance(1);
      await ask(server, key, 'POST', '/scrub');
      const ended = async () => (await ask(server, key, 'GET', '/upkeep')).scrub.round.ended_at;
      await expect.poll(ended, { timeout: 20_000 }).not.toBeNull();
    };
    await damage();
    await scrub();
    expect(await metric('cubby_scrubbed_bytes_total')).toBeGreaterThanOrEqual(20_000);
    expect(await metric('cubby_damaged_contents')).toBe(0);
    const link = await server.send(`/v1/objects/download?object=${encodeURIComponent(id)}`, account);
    const { pathname, search } = new URL(link.headers.get('location')!);
    expect((await server.send(`${pathname}${search}`, { door: 'files' })).body).toEqual(bytes);
    const repaired = expect.stringMatching(/^a damaged file was repaired: .*photo.* of account/);
    expect(server.log).toContainEqual(expect.objectContaining({ level: 'warn', message: repaired }));

    // Without the backup it stays damaged, and the operator and the account see that.
    await rm(target, { recursive: true });
    await damage();
    await scrub();
    expect(await metric('cubby_damaged_contents')).toBe(1);
    const activity = await server.send('/v1/account/activity', account);
    const entries = activity.json().response.activity.slice(0, 3);
    expect(entries.map(({ type, object, auth }: any) => [type, object, auth])).toEqual([
      ['object.damaged', id, 'system'],
      ['object.repaired', id, 'system'],
      ['object.damaged', id, 'system'],
    ]);
  });
});

describe("waiting purges at the operator's door", () => {
  it('are listed page by page, with their failed tries', async () => {
    const server = await startTestServer();
    const key = await server.operatorKey();
    const url = (name: string) => `https://public.example.com/204815162342108999/${name}`;
    await server.running.app.stores.metadata.atomically(async (tx) => {
      for (const id of ['b', 'a', 'c']) await tx.purges.add({ id, url: url(id), changeId: null, dueAt: tx.now });
      const [first] = await tx.purges.takeNew(1, tx.now);
      await tx.purges.putBack({ ...first!, failedTries: 3 }, tx.now + 60_000);
    });
    const one = await ask(server, key, 'GET', '/purges?limit=2');
    const rest = await ask(server, key, 'GET', `/purges?limit=2&cursor=${one.continuationToken}`);
    expect([...one.purges, ...rest.purges]).toMatchObject([
      { purge_id: 'a', url: url('a'), failed_tries: 3 },
      { purge_id: 'b', url: url('b'), failed_tries: 0 },
      { purge_id: 'c', url: url('c'), failed_tries: 0 },
    ]);
    expect(rest.continuationToken).toBeUndefined();
    expect((await ask(server, key, 'GET', '/installation')).purges_waiting).toBe(3);
  });
});
