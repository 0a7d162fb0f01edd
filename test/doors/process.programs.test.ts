import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { programEnv } from '#test/support/command.ts';
import { eventually } from '#test/support/eventually.ts';
import { someBytes } from '#test/support/files.ts';
import { needPrograms } from '#test/support/need-programs.ts';
import { slowUpload } from './slow-upload.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

interface Process {
  readonly child: ChildProcess;
  stdout(): string;
  /** The lines of the log. */
  log(): Array<Record<string, unknown>>;
  stderr(): string;
}

let folder: string;
const running = new Set<ChildProcess>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cubby-process-'));
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Starts the real process over the test's data folder, on free ports, and waits until it listens. */
async function startProcess(): Promise<Process> {
  const env = {
    ...programEnv,
    CUBBY_DATA_DIR: join(folder, 'data'),
    CUBBY_API_PORT: '0',
    CUBBY_FILES_PORT: '0',
    CUBBY_PUBLIC_PORT: '0',
    CUBBY_S3_PORT: '0',
    CUBBY_OPERATOR_PORT: '0',
  };
  const child = spawn(process.execPath, [join(root, 'server/main.js')], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
  const started: Process = {
    child,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    log: () =>
      texts.stderr
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
  // The log and the printed text come through two pipes, in any order.
  const isThere = () => {
    expect(texts.stderr).toContain('"listening"');
    expect(texts.stdout).toMatch(/documentation:? \S+\n/i);
  };
  await eventually(isThere, 60_000);
  return started;
}

async function exited(child: ChildProcess): Promise<number | null> {
  return child.exitCode ?? ((await once(child, 'exit')) as [number | null])[0];
}

// The timeout leaves room for slow starts on a busy machine.
describe('node server/main.js', () => {
  let first: Process;
  let key: string;
  let account: string;

  it('prints an account and its key once, on an empty data folder, and does not log the key', async () => {
    first = await startProcess();
    account = /account +([0-9]{18})/.exec(first.stdout())![1]!;
    key = /key +(cbk_[0-9A-Za-z]+)$/m.exec(first.stdout())![1]!;
    expect(first.stderr()).not.toContain(key);
    expect(first.log().find(({ message }) => message === 'listening')).toMatchObject({
      base: expect.stringMatching(/^http:\/\/localhost:[0-9]+$/),
    });
  });

  it('prints curl lines that work as they are pasted: upload, list, download, delete and the AI gateway', async () => {
    needPrograms('curl');
    const lines = first
      .stdout()
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^(seq 1000 \| )?curl /.test(line));
    expect(lines).toHaveLength(5);
    const content = Array.from({ length: 1000 }, (_, at) => `${at + 1}\n`).join('');
    // They need no file of the project: a package may be started in any folder.
    const paste = async (line: string) =>
      (await run('sh', ['-c', `${line} --silent --show-error`], { cwd: folder })).stdout;

    const uploaded = JSON.parse(await paste(lines[0]!));
    expect(uploaded).toMatchObject({
      status: 'success',
      response: { id: `pub/${account}/numbers.txt`, size: content.length },
    });
    expect(JSON.parse(await paste(lines[1]!)).response.objects.map(({ id }: { id: string }) => id)).toEqual([
      uploaded.response.id,
    ]);
    await paste(lines[2]!);
    expect(await readFile(join(folder, 'downloaded.txt'), 'utf8')).toBe(content);
    expect(JSON.parse(await paste(lines[3]!))).toEqual({ status: 'success' });
    expect(JSON.parse(await paste(lines[1]!)).response.objects).toEqual([]);
    expect(JSON.parse(await paste(lines[4]!)).choices[0].message.content).toContain('development responder');
  });

  it('serves the documentation at the address that it prints', async () => {
    const address = /Documentation: (\S+)/.exec(first.stdout())![1]!;
    const { status, headers } = await fetch(address);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('exits with 0 after SIGTERM, once the running upload has its response', async () => {
    const base = first.log().find(({ message }) => message === 'listening')!.base as string;
    const held = slowUpload({
      baseUrl: base,
      credential: key,
      dataDir: join(folder, 'data'),
      name: 'last',
      bytes: someBytes(2_000_000),
    });
    await held.begun;
    // A load balancer has a second to notice the stop. Then new connections are refused.
    const seen: Array<number | 'refused'> = [];
    const looking = (async () => {
      while (seen.at(-1) !== 'refused')
        seen.push(
          await fetch(`${base}/readyz`).then(
            ({ status }) => status,
            () => 'refused',
          ),
        );
    })();
    await eventually(() => expect(seen).toContain(200));
    first.child.kill('SIGTERM');
    await looking;
    expect([...new Set(seen)]).toEqual([200, 503, 'refused']);
    expect(first.stderr()).toContain('"stopping"');
    expect(first.child.exitCode).toBeNull();

    held.finish();
    expect((await held.answer).status).toBe(200);
    expect(await exited(first.child)).toBe(0);
    expect(first.log().at(-1)).toMatchObject({ message: 'stopped', all_answers_finished: true });
    expect(first.stderr()).not.toMatch(new RegExp(`${key}|authorization`, 'i'));
  });

  it('prints no key on the second start, and still has the stored files', async () => {
    const second = await startProcess();
    await eventually(() => expect(second.stdout()).toContain('Cubby runs.'));
    expect(second.stdout()).not.toMatch(/cbk_|key/);
    const base = second.log().find(({ message }) => message === 'listening')!.base as string;
    const listed = (await (await fetch(`${base}/v1/objects`, { headers: { Authorization: key } })).json()) as {
      response: { objects: Array<{ id: string }> };
    };
    expect(listed.response.objects.map(({ id }) => id)).toEqual([`pub/${account}/last.png`]);
    second.child.kill('SIGINT');
    expect(await exited(second.child)).toBe(0);
  });

  it('names every problem of its configuration and exits with 78', async () => {
    const env = {
      ...programEnv,
      CUBBY_DATA_DIR: join(folder, 'none'),
      CUBBY_API_PORT: 'many',
      CUBBY_RATE_LIMITS: 'maybe',
      CUBBY_TYPO: '1',
    };
    const failing = await run(process.execPath, [join(root, 'server/main.js')], { env }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(failing).toMatchObject({ code: 78 });
    for (const name of ['CUBBY_API_PORT', 'CUBBY_RATE_LIMITS', 'CUBBY_TYPO']) expect(failing.stderr).toContain(name);
    expect(failing.stderr).not.toMatch(/\.ts:[0-9]/);
  });
});
