import { describe, expect, it } from 'vitest';

import { followBackup, followEveryMs } from '#server/domain/backup/follow-backup.ts';
import type { BackupReport } from '#server/domain/backup/take-backup.ts';
import { encryptionSettings } from '#test/support/chosen-store.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';
import { runCli } from '#server/cli/program.ts';
import { join } from 'node:path';
import { cubbyHere, temporaryFolder } from '../cubby.ts';

const report = (generation: string) => ({ generation }) as BackupReport;

/** Follows with a clock of its own for some turns. Each turn may change the version, or fail. */
async function follow(
  turns: ReadonlyArray<{ readonly version: number; readonly takesMs?: number; readonly fails?: boolean }>,
) {
  const stopping = new AbortController();
  const done: string[] = [];
  let [turn, nowMs] = [0, 0];
  const current = () => turns[Math.min(turn, turns.length - 1)]!;
  const slept: number[] = [];
  await followBackup({
    copies: { version: () => current().version },
    open: async () => {
      done.push('open');
      return {
        take: async () => {
          const { takesMs = 0, fails = false } = current();
          nowMs += takesMs;
          if (fails) throw new Error('gone');
          return report(String(turn));
        },
        close: async () => void done.push('close'),
      };
    },
    async sleep(ms) {
      slept.push(ms);
      nowMs += ms;
      if (++turn === turns.length) stopping.abort();
    },
    nowMs: () => nowMs,
    signal: stopping.signal,
    onGeneration: ({ generation }) => void done.push(generation),
    onFailure: (error) => void done.push((error as Error).message),
  });
  return { done, slept };
}

describe('followBackup()', () => {
  it('takes a generation whenever somebody has written, at most a minute after that', async () => {
    const { done, slept } = await follow([
      { version: 1, takesMs: 2_000 },
      { version: 1 },
      { version: 2, takesMs: 45_000 },
      { version: 3 },
    ]);
    expect(done).toEqual(['open', '0', '2', '3', 'close']);
    expect(slept).toEqual([followEveryMs - 2_000, followEveryMs, 0, followEveryMs]);
  });

  it('opens the target anew after a failure, and takes again what failed', async () => {
    const { done } = await follow([{ version: 1 }, { version: 2, fails: true }, { version: 2 }, { version: 2 }]);
    expect(done).toEqual(['open', '0', 'gone', 'close', 'open', '2', 'close']);
  });

  it('throws the first failure, which is probably a wrong target', async () => {
    await expect(follow([{ version: 1, fails: true }])).rejects.toThrow('gone');
  });
});

describe('cubby backup --follow', () => {
  it('adds generations until it is stopped, and none for its own rows', async () => {
    const server = await startTestServer();
    const account = await server.account();
    await upload(server, account);
    const target = join(await temporaryFolder(), 'backup');
    let [stdout, stderr] = ['', ''];
    const running = runCli(
      ['backup', target, '--follow', '--json'],
      { CUBBY_DATA_DIR: server.dataDir, ...encryptionSettings },
      {
        out: (text) => (stdout += text),
        err: (text) => (stderr += text),
      },
    );
    await expect.poll(() => stderr, { timeout: 30_000 }).toMatch(/^\S+: sent 0 files/m);
    process.emit('SIGTERM', 'SIGTERM');
    expect(await running).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ target, generation: expect.stringMatching(/^\d{8}T\d{9}Z$/) });
    expect((await cubbyHere(server.dataDir).json('backup', target, '--list')).generations).toHaveLength(1);
  });
});
