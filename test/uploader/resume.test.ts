import { uploadFile, type ResumeStore, type UploadOptions } from 'cubby-server/uploader';
import { describe, expect, it, vi } from 'vitest';

import { sha256, someBytes } from '#test/support/files.ts';
import { asked, crashed, fileOf, partBytes } from './crashed-upload.ts';
import { startFakeServer } from './fake-server.ts';

describe('an interrupted upload', () => {
  it('is continued by another upload of the same file, which sends only the missing parts', async () => {
    const { fake, store, bytes, options } = await crashed();
    const progress: number[] = [];
    const states: string[] = [];
    const again = uploadFile(fileOf(bytes), {
      ...options,
      onProgress: ({ sentBytes }) => void progress.push(sentBytes),
      onState: (state) => void states.push(state),
    });
    expect(await again.done).toMatchObject({ sha256: sha256(bytes), parts: 4 });
    expect(asked(fake)).toEqual(['complete', 'part3', 'part4', 'status']);
    expect(states).toEqual(['checking', 'uploading', 'completed']);
    expect(progress.filter((sentBytes) => sentBytes >= 2 * partBytes).length).toBeGreaterThan(1);
    expect(store.size).toBe(0);
  });

  it('keeps its original size of parts', async () => {
    const { fake, bytes, options } = await crashed();
    expect(await uploadFile(fileOf(bytes), { ...options, chunkSizeBytes: 8_388_608 }).done).toMatchObject({
      sha256: sha256(bytes),
      parts: 4,
    });
    expect(asked(fake)).toEqual(['complete', 'part3', 'part4', 'status']);
  });

  it('sends a part again when its size is wrong', async () => {
    const { fake, bytes, options } = await crashed();
    [...fake.uploads.values()][0]!.parts.set(2, Buffer.alloc(7));
    expect(await uploadFile(fileOf(bytes), options).done).toMatchObject({ sha256: sha256(bytes) });
    expect(asked(fake)).toEqual(['complete', 'part2', 'part3', 'part4', 'status']);
  });

  it('is not continued for other bytes of the same name, size and time', async () => {
    const { fake, bytes, options } = await crashed();
    const others = Buffer.from(bytes);
    others[0]! ^= 1;
    expect(await uploadFile(fileOf(others), options).done).toMatchObject({ sha256: sha256(others) });
    expect(asked(fake)).toEqual(['complete', 'part1', 'part2', 'part3', 'part4', 'start']);
  });

  it.each<[string, Partial<UploadOptions>, string]>([
    ['goes elsewhere', { query: { name: 'film', prefix: 'films' } }, 'film.mp4'],
    ['has another name', {}, 'movie.mp4'],
  ])('is not continued for a file that %s', async (_, options, name) => {
    const left = await crashed();
    await uploadFile(fileOf(left.bytes, name), { ...left.options, ...options }).done;
    expect(left.fake.count('start')).toBe(1);
    expect(left.store.size).toBe(1);
  });

  it('starts again when the server no longer has it', async () => {
    const { fake, store, bytes, options } = await crashed();
    fake.uploads.clear();
    expect(await uploadFile(fileOf(bytes), options).done).toMatchObject({ sha256: sha256(bytes) });
    expect(asked(fake)).toEqual(['complete', 'part1', 'part2', 'part3', 'part4', 'start', 'status']);
    expect(store.size).toBe(0);
  });

  it('only repeats the completion when its response was lost', async () => {
    const { fake, store, bytes, options } = await crashed();
    fake.fault = ({ operation }) => (operation === 'complete' ? { cut: 'late' } : undefined);
    await expect(uploadFile(fileOf(bytes), { ...options, retry: { tries: 1 } }).done).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
    });
    expect([...store.values()]).toEqual([expect.objectContaining({ completingAt: expect.any(Number) })]);
    fake.fault = () => undefined;
    fake.requests.length = 0;
    expect(await uploadFile(fileOf(bytes), options).done).toMatchObject({ sha256: sha256(bytes), parts: 4 });
    expect(asked(fake)).toEqual(['complete', 'info', 'status']);
    expect(store.size).toBe(0);
  });

  it('keeps its record when it fails, so that it can be retried', async () => {
    const { fake, store, bytes, options } = await crashed();
    fake.fault = ({ query }) => (query.part === '3' ? { status: 403, code: 'STORAGE_QUOTA_EXCEEDED' } : undefined);
    await expect(uploadFile(fileOf(bytes), options).done).rejects.toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
    expect([fake.uploads.size, store.size]).toEqual([1, 1]);
  });

  it('starts again when its record is malformed', async () => {
    const { fake, store, bytes, options } = await crashed();
    for (const key of store.keys()) store.set(key, { version: 1, upload: 7 } as never);
    expect(await uploadFile(fileOf(bytes), options).done).toMatchObject({ sha256: sha256(bytes) });
    expect(fake.count('start')).toBe(1);
  });

  it('completes with a record store that fails', async () => {
    const fail = () => Promise.reject(new Error('The disk is full.'));
    const broken: ResumeStore = { get: fail, set: fail, delete: fail };
    const { fake, bytes, options } = await crashed();
    expect(await uploadFile(fileOf(bytes), { ...options, resumeStore: broken }).done).toMatchObject({
      sha256: sha256(bytes),
    });
    expect(fake.count('start')).toBe(1);
  });
});

describe('an upload with an upload token', () => {
  it('stores no API key', async () => {
    const { store } = await crashed();
    expect(JSON.stringify([...store])).not.toContain('cbk_key');
  });

  it('requests another token when the first is spent', async () => {
    const fake = await startFakeServer();
    const given = vi.fn((refused?: string) => (refused === undefined ? 'cbup_spent' : 'cbup_new'));
    fake.fault = ({ credential }) =>
      credential === 'cbup_spent' ? { status: 401, code: 'UPLOAD_TOKEN_USED' } : undefined;
    const bytes = someBytes(3 * partBytes);
    await uploadFile(fileOf(bytes), {
      baseUrl: fake.baseUrl,
      credential: given,
      singleUpToBytes: 0,
      chunkSizeBytes: partBytes,
    }).done;
    expect(given.mock.calls).toEqual([[undefined], ['cbup_spent']]);
    expect(fake.count('start')).toBe(2);
  });

  it('starts again with another token when its own is revoked meanwhile', async () => {
    const { fake, bytes, options } = await crashed({ credential: (refused) => (refused ? 'cbup_new' : 'cbup_first') });
    fake.fault = ({ credential }) => (credential === 'cbup_first' ? { status: 401, code: 'ACCESS_DENIED' } : undefined);
    expect(await uploadFile(fileOf(bytes), options).done).toMatchObject({ sha256: sha256(bytes) });
    expect(fake.requests.at(-1)!.credential).toBe('cbup_new');
  });

  it('starts again with the current token when the stored one is revoked, but not with the same token', async () => {
    const { fake, store, bytes, options } = await crashed({ credential: 'cbup_first' });
    fake.fault = ({ credential }) => (credential === 'cbup_first' ? { status: 401, code: 'ACCESS_DENIED' } : undefined);
    await expect(uploadFile(fileOf(bytes), options).done).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect(store.size).toBe(1);
    expect(await uploadFile(fileOf(bytes), { ...options, credential: 'cbup_second' }).done).toMatchObject({
      sha256: sha256(bytes),
    });
    expect(store.size).toBe(0);
  });

  it('starts again with a key that has no access to its original place', async () => {
    const { fake, bytes, options } = await crashed();
    fake.fault = ({ operation }) => (operation === 'status' ? { status: 403, code: 'PREFIX_NOT_ALLOWED' } : undefined);
    expect(await uploadFile(fileOf(bytes), options).done).toMatchObject({ sha256: sha256(bytes) });
    expect(fake.count('start')).toBe(1);
  });

  it('fails when the next token is refused too', async () => {
    const fake = await startFakeServer();
    fake.fault = () => ({ status: 401, code: 'ACCESS_DENIED' });
    let number = 0;
    await expect(
      uploadFile(fileOf(someBytes()), { baseUrl: fake.baseUrl, credential: () => `cbup_${++number}` }).done,
    ).rejects.toMatchObject({ code: 'ACCESS_DENIED', status: 401 });
    expect(fake.requests.map(({ credential }) => credential)).toEqual(['cbup_1', 'cbup_2']);
  });

  it('fails with NO_CREDENTIAL when the function provides none', async () => {
    const credential = () => Promise.reject(new Error('503'));
    await expect(
      uploadFile(fileOf(someBytes()), { baseUrl: 'http://127.0.0.1:9', credential }).done,
    ).rejects.toMatchObject({ code: 'NO_CREDENTIAL' });
  });
});
