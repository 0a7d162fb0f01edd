import { randomFillSync } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { tool, unpacked } from '#test/support/archives.ts';
import { run } from '#test/support/command.ts';
import { sha256, upload } from '#test/support/files.ts';
import { because, noProgram } from '#test/support/programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { createShare, remainingOf, type TestShare } from '#test/support/shares.ts';

const mebibyte = 1_048_576;
const fileBytes = 8 * mebibyte;

let server: TestServer;
let account: TestAccount;
let contents: Buffer[];
let folder: string;
let ids: string[];
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account('enterprise');
});
afterAll(() => server.stop());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cubby-bundles-'));
  contents = Array.from({ length: 3 }, () => randomFillSync(Buffer.alloc(fileBytes)));
  ids = [];
  for (const [at, bytes] of contents.entries()) {
    const query = { prefix: 'films', name: `film-${at}`, private: 'true' };
    ids.push((await upload(server, account, { bytes, filename: `film ${at}.mov`, query })).json().response.id);
  }
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  const { credential } = account;
  await server.send('/v1/objects', { method: 'DELETE', credential, body: JSON.stringify({ objects: ids }) });
});

async function share(body: object = {}): Promise<TestShare> {
  const { id, url, object } = (await createShare(server, account, { prefix: 'films', ...body })).json().response;
  return { id, path: `/s/${id}`, url, object };
}

const saved = () => join(folder, 'films.zip');
const has = (bytes: number) => () => existsSync(saved()) && statSync(saved()).size >= bytes;

async function expectAll(): Promise<void> {
  const files = await unpacked(await readFile(saved()));
  expect([...files].map(([name, bytes]) => [name, sha256(bytes)])).toEqual(
    contents.map((bytes, at) => [`film ${at}.mov`, sha256(bytes)]),
  );
}

const curl = noProgram('curl');
const aria2 = noProgram('aria2c');

describe.skipIf(curl)(`curl and a bundle${because(curl)}`, () => {
  it('saves the archive under its name, and unzip finds no error in it', async () => {
    const { url } = await share();
    expect((await run('curl', ['-sSOJ', url], folder)).exitCode).toBe(0);
    expect(await tool('unzip', '-t', saved())).toContain('No errors detected');
    await expectAll();
  });

  it('resumes an archive that broke off with -C -, as one download', async () => {
    const link = await share({ max_downloads: 2, landing: false });
    const args = ['-sS', '--limit-rate', '4M', '-o', saved(), link.url];
    await run('curl', args, folder, has(fileBytes / 2));
    expect(statSync(saved()).size).toBeLessThan(3 * fileBytes);
    expect((await run('curl', ['-sS', '-C', '-', '-o', saved(), link.url], folder)).exitCode).toBe(0);
    await expectAll();
    expect(await remainingOf(server, account, link)).toBe(1);
  });

  it('gets no part of another state with If-Range, but all anew', async () => {
    const { url } = await share();
    const headers = (await run('curl', ['-sSI', url], folder)).output;
    const [, etag = ''] = /etag: (\S+)/i.exec(headers) ?? [];
    const query = new URLSearchParams({ prefix: 'films', name: 'another', private: 'true' });
    const more = await upload(server, account, { bytes: Buffer.alloc(600, 'x'), query: Object.fromEntries(query) });
    ids.push(more.json().response.id);
    const args = ['-sS', '-H', `If-Range: ${etag}`, '-H', 'Range: bytes=100-', '-o', saved(), '-w', '%{http_code}'];
    expect((await run('curl', [...args, url], folder)).output).toBe('200');
    expect((await unpacked(await readFile(saved()))).size).toBe(4);
  });
});

describe.skipIf(aria2)(`aria2c and a bundle${because(aria2)}`, () => {
  it('asks for eight parts at once, as one download', async () => {
    const link = await share({ max_downloads: 2, landing: false });
    const { exitCode } = await run('aria2c', ['-q', '-x8', '-s8', '-k1M', '-o', 'films.zip', link.url], folder);
    expect(exitCode).toBe(0);
    await expectAll();
    expect(await remainingOf(server, account, link)).toBe(1);
  });
});

/** Files of the server that this process has open, below its folder of blobs. */
function openBlobs(): number {
  const folderOfBlobs = join(server.dataDir, 'blobs');
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folderOfBlobs);
    } catch {
      return false;
    }
  }).length;
}

describe.skipIf(!existsSync('/proc/self/fd'))('A client that leaves an archive', () => {
  it('leaves no file open', async () => {
    const { url } = await share();
    const before = openBlobs();
    for (let time = 0; time < 5; time++)
      await new Promise<void>((resolve, reject) => {
        const asked = request(url, (response) => {
          response.once('data', () => {
            asked.destroy();
            resolve();
          });
          response.on('error', () => {});
        });
        asked.once('error', reject).end();
      });
    await expect.poll(openBlobs, { timeout: 5_000 }).toBe(before);
  });

  it('is cut off when a file goes while the archive is sent', async () => {
    const { url } = await share();
    const outcome = await new Promise<string>((resolve, reject) => {
      request(url, (response) => {
        let received = 0;
        response.once('data', () => {
          response.pause();
          void Promise.all(
            (ids.splice(1) as string[]).map((object) =>
              server.send('/v1/objects', {
                ...{ method: 'DELETE', credential: account.credential, body: JSON.stringify({ object }) },
              }),
            ),
          ).then(() => response.resume());
        });
        response.on('data', (chunk: Buffer) => (received += chunk.length));
        response.on('error', () => resolve('broken'));
        response.on('end', () => resolve(`ended after ${received} bytes`));
      })
        .once('error', reject)
        .end();
    });
    expect(outcome).toBe('broken');
    expect(server.log.filter(({ message }) => message === 'fault')).toEqual([]);
  });
});
