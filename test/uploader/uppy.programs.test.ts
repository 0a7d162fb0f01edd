import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { UploadOptions } from 'cubby-server/uploader';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { describeWith } from '#test/support/describe-with.ts';
import { someBytes } from '#test/support/files.ts';
import { startFakeServer } from './fake-server.ts';

const root = join(import.meta.dirname, '../..');
/** Inside of the package, so that `cubby-server/uploader` is found as by a program that depends on it. */
const recipe = join(root, 'dist', `uppy-recipe-${process.pid}.mjs`);

/** Without its types, which would bring the types of browsers into the whole project. */
let Uppy: any;
let sendToCubby: (uppy: any, options: UploadOptions) => void;
beforeAll(async () => {
  Uppy = (await import('@uppy/core' as string)).default;
  const [, code] = /```js\n([^]*?)```/.exec(await readFile(join(root, 'docs/uppy.md'), 'utf8'))!;
  await mkdir(join(root, 'dist'), { recursive: true });
  await writeFile(recipe, code!);
  ({ sendToCubby } = await import(pathToFileURL(recipe).href));
});
afterAll(() => rm(recipe, { force: true }));

const partBytes = 65_536;

async function uppyBefore(options: Partial<UploadOptions> = {}) {
  const fake = await startFakeServer();
  const uppy = new Uppy({ logger: { debug() {}, warn() {}, error() {} } });
  sendToCubby(uppy, {
    baseUrl: fake.baseUrl,
    credential: 'cbk_key',
    chunkSizeBytes: partBytes,
    singleUpToBytes: partBytes,
    retry: { firstWaitMs: 5, tries: 2 },
    ...options,
  });
  const add = (name: string, sizeBytes = 3000): string =>
    uppy.addFile({ name, data: new Blob([someBytes(sizeBytes)]) });
  return { fake, uppy, add };
}

describeWith('@uppy/core')('the recipe of docs/uppy.md', () => {
  it("uploads Uppy's files, small and large, and passes on progress and URLs", async () => {
    const { fake, uppy, add } = await uppyBefore({ query: { prefix: 'inbox' } });
    const [small, large] = [add('april.pdf'), add('film.mp4', 2 * partBytes + 9)];
    const progress: Array<[string | undefined, number | false]> = [];
    uppy.on('upload-progress', (file: any, now: any) => void progress.push([file?.id, now.bytesUploaded]));
    const result = await uppy.upload();
    expect(result).toMatchObject({ failed: [], successful: [{ id: small }, { id: large }] });
    expect(uppy.getFile(small)).toMatchObject({
      uploadURL: 'http://public.invalid/april',
      progress: { uploadComplete: true, percentage: 100 },
      response: { body: { id: 'pub/1/april' } },
    });
    expect(progress).toContainEqual([large, 2 * partBytes + 9]);
    expect(fake.count('upload')).toBe(1);
    expect(fake.count('part')).toBe(3);
    for (const { operation, query } of fake.requests)
      if (operation === 'start' || operation === 'upload') expect(query.prefix).toBe('inbox');
  });

  it('reports what failed, and uploads it when Uppy retries', async () => {
    const { fake, uppy, add } = await uppyBefore();
    const id = add('april.pdf');
    fake.fault = () => ({ status: 403, code: 'STORAGE_QUOTA_EXCEEDED' });
    expect(await uppy.upload()).toMatchObject({
      successful: [],
      failed: [{ id, error: 'About STORAGE_QUOTA_EXCEEDED.' }],
    });
    fake.fault = () => undefined;
    expect(await uppy.retryAll()).toMatchObject({ successful: [{ id }], failed: [] });
  });

  it('keeps a file paused that was paused while it waited for its turn', async () => {
    const { fake, uppy, add } = await uppyBefore();
    fake.fault = ({ operation }) => (operation === 'upload' ? { hang: true } : undefined);
    const [, , third] = [add('one.pdf'), add('two.pdf'), add('three.pdf')];
    const done = uppy.upload();
    await expect.poll(() => fake.count('upload')).toBe(2);
    expect(uppy.pauseResume(third)).toBe(true);
    fake.fault = () => undefined;
    uppy.pauseAll();
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const { id } of uppy.getFiles()) if (id !== third) uppy.pauseResume(id);
    fake.endHung('answer');
    await expect.poll(() => fake.files.size).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(fake.files.has('pub/1/three')).toBe(false);
    uppy.pauseResume(third);
    expect((await done).successful).toHaveLength(3);
  });

  it('leaves nothing behind of a failed file that is removed', async () => {
    const { fake, uppy, add } = await uppyBefore({ resumeStore: new Map() });
    const id = add('film.mp4', 3 * partBytes);
    fake.fault = ({ query }) => (query.part === '3' ? { status: 403, code: 'STORAGE_QUOTA_EXCEEDED' } : undefined);
    expect(await uppy.upload()).toMatchObject({ failed: [{ id }] });
    expect(fake.uploads.size).toBe(1);
    uppy.removeFile(id);
    await expect.poll(() => fake.uploads.size).toBe(0);
  });

  it('pauses, continues and cancels with Uppy', async () => {
    const { fake, uppy, add } = await uppyBefore();
    const [kept, removed] = [add('film.mp4', 3 * partBytes), add('movie.mp4', 3 * partBytes)];
    fake.fault = ({ operation, query }) => (operation === 'part' && query.part === '3' ? { hang: true } : undefined);
    const done = uppy.upload();
    await expect.poll(() => fake.requests.filter(({ query }) => query.part === '3').length).toBe(2);
    fake.fault = () => undefined;
    expect(uppy.pauseResume(kept)).toBe(true);
    uppy.removeFile(removed);
    await expect.poll(() => fake.uploads.size).toBe(1);
    expect(uppy.pauseResume(kept)).toBe(false);
    fake.endHung('answer');
    expect(await done).toMatchObject({ successful: [{ id: kept }], failed: [] });
    expect(fake.files.size).toBe(1);
  });
});
