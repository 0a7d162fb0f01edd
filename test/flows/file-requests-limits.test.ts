import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import {
  changeRequest,
  createRequest,
  keysOf,
  requestNow,
  sendFiles,
  type TestFileRequest,
} from '#test/support/file-requests.ts';
import { someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { codeOf } from '#test/support/shares.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const mebibyte = 1_048_576;

/** Returns what uploads under way hold of a request. */
const heldOf = ({ id }: TestFileRequest) =>
  server.running.app.stores.metadata.atomically((tx) => tx.fileRequests.reservedOf(id));

const accountNow = () => server.running.app.stores.metadata.read.accounts.find(account.id);

describe('parallel senders', () => {
  it('never exceed the number of files', async () => {
    account = await server.account();
    const request = await createRequest(server, account, { max_files: 5 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => sendFiles(server, request, [['a.bin', someBytes(20_000)]])),
    );
    const codes = answers.map((answer) => codeOf(answer).join(' ')).toSorted();
    expect(codes.filter((code) => code === '200 ').length, codes.join()).toBe(5);
    expect(new Set(codes)).toEqual(new Set(['200 ', '409 FILE_REQUEST_FULL']));
    expect(await requestNow(server, account, request)).toMatchObject({ files: 5, remaining_files: 0 });
    expect(await keysOf(server, account)).toHaveLength(5);
    expect(await heldOf(request)).toEqual({ files: 0, bytes: 0 });
  });

  it('never exceed the bytes, also of files of many steps', async () => {
    account = await server.account();
    const request = await createRequest(server, account, { max_bytes: 7 * mebibyte });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => sendFiles(server, request, [['a.bin', someBytes(3 * mebibyte)]])),
    );
    const { bytes, files } = await requestNow(server, account, request);
    expect([files, bytes]).toEqual([2, 6 * mebibyte]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect((await sendFiles(server, request, [['rest.bin', someBytes(mebibyte)]])).status).toBe(200);
    expect(codeOf(await sendFiles(server, request, [['one.bin', 'x']]))).toEqual([409, 'FILE_REQUEST_FULL']);
    expect(await heldOf(request)).toEqual({ files: 0, bytes: 0 });
  });

  it('never exceed the quota of the owner, of which they learn nothing', async () => {
    account = await server.account();
    const { metadata } = server.running.app.stores;
    await metadata.atomically((tx) => tx.accounts.setQuota(account.id, 50_000));
    const request = await createRequest(server, account);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => sendFiles(server, request, [['a.bin', someBytes(20_000)]])),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    const refused = answers.find(({ status }) => status !== 200)!;
    expect(codeOf(refused)).toEqual([409, 'FILE_REQUEST_FULL']);
    expect(refused.body.toString()).not.toMatch(/50000|quota/i);
    expect(await accountNow()).toMatchObject({ usedBytes: 40_000, reservedBytes: 0, inFlightBytes: 0 });
  });

  it('of one name get folders of their own', async () => {
    account = await server.account();
    const request = await createRequest(server, account, { sender_folders: true });
    await Promise.all(Array.from({ length: 5 }, () => sendFiles(server, request, [['a.txt', 'x']], { sender: 'Ann' })));
    expect(await keysOf(server, account)).toEqual([
      'inbox/Ann (2)/a.txt',
      'inbox/Ann (3)/a.txt',
      'inbox/Ann (4)/a.txt',
      'inbox/Ann (5)/a.txt',
      'inbox/Ann/a.txt',
    ]);
  });
});

/** Begins a form by hand, and returns functions to go on with it. */
async function slowForm(path: string) {
  const { port } = new URL(server.running.urls.files);
  const socket = connect(Number(port), '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk)).on('error', () => {});
  const head = 'Content-Disposition: form-data; name="file"; filename="slow.bin"\r\n\r\n';
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: multipart/form-data; boundary=bb\r\n` +
      `Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
  );
  const send = (bytes: Buffer) => {
    socket.write(`${bytes.length.toString(16)}\r\n`);
    socket.write(bytes);
    socket.write('\r\n');
  };
  send(Buffer.from(`--bb\r\n${head}`));
  return {
    send,
    end() {
      send(Buffer.from('\r\n--bb--\r\n'));
      socket.write('0\r\n\r\n');
      return new Promise<string>((resolve) => {
        socket.on('close', () => resolve(Buffer.concat(received).toString()));
      });
    },
    leave: () => socket.destroy(),
  };
}

describe('a slow upload', () => {
  it('leaves nothing behind when its client leaves', async () => {
    account = await server.account();
    const request = await createRequest(server, account, { max_files: 1, max_bytes: 10 * mebibyte });
    const form = await slowForm(request.path);
    form.send(someBytes(3 * mebibyte));
    await expect.poll(async () => (await heldOf(request)).bytes).toBeGreaterThan(2 * mebibyte);
    expect(codeOf(await sendFiles(server, request, [['a.txt', 'x']]))).toEqual([409, 'FILE_REQUEST_FULL']);
    form.leave();
    await expect.poll(() => heldOf(request)).toEqual({ files: 0, bytes: 0 });
    await expect.poll(accountNow).toMatchObject({ usedBytes: 0, reservedBytes: 0, inFlightBytes: 0 });
    expect(await requestNow(server, account, request)).toMatchObject({ files: 0, bytes: 0, senders: 0 });
    expect((await sendFiles(server, request, [['a.txt', 'x']])).status).toBe(200);
  });

  it('that began before the deadline may finish within the grace', async () => {
    account = await server.account();
    const deadline = new Date(server.clock.now() + 60_000).toISOString();
    const request = await createRequest(server, account, { deadline, grace: 60 });
    const [inTime, late] = [await slowForm(request.path), await slowForm(request.path)];
    await expect.poll(async () => (await heldOf(request)).files).toBe(2);
    server.clock.advance(90_000);
    expect(codeOf(await sendFiles(server, request, [['a.txt', 'x']]))).toEqual([410, 'FILE_REQUEST_EXPIRED']);
    inTime.send(someBytes(30_000));
    expect(await inTime.end()).toContain('200 OK');
    server.clock.advance(30_000);
    late.send(someBytes(30_000));
    expect(await late.end()).toContain('FILE_REQUEST_EXPIRED');
    expect(await requestNow(server, account, request)).toMatchObject({ files: 1 });
  });

  it('is refused when its request was closed or deleted meanwhile', async () => {
    account = await server.account();
    for (const [change, method, code] of [
      [{ state: 'closed' }, 'PATCH', 'FILE_REQUEST_CLOSED'],
      [{}, 'DELETE', 'FILE_REQUEST_NOT_FOUND'],
    ] as const) {
      const request = await createRequest(server, account);
      const form = await slowForm(request.path);
      await expect.poll(async () => (await heldOf(request)).files).toBe(1);
      await changeRequest(server, account, { id: request.id, ...change }, method);
      expect(await form.end()).toContain(code);
      expect(await heldOf(request)).toEqual({ files: 0, bytes: 0 });
    }
    expect(await keysOf(server, account)).toEqual([]);
  });

  it('needs no memory for its bytes', async () => {
    account = await server.account();
    const request = await createRequest(server, account);
    const before = process.memoryUsage();
    let most = 0;
    const form = await slowForm(request.path);
    const chunk = someBytes(mebibyte);
    for (let count = 0; count < 64; count++) {
      form.send(chunk);
      await new Promise((resolve) => setTimeout(resolve, 5));
      most = Math.max(most, process.memoryUsage().arrayBuffers - before.arrayBuffers);
    }
    expect(await form.end()).toContain('200 OK');
    // The sender of this test is in the same process.
    expect(most).toBeLessThan(48 * mebibyte);
  });
});

describe('a server that was killed', () => {
  it('releases at its next start what its uploads held', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'cubby-held-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const first = await startTestServer({ dataDir, ownStores: true });
    const owner = await first.account();
    const request = await createRequest(first, owner, { max_files: 1 });
    const { metadata } = first.running.app.stores;
    await metadata.atomically((tx) => tx.fileRequests.reserve('left', request.id, { files: 1, bytes: 5 }));
    expect(codeOf(await sendFiles(first, request, [['a.txt', 'x']]))).toEqual([409, 'FILE_REQUEST_FULL']);
    await first.stop();
    const second = await startTestServer({ dataDir, ownStores: true });
    expect((await sendFiles(second, request, [['a.txt', 'x']])).status).toBe(200);
  });
});
