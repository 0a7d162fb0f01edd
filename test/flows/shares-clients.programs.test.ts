import { randomFillSync } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';

import { byteBudgetOf } from '#server/features/shares/byte-budget.ts';
import { chunking } from '#test/support/chunked.ts';
import { chosenReplicas } from '#test/support/chosen-store.ts';
import { run } from '#test/support/command.ts';
import { sha256 } from '#test/support/files.ts';
import { because, noProgram } from '#test/support/programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { remainingOf, shareObject, type TestShare } from '#test/support/shares.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const mebibyte = 1_048_576;

/** Larger than the part of an allowance that exceeds the file, and in several parts. */
const sizeBytes = (isLong ? 200 : 32) * mebibyte;
const partBytes = (isLong ? 32 : 8) * mebibyte;
/**
 * A rate at which the file takes 16 seconds, so that a download breaks in the middle even on a busy machine. The kernel
 * gives a slow reader small buffers, so that a break loses few bytes.
 */
const slowMebibytes = isLong ? 12 : 2;
/** A download is cut off when this many bytes have come. */
const cutBytes = sizeBytes / 32;

let server: TestServer;
let account: TestAccount;
let object: string;
let hash: string;
let share: TestShare;
let folder: string;

/** The bytes that the server has handed to its sockets in the current test. */
let handedBytes = 0;

beforeAll(async () => {
  server = await startTestServer({
    door: (_name, real) => (req, res) => {
      const before = req.socket.bytesWritten;
      res.once('close', () => (handedBytes += req.socket.bytesWritten - before));
      real(req, res);
    },
  });
  account = await server.account();
  const bytes = randomFillSync(Buffer.alloc(sizeBytes));
  hash = sha256(bytes);
  const uploads = chunking(() => server);
  const upload = await uploads.open(account, { name: 'film', private: 'true', filename: 'holiday film.mov' });
  for (let part = 1; (part - 1) * partBytes < sizeBytes; part++)
    await uploads.put(account, upload, part, bytes.subarray((part - 1) * partBytes, part * partBytes));
  object = (await uploads.complete(account, upload)).json().response.id;
});
afterAll(() => server.stop());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cubby-downloads-'));
  share = await shareObject(server, account, object, { max_downloads: 3 });
  handedBytes = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = () => join(folder, 'film');
/** Returns a function that checks whether so many bytes have arrived. */
const has = (bytes: number) => () => {
  const { size } = statSync(file(), { throwIfNoEntry: false }) ?? { size: 0 };
  return size >= bytes;
};

/**
 * A broken connection loses the bytes in the kernel's buffers, which on a busy machine can be more than an allowance
 * has to spare. Then the client spends a second download.
 */
async function expectOneSpent(path = file()): Promise<void> {
  expect(sha256(await readFile(path))).toBe(hash);
  expect(await remainingOf(server, account, share)).toBe(handedBytes <= byteBudgetOf(sizeBytes) ? 2 : 1);
}

const curl = noProgram('curl');
const wget = noProgram('wget');
const aria2 = noProgram('aria2c');

describe.skipIf(curl)(`curl and a link with a cap${because(curl)}`, () => {
  it('spends one download with -OJ, and saves the file under its own name', async () => {
    const { exitCode } = await run('curl', ['-sSOJ', share.url], folder);
    expect(exitCode).toBe(0);
    const { output: saved } = await run('ls', [], folder);
    expect(saved).toMatch(/\.mov\n$/);
    await expectOneSpent(join(folder, saved.trim()));
  });

  it('spends one download with -C -, cut off twice', async () => {
    const slow = ['--limit-rate', `${slowMebibytes}M`];
    await run('curl', ['-s', ...slow, '-o', 'film', share.url], folder, has(cutBytes));
    const partly = statSync(file()).size;
    expect(partly).toBeLessThan(sizeBytes);
    await run('curl', ['-s', '-C', '-', ...slow, '-o', 'film', share.url], folder, has(partly + cutBytes));
    expect(statSync(file()).size).toBeGreaterThan(partly);
    expect(statSync(file()).size).toBeLessThan(sizeBytes);
    const { exitCode } = await run('curl', ['-sS', '-C', '-', '-o', 'film', share.url], folder);
    expect(exitCode).toBe(0);
    await expectOneSpent();
  });

  it('gets the whole file after a probe, from a link for one download', async () => {
    const { url } = await shareObject(server, account, object, { max_downloads: 1 });
    await run('curl', ['-s', '-r', '0-0', '-o', 'probe', url], folder);
    const { exitCode } = await run('curl', ['-sS', '-r', '0-', '-o', 'film', url], folder);
    expect([exitCode, statSync(join(folder, 'probe')).size, sha256(await readFile(file()))]).toEqual([0, 1, hash]);
  });

  it('gets a JSON error when it starts again and no download is left', async () => {
    const { url } = await shareObject(server, account, object, { max_downloads: 1 });
    await run('curl', ['-s', '-o', 'film', url], folder);
    const { output } = await run('curl', ['-s', url], folder);
    expect(JSON.parse(output)).toMatchObject({ status: 'error', code: 'SHARE_EXHAUSTED' });
  });
});

describe.skipIf(wget)(`wget and a link with a cap${because(wget)}`, () => {
  it('spends one download with -c, cut off once', async () => {
    await run('wget', ['-q', `--limit-rate=${slowMebibytes}m`, '-O', 'film', share.url], folder, has(cutBytes));
    expect(statSync(file()).size).toBeLessThan(sizeBytes);
    const { exitCode } = await run('wget', ['-q', '-c', '-O', 'film', share.url], folder);
    expect(exitCode).toBe(0);
    await expectOneSpent();
  });
});

describe.skipIf(aria2)(`aria2 and a link with a cap${because(aria2)}`, () => {
  // By default it does not split a file into pieces below 20 MiB.
  const args = ['-q', '-x8', '-s8', ...(isLong ? [] : ['-k2M']), '--file-allocation=none', '-o', 'film'];

  it('spends one download with eight connections', async () => {
    const { exitCode, output } = await run('aria2c', [...args, share.url], folder);
    expect([exitCode, output]).toEqual([0, '']);
    await expectOneSpent();
  });

  it.each(['-s8', '-s16 -x16 -k1M'])('gets the whole file with %s, from a link for one download', async (more) => {
    const { url } = await shareObject(server, account, object, { max_downloads: 1 });
    const { exitCode, output } = await run('aria2c', [...args, ...more.split(' '), url], folder);
    expect([exitCode, output, sha256(await readFile(file()))]).toEqual([0, '', hash]);
  });

  // The proxy before several servers doubles the buffers of the kernel, so that more counts as sent.
  it.skipIf(chosenReplicas > 1)(
    'spends at most one more download when restarted, as it then requests the whole file and drops that response',
    async () => {
      // It writes into the middle of the file, so the blocks of the file show the progress, not its size.
      const hasSome = () => (statSync(file(), { throwIfNoEntry: false })?.blocks ?? 0) * 512 >= cutBytes;
      // aria2 records its progress when it gets a signal to end.
      await run(
        'aria2c',
        [...args, '--disk-cache=0', `--max-overall-download-limit=${slowMebibytes}M`, share.url],
        folder,
        hasSome,
        'SIGINT',
      );
      expect(existsSync(`${file()}.aria2`)).toBe(true);
      const { exitCode } = await run('aria2c', [...args, '-c', share.url], folder);
      expect(exitCode).toBe(0);
      expect(sha256(await readFile(file()))).toBe(hash);
      expect(await remainingOf(server, account, share)).toBe(1);
    },
  );
});
