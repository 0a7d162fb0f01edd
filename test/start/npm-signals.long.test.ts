import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');
const doors = Object.fromEntries(
  ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door) => [`CUBBY_${door}_PORT`, '0']),
);

interface Program {
  readonly child: ChildProcess;
  readonly address: string;
  readonly key: string;
}

/** Starts a script of package.json as a terminal does: in a group of its own. */
async function start(...args: readonly string[]): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-npm-'));
  const child = spawn('npm', args, {
    cwd: root,
    detached: true,
    env: { ...process.env, ...doors, CUBBY_DATA_DIR: join(folder, 'data'), CUBBY_MIN_FREE_BYTES: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => (printed += more));
  await expect.poll(() => printed, { timeout: 100_000 }).toMatch(/\/v1\/objects\?name=/);
  const [, key] = /Authorization: (cbk_\w+)"/.exec(printed)!;
  return { child, key: key!, address: /"(http:\/\/[^"]+)\/v1\/objects\?name=/.exec(printed)![1]! };
}

/** Begins an upload whose second half is sent later. */
async function beginUpload({ address, key }: Program) {
  const half = 'x'.repeat(500_000);
  const body = [
    `--b\r\nContent-Disposition: form-data; name="file"; filename="slow.txt"\r\n\r\n${half}`,
    `${half}\r\n--b--\r\n`,
  ];
  const sending = request(`${address}/v1/objects?name=slow`, {
    method: 'POST',
    headers: {
      Authorization: key,
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': String(body.join('').length),
    },
  });
  const answered = once(sending, 'response').then(async ([response]) => [response.statusCode, await text(response)]);
  answered.catch(() => {});
  sending.write(body[0]);
  await sleep(300);
  return { answered, finish: () => sending.end(body[1]) };
}

describe.skipIf(process.platform === 'win32')('Ctrl-C under npm, which comes twice', () => {
  it.each(['start', 'run sandbox'])('lets a running upload end: npm %s', { timeout: 200_000 }, async (command) => {
    const program = await start(...command.split(' '));
    const ended = once(program.child, 'exit');
    const upload = await beginUpload(program);
    // The terminal signals the whole group, and npm passes the signal on.
    process.kill(-program.child.pid!, 'SIGINT');
    await sleep(100);
    process.kill(-program.child.pid!, 'SIGINT');
    await sleep(400);
    upload.finish();
    expect(await upload.answered).toEqual([200, expect.stringContaining('"status":"success"')]);
    await ended;
  });

  it('ends the server when only npm gets the signal, as from a service manager', { timeout: 200_000 }, async () => {
    const { child, address } = await start('start');
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    const isThere = () =>
      fetch(address).then(
        () => true,
        () => false,
      );
    await expect.poll(isThere, { timeout: 20_000 }).toBe(false);
  });
});
