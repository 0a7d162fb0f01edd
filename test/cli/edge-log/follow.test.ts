import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, copyFile, link, rename, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { describe, expect, it, vi, type onTestFinished } from 'vitest';

import { programEnv } from '#test/support/command.ts';
import { nginxLine } from './log-lines.ts';
import { openLogs, type Logs } from './logs.ts';

const at = Date.parse('2026-04-21T09:30:00Z');
const entry = join(import.meta.dirname, '../../../server/cli/main.ts');

/** So many errors, no two of the same second. */
function lines(from: number, count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `${nginxLine({ at: at + (from + index) * 1000, status: 502, method: 'GET', path: '/a' })}\n`,
  ).join('');
}

interface Follower {
  stop(): Promise<any>;
  kill(): Promise<void>;
}

/** Followers that are gone when their test ends. */
function followerOf(whenFinished: typeof onTestFinished): (logs: Logs, ...paths: string[]) => Follower {
  return ({ dataDir, args }, ...paths) => {
    const child = spawn(process.execPath, [entry, ...args, '--follow', '--json', ...paths], {
      env: { ...programEnv, CUBBY_DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    whenFinished(() => void child.kill('SIGKILL'));
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const closed = once(child, 'close');
    return {
      async stop() {
        child.kill('SIGTERM');
        const [code] = await closed;
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        return JSON.parse(stdout);
      },
      async kill() {
        child.kill('SIGKILL');
        await closed;
      },
    };
  };
}

const reaches = (logs: Logs, total: number) =>
  vi.waitFor(async () => expect(await logs.total()).toBe(total), { timeout: 25_000, interval: 50 });

/** Each error lies in a second of its own: one that was counted twice, or put elsewhere, shows. */
async function expectEachOnce(logs: Logs, total: number): Promise<void> {
  const counts = await logs.counted();
  expect([Object.keys(counts).length, Math.max(...Object.values(counts))]).toEqual([total, 1]);
}

// They wait far more than they compute, so they run at the same time.
describe.concurrent('cubby edge-log import --follow', { timeout: 120_000 }, () => {
  it('counts what is written, also before it came and to a file that is made later, and tells at the end', async ({
    onTestFinished,
  }) => {
    const follow = followerOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file(lines(0, 5));
    const later = `${path}-later.log`;
    const follower = follow(logs, path, later);
    await reaches(logs, 5);
    await appendFile(path, lines(5, 3));
    const [line] = lines(8, 1).split('\n');
    await appendFile(path, line!.slice(0, 20));
    await writeFile(later, lines(10, 2));
    await reaches(logs, 10);
    await appendFile(path, `${line!.slice(20)}\n`);
    await reaches(logs, 11);
    expect(await follower.stop()).toMatchObject({
      lines: 11,
      errors: 11,
      bad: 0,
      files: [
        { file: path, errors: 9 },
        { file: later, errors: 2 },
      ],
    });
    await expectEachOnce(logs, 11);
  });

  it('goes on with the new file after a rotation, once the writer is done with the old one', async ({
    onTestFinished,
  }) => {
    const follow = followerOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file(lines(0, 5));
    const follower = follow(logs, path);
    await reaches(logs, 5);
    await rename(path, `${path}.1`);
    await appendFile(`${path}.1`, lines(5, 2));
    await writeFile(path, lines(7, 3));
    await reaches(logs, 10);
    await rename(`${path}.1`, `${path}.2`);
    await rename(path, `${path}.1`);
    await writeFile(path, lines(10, 1));
    await reaches(logs, 11);
    await follower.stop();
    await expectEachOnce(logs, 11);
  });

  it('begins anew with a file that was copied and cut off, and takes the rest from the copy', async ({
    onTestFinished,
  }) => {
    const follow = followerOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file(lines(0, 50));
    const follower = follow(logs, path);
    await reaches(logs, 50);
    // All at once, as far as the follower can see: it looks twice a second.
    await appendFile(path, lines(50, 5));
    await copyFile(path, `${path}.1`);
    await truncate(path);
    await appendFile(path, lines(55, 4));
    await reaches(logs, 59);
    await copyFile(path, `${path}.1`);
    await truncate(path);
    await appendFile(path, lines(59, 90));
    await reaches(logs, 149);
    await follower.stop();
    await expectEachOnce(logs, 149);
  });

  it('loses nothing of files that were rotated, and compressed, while nobody followed', async ({ onTestFinished }) => {
    const follow = followerOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file(lines(0, 100));
    const first = follow(logs, path);
    await reaches(logs, 100);
    await first.stop();
    await writeFile(`${path}.2.gz`, gzipSync(lines(0, 110)));
    await writeFile(path, lines(110, 5));
    // Written before the log was ever read, and another log: both are none of ours.
    await writeFile(`${path}.3`, lines(500, 5));
    await utimes(`${path}.3`, 1000, 1000);
    await writeFile(path.replace('.log', '-admin.log'), lines(600, 5));
    const second = follow(logs, path);
    await reaches(logs, 115);
    await second.stop();
    await expectEachOnce(logs, 115);
  });

  it('loses nothing of files that were rotated twice while nobody followed', async ({ onTestFinished }) => {
    const follow = followerOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file(lines(0, 5));
    const first = follow(logs, path);
    await reaches(logs, 5);
    await first.stop();
    await appendFile(path, lines(5, 5));
    await rename(path, `${path}.2`);
    await writeFile(`${path}.1`, lines(10, 5));
    await writeFile(path, lines(15, 5));
    const second = follow(logs, path);
    await reaches(logs, 20);
    await second.stop();
    await expectEachOnce(logs, 20);
  });

  it('reads a file that lies under two names once, and goes on', async ({ onTestFinished }) => {
    const follow = followerOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file(lines(0, 5));
    await link(path, `${path}-same`);
    const follower = follow(logs, path, `${path}-same`);
    await reaches(logs, 5);
    for (let more = 5; more < 20; more += 5) {
      await appendFile(path, lines(more, 5));
      await reaches(logs, more + 5);
    }
    await follower.stop();
    await expectEachOnce(logs, 20);
  });

  it('counts each error once, whenever it is killed', async ({ onTestFinished }) => {
    const follow = followerOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file('');
    let written = 0;
    const writing = setInterval(() => void appendFile(path, lines((written += 100) - 100, 100)), 20);
    onTestFinished(() => clearInterval(writing));
    for (let round = 0; round < 5; round++) {
      const follower = follow(logs, path);
      const before = await logs.total();
      await vi.waitFor(async () => expect(await logs.total()).toBeGreaterThan(before), {
        timeout: 20_000,
        interval: 20,
      });
      await follower.kill();
    }
    clearInterval(writing);
    const last = follow(logs, path);
    await reaches(logs, written);
    await last.stop();
    await expectEachOnce(logs, written);
  });

  it('waits while another process holds the database', async ({ onTestFinished }) => {
    const follow = followerOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file(lines(0, 3));
    const follower = follow(logs, path);
    await reaches(logs, 3);
    const locker = new DatabaseSync(join(logs.dataDir, 'cubby.db'));
    locker.exec('BEGIN IMMEDIATE');
    await appendFile(path, lines(3, 3));
    await sleep(7000);
    locker.exec('ROLLBACK');
    locker.close();
    await reaches(logs, 6);
    await follower.stop();
    await expectEachOnce(logs, 6);
  });
});
