import { Readable } from 'node:stream';

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { describeWith } from '#test/support/describe-with.ts';
import { sha256, someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';
import { cuttingProxy } from './cutting-proxy.ts';

/** Without their types, which would bring the types of browsers into the whole project. */
let tusClient: any;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rateLimits: true });
  tusClient = await import('tus-js-client' as string);
});
afterAll(() => server.stop());

/** Uploads with the real client of tus, and resolves with its upload. */
function uploadWith(bytes: Buffer | Readable, options: object): Promise<any> {
  return new Promise((resolve, reject) => {
    const upload = new tusClient.Upload(bytes, {
      retryDelays: [10, 20, 50, 100, 200],
      ...options,
      onError: reject,
      onSuccess: () => resolve(upload),
    });
    upload.start();
  });
}

async function expectFile({ credential }: Pick<TestAccount, 'credential'>, address: string, bytes: Buffer) {
  const { pathname } = new URL(address);
  const asked = await server.send(pathname, { method: 'HEAD', credential });
  const id = asked.headers.get('x-cubby-object')!;
  const info = (await server.send(`/v1/objects/info?object=${id}`, { credential })).json().response;
  expect(info).toMatchObject({ size: bytes.length, sha256: sha256(bytes) });
  return id;
}

const metadata = { filename: 'Holiday film.mp4', filetype: 'video/mp4' };

describeWith('tus-js-client')('tus-js-client', () => {
  it('uploads over broken connections, and goes on where the server is', async () => {
    const account = await server.account();
    const proxy = await cuttingProxy(server.running.urls.base, 3);
    onTestFinished(() => proxy.close());
    const { url } = proxy;
    const bytes = someBytes(5_000_000);
    const headers = { Authorization: account.credential };
    const upload = await uploadWith(bytes, { endpoint: `${url}/v1/uploads?prefix=films`, headers, metadata });
    expect(proxy.cuts).toBe(3);
    expect(proxy.methods.filter((method) => method === 'HEAD')).toHaveLength(3);
    expect(await expectFile(account, upload.url, bytes)).toMatch(/\/films\/Holiday-film-[0-9a-f]{8}\.mp4$/);
  });

  it.each([
    ['in pieces', { chunkSize: 400_000 }],
    ['with its bytes in the creation', { uploadDataDuringCreation: true }],
    ['with a method that every proxy passes', { overridePatchMethod: true }],
    ['in parallel, as partial uploads', { parallelUploads: 4 }],
    ['in parallel and in pieces', { parallelUploads: 3, chunkSize: 300_000 }],
  ])('uploads %s', async (_how, options) => {
    const account = await server.account();
    const bytes = someBytes(2_000_003);
    const headers = { Authorization: account.credential };
    const endpoint = `${server.running.urls.base}/v1/uploads`;
    const upload = await uploadWith(bytes, { endpoint, headers, metadata, ...options });
    await expectFile(account, upload.url, bytes);
  });

  it('uploads a stream whose length nobody knows', async () => {
    const account = await server.account();
    const bytes = someBytes(1_300_000);
    const endpoint = `${server.running.urls.base}/v1/uploads?name=stream`;
    const upload = await uploadWith(Readable.from([bytes.subarray(0, 900_001), bytes.subarray(900_001)]), {
      endpoint,
      headers: { Authorization: account.credential },
      uploadLengthDeferred: true,
      chunkSize: 500_000,
    });
    await expectFile(account, upload.url, bytes);
  });

  it('resumes an upload by its address with the token of a page, and ends another one', async () => {
    const account = await server.account();
    const token = await tokenOf(server, account, { max_uses: 2, prefix: 'inbox' });
    const headers = { Authorization: `Bearer ${token}` };
    const bytes = someBytes(3_000_000);
    const endpoint = `${server.running.urls.base}/v1/uploads`;
    const first = new tusClient.Upload(bytes, { endpoint, headers, metadata, chunkSize: 1_000_000 });
    await new Promise<void>((resolve, reject) => {
      first.options.onError = reject;
      first.options.onChunkComplete = () => void first.abort().then(resolve);
      first.start();
    });
    const resumed = await uploadWith(bytes, { uploadUrl: first.url, headers });
    expect(await expectFile(account, resumed.url, bytes)).toMatch(/\/inbox\//);
    const other = new tusClient.Upload(bytes, { endpoint, headers, metadata, chunkSize: 1_000_000 });
    await new Promise<void>((resolve, reject) => {
      other.options.onError = reject;
      other.options.onChunkComplete = () => void other.abort(true).then(resolve);
      other.start();
    });
    const gone = await server.send(new URL(other.url).pathname, { method: 'HEAD', credential: account.credential });
    expect(gone.status).toBe(404);
  });
});
