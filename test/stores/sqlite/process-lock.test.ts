import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireProcessLock, ProcessLockTaken } from '#server/stores/sqlite/process-lock.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cubby-lock-'));
  path = join(folder, 'server.lock');
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Takes the lock in another process, which then runs `whenIdle`. */
async function otherProcess(whenIdle: string) {
  const code = `
    import { acquireProcessLock } from '${import.meta.resolve('#server/stores/sqlite/process-lock.ts')}';
    const lock = acquireProcessLock(process.argv[1]);
    console.log('held');
    ${whenIdle}
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('acquireProcessLock()', () => {
  it('throws ProcessLockTaken while another process has the lock, and gets it after that is killed', async () => {
    const other = await otherProcess('setInterval(() => {}, 1000);');
    expect(() => acquireProcessLock(path)).toThrow(ProcessLockTaken);
    expect(() => acquireProcessLock(path)).toThrow(
      /Another Cubby server is running on this data folder .*server\.lock/,
    );
    const exited = once(other, 'exit');
    other.kill('SIGKILL');
    await exited;
    acquireProcessLock(path).release();
  });

  it('releases the lock by release(), also when it is called twice', async () => {
    const lock = acquireProcessLock(path);
    lock.release();
    lock.release();
    const other = await otherProcess('lock.release(); console.log("released"); setInterval(() => {}, 1000);');
    const again = acquireProcessLockSoon();
    (await again).release();
    const exited = once(other, 'exit');
    other.kill();
    await exited;
  });

  it('throws ProcessLockTaken for a second call in the same process', () => {
    const lock = acquireProcessLock(path);
    expect(() => acquireProcessLock(path)).toThrow(ProcessLockTaken);
    lock.release();
  });

  it('keeps the lock although nobody keeps its result', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    acquireProcessLock(path);
    for (let round = 0; round < 2; round++) collect();
    expect(() => acquireProcessLock(path)).toThrow(ProcessLockTaken);
  });

  it('names the problem when the folder does not exist', () => {
    expect(() => acquireProcessLock(join(folder, 'absent', 'server.lock'))).toThrow(/Does its folder exist/);
  });
});

async function acquireProcessLockSoon() {
  for (let attempt = 0; ; attempt++) {
    try {
      return acquireProcessLock(path);
    } catch (error) {
      if (attempt > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
