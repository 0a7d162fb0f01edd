import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, linkSync, renameSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';

import { describe, expect, it, type onTestFinished } from 'vitest';

import { emptySummary } from '#server/features/edge-errors/commands/edge-log/file-summary.ts';
import { followLog, type FollowPace } from '#server/features/edge-errors/commands/edge-log/follow-log.ts';
import { parseConfig } from '#server/config/config.ts';
import { MetadataUnavailable, type Metadata } from '#server/domain/ports/metadata.ts';
import { openLog } from '#server/log.ts';
import { openStores, type StoreOverrides } from '#server/stores/open.ts';
import { programEnv } from '#test/support/command.ts';
import { eventually } from '#test/support/eventually.ts';
import { nginxLine } from './log-lines.ts';
import { openLogs, type Logs } from './logs.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const at = Date.parse('2026-04-21T09:30:00Z');
const entry = join(import.meta.dirname, '../../../../../server/cli/main.js');

/** Returns this many lines with errors, each at a second of its own. */
function lines(from: number, count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `${nginxLine({ at: at + (from + index) * 1000, status: 502, method: 'GET', path: '/a' })}\n`,
  ).join('');
}

/** Shorter times than the usual ones. */
const pace: FollowPace = { pollMs: 25, rotationGraceMs: 300, maxSettlingMs: 3_000, busyPauseMs: 50 };

interface Follower {
  stop(): Promise<void>;
}

/**
 * Starts followers in this process, which stop with their test. A follower sees all synchronous changes of a test to a
 * file at once.
 */
function followerOf(whenFinished: typeof onTestFinished, overrides: StoreOverrides = {}) {
  return async ({ dataDir, appId }: Logs, ...paths: string[]): Promise<Follower> => {
    const stores = await openStores(parseConfig({ CUBBY_DATA_DIR: dataDir }), openLog('silent'), overrides);
    const stopping = new AbortController();
    const { signal } = stopping;
    const openInodes = new Set<string>();
    const { metadata } = stores;
    const following = Promise.all(
      paths.map((path) =>
        followLog({
          metadata,
          appId,
          format: undefined,
          path,
          paths,
          openInodes,
          signal,
          summary: emptySummary(path),
          pace,
        }),
      ),
    ).finally(() => stores.close());
    const stop = async () => {
      stopping.abort();
      await following;
    };
    whenFinished(stop);
    return { stop };
  };
}

/** The command as a process. */
interface FollowingCommand {
  /** Ends it with SIGTERM. Returns its summary. */
  stop(): Promise<any>;
  kill(): Promise<void>;
}

/** Starts commands that are killed when their test ends. */
function commandOf(whenFinished: typeof onTestFinished): (logs: Logs, ...paths: string[]) => FollowingCommand {
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

const reaches = (logs: Logs, total: number) => eventually(async () => expect(await logs.total()).toBe(total));

/** Checks that each error was counted once. Each lies in a second of its own, so a double or misplaced count shows. */
async function expectEachOnce(logs: Logs, total: number): Promise<void> {
  const counts = await logs.counted();
  expect([Object.keys(counts).length, Math.max(...Object.values(counts))]).toEqual([total, 1]);
}

// They wait far more than they compute, so they run at the same time.
describe.concurrent('cubby edge-log import --follow', () => {
  it('counts old lines, new lines and lines of later files, and prints a summary at the end', async ({
    onTestFinished,
  }) => {
    const follow = commandOf(onTestFinished);
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

  it('continues with the new file after a rotation, once the writer is done with the old one', async ({
    onTestFinished,
  }) => {
    const follow = followerOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file(lines(0, 5));
    const follower = await follow(logs, path);
    await reaches(logs, 5);
    renameSync(path, `${path}.1`);
    appendFileSync(`${path}.1`, lines(5, 2));
    writeFileSync(path, lines(7, 3));
    await reaches(logs, 10);
    renameSync(`${path}.1`, `${path}.2`);
    renameSync(path, `${path}.1`);
    writeFileSync(path, lines(10, 1));
    await reaches(logs, 11);
    await follower.stop();
    await expectEachOnce(logs, 11);
  });

  it('starts over with a file that was copied and truncated, and reads the rest from the copy', async ({
    onTestFinished,
  }) => {
    const follow = followerOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file(lines(0, 50));
    const follower = await follow(logs, path);
    await reaches(logs, 50);
    appendFileSync(path, lines(50, 5));
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
    appendFileSync(path, lines(55, 4));
    await reaches(logs, 59);
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
    appendFileSync(path, lines(59, 90));
    await reaches(logs, 149);
    await follower.stop();
    await expectEachOnce(logs, 149);
  });

  it('loses no line of files that were rotated and compressed while nobody followed', async ({ onTestFinished }) => {
    const follow = followerOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file(lines(0, 100));
    const first = await follow(logs, path);
    await reaches(logs, 100);
    await first.stop();
    writeFileSync(`${path}.2.gz`, gzipSync(lines(0, 110)));
    writeFileSync(path, lines(110, 5));
    // Not part of this log: a file from before its first reading, and another log.
    writeFileSync(`${path}.3`, lines(500, 5));
    utimesSync(`${path}.3`, 1000, 1000);
    writeFileSync(path.replace('.log', '-admin.log'), lines(600, 5));
    const second = await follow(logs, path);
    await reaches(logs, 115);
    await second.stop();
    await expectEachOnce(logs, 115);
  });

  it('loses no line of files that were rotated twice while nobody followed', async ({ onTestFinished }) => {
    const follow = followerOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file(lines(0, 5));
    const first = await follow(logs, path);
    await reaches(logs, 5);
    await first.stop();
    appendFileSync(path, lines(5, 5));
    renameSync(path, `${path}.2`);
    writeFileSync(`${path}.1`, lines(10, 5));
    writeFileSync(path, lines(15, 5));
    const second = await follow(logs, path);
    await reaches(logs, 20);
    await second.stop();
    await expectEachOnce(logs, 20);
  });

  it('reads a file with two names once, and continues', async ({ onTestFinished }) => {
    const follow = followerOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file(lines(0, 5));
    linkSync(path, `${path}-same`);
    const follower = await follow(logs, path, `${path}-same`);
    await reaches(logs, 5);
    for (let more = 5; more < 20; more += 5) {
      appendFileSync(path, lines(more, 5));
      await reaches(logs, more + 5);
    }
    await follower.stop();
    await expectEachOnce(logs, 20);
  });

  it('counts each error once, whenever it is killed', async ({ onTestFinished }) => {
    const follow = commandOf(onTestFinished);
    const logs = await openLogs(onTestFinished);
    const path = await logs.file('');
    let written = 0;
    const writing = setInterval(() => appendFileSync(path, lines((written += 20) - 20, 20)), 20);
    onTestFinished(() => clearInterval(writing));
    for (let round = 0; round < (isLong ? 20 : 2); round++) {
      const before = await logs.total();
      const follower = follow(logs, path);
      await eventually(async () => expect(await logs.total()).toBeGreaterThan(before));
      await follower.kill();
    }
    clearInterval(writing);
    const last = follow(logs, path);
    // A follower may be killed after it has counted everything. These show that this one runs.
    appendFileSync(path, lines((written += 20) - 20, 20));
    await reaches(logs, written);
    await last.stop();
    await expectEachOnce(logs, written);
  });

  it('waits while another process holds the database', async ({ onTestFinished }) => {
    let failed = 0;
    const counting = (real: Metadata): Metadata => ({
      ...real,
      atomically: (work, options) =>
        real.atomically(work, options).catch((error: unknown) => {
          if (error instanceof MetadataUnavailable) failed++;
          throw error;
        }),
    });
    const follow = followerOf(onTestFinished, { maxBusyMs: 50, metadata: counting });
    const logs = await openLogs(onTestFinished);
    const path = await logs.file(lines(0, 3));
    const follower = await follow(logs, path);
    await reaches(logs, 3);
    const locker = new DatabaseSync(join(logs.dataDir, 'cubby.db'));
    await eventually(() => locker.exec('BEGIN IMMEDIATE'));
    appendFileSync(path, lines(3, 3));
    await eventually(() => expect(failed).toBeGreaterThan(2));
    locker.exec('ROLLBACK');
    locker.close();
    await reaches(logs, 6);
    await follower.stop();
    await expectEachOnce(logs, 6);
  });
});
