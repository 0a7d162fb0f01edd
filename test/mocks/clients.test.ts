import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { listObjects, uploadObject } from 'cubby-server/client';
import { uploadFile, type UploadOptions } from 'cubby-server/uploader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startMock, type Mock } from '#mocks/mock.ts';
import { someBytes } from '#test/support/files.ts';
import { needPackages } from '#test/support/need-programs.ts';

const mebibyte = 1_048_576;
const root = join(import.meta.dirname, '../..');

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ port: 0 });
});
afterAll(() => mock.close());

/** Returns a `fetch` that plays in a story, as a program under test would. */
const playing =
  (story: string): typeof fetch =>
  (input, init) => {
    const request = new Request(input, init);
    request.headers.set('X-Mock-Story', story);
    return fetch(request);
  };

describe('the uploader against the mock', () => {
  const at = (): UploadOptions => ({ baseUrl: mock.url, credential: 'any', retry: { firstWaitMs: 5, tries: 3 } });

  it('uploads a small file', async () => {
    const uploaded = await uploadFile(new File([someBytes(2000)], 'april.pdf'), at()).done;
    expect(uploaded).toMatchObject({ id: expect.stringMatching(/^pub\//), isPrivate: false });
    expect((await fetch(uploaded.url!)).status).toBe(200);
  });

  it('uploads a file in parts', async () => {
    const file = new File([someBytes(11 * mebibyte)], 'film.mp4');
    const options = { ...at(), singleUpToBytes: mebibyte, chunkSizeBytes: 5 * mebibyte };
    const uploaded = await uploadFile(file, options).done;
    expect(uploaded.id).toMatch(/^(pub|prv)\//);
  });

  it('fails with the error of the server', async () => {
    await expect(uploadFile(new File(['small'], 'a.txt'), at()).done).rejects.toMatchObject({ code: 'FILE_TOO_SMALL' });
  });
});

describe('the typed client against the mock', () => {
  it('lives through a story', async () => {
    const server = { baseUrl: mock.url, auth: 'any', headers: { 'X-Mock-Story': 'one-picture; run=client' } };
    const keys = async () => (await listObjects(server)).data!.response.objects.map(({ id }) => id.split('/').at(-1));
    expect(await keys()).toEqual([]);
    const file = new File([someBytes(4583)], 'beach.png');
    const { data } = await uploadObject({ ...server, query: { name: 'beach', prefix: 'photos' }, body: { file } });
    expect(data!.response.name).toBe('beach');
    expect(await keys()).toEqual(['beach.png']);
  });

  it('uses a fetch of its own', async () => {
    const server = { baseUrl: mock.url, auth: 'any', fetch: playing('rate-limited; run=client') };
    const [first, second] = [await listObjects(server), await listObjects(server)];
    expect([first.error?.code, second.response?.status]).toEqual(['RATE_LIMITED', 200]);
    expect(first.response?.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('Uppy against the mock', () => {
  const recipe = join(root, 'dist', `uppy-mock-${process.pid}.mjs`);
  afterAll(() => rm(recipe, { force: true }));

  it('uploads with the recipe of docs/uppy.md, and reports a refusal', async () => {
    needPackages('@uppy/core');
    const { default: Uppy } = await import('@uppy/core' as string);
    const [, code] = /```js\n([^]*?)```/.exec(await readFile(join(root, 'docs/uppy.md'), 'utf8'))!;
    await mkdir(join(root, 'dist'), { recursive: true });
    await writeFile(recipe, code!);
    const { sendToCubby } = await import(pathToFileURL(recipe).href);
    const uppy = new Uppy({ logger: { debug() {}, warn() {}, error() {} } });
    sendToCubby(uppy, { baseUrl: mock.url, credential: 'any' });
    const good = uppy.addFile({ name: 'april.pdf', data: new Blob([someBytes(3000)]) });
    const bad = uppy.addFile({ name: 'small.txt', data: new Blob(['small']) });
    const result = await uppy.upload();
    expect(result).toMatchObject({ successful: [{ id: good }], failed: [{ id: bad }] });
  });
});
