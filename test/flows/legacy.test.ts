import { describe, expect, it } from 'vitest';

import { importLegacyFile } from '#server/features/files/legacy/import-legacy-file.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';

async function start() {
  const server = await startTestServer();
  const account = await server.account();
  const { credential } = account;
  const { stores } = server.running.app;
  const json = (path: string, method: string, body: object) =>
    server.send(path, { method, credential, body: JSON.stringify(body) });
  const importFile = async (key: string, bytes = someBytes()) => {
    const owner = (await stores.metadata.read.accounts.find(account.id))!;
    const open = async function* () {
      yield bytes;
    };
    await importLegacyFile(stores, {
      account: owner,
      key,
      sizeBytes: bytes.length,
      open,
      signal: new AbortController().signal,
    });
    return { id: `${account.id}/${key}`, bytes };
  };
  return {
    server,
    account,
    importFile,
    importStores: stores,
    info: async (id: string) =>
      (await server.send(`/v1/objects/info?object=${encodeURIComponent(id)}`, { credential })).json(),
    list: async (query = '') =>
      (await server.send(`/v1/objects${query}`, { credential }))
        .json()
        .response.objects.map(({ id }: { id: string }) => id) as string[],
    one: async (body: object) => (await json('/v1/objects', 'PATCH', body)).json().response.results[0],
    copy: (body: object) => json('/v1/objects/copy', 'POST', body),
    remove: (body: object) => json('/v1/objects', 'DELETE', body),
    fetchPublic: (key: string) => server.send(`/${account.id}/${key}`, { door: 'public' }),
    usage: async () => {
      const { usedBytes, usedObjects, reservedBytes } = (await stores.metadata.read.accounts.find(account.id))!;
      return { usedBytes, usedObjects, reservedBytes };
    },
  };
}

describe('a legacy file', () => {
  it('is listed after the public and the private ones', async () => {
    const { server, account, importFile, list } = await start();
    const { id } = await importFile('a.png');
    await upload(server, account, { query: { name: 'z' } });
    await upload(server, account, { query: { name: 'y', private: 'true' } });
    expect(await list()).toEqual([`pub/${account.id}/z.png`, expect.stringMatching(/^prv\//), id]);
  });

  it('has no URL in a list until the public file of the same key expires', async () => {
    const { server, account, importFile } = await start();
    const { credential } = account;
    const { id } = (await upload(server, account, { query: { name: 'a', expire: '1h' } })).json().response;
    await importFile(id.split('/')[2]);
    const urls = async (query: string) =>
      (await server.send(`/v1/objects?${query}`, { credential }))
        .json()
        .response.objects.map(({ url }: { url: string | null }) => url && new URL(url).pathname);
    const path = `/${id.replace('pub/', '')}`;
    for (const query of ['', 'private=false', '']) expect(await urls(query)).toEqual([path, null]);
    server.clock.advance(3_600_000);
    expect(await urls('')).toEqual([path]);
  });

  it('is marked as legacy', async () => {
    const { account, importFile, info } = await start();
    const { id } = await importFile('old/a.png');
    expect((await info(id)).response).toMatchObject({
      id,
      legacy: true,
      private: false,
      size: 3000,
      content_type: 'image/png',
      original_name: 'a.png',
      created_at: '2026-04-21T09:30:00.000Z',
      expires_at: null,
      url: expect.stringContaining(`/${account.id}/old/a.png`),
    });
  });

  it('is served on the public host if no public file has its key', async () => {
    const { server, account, importFile, fetchPublic, info, remove } = await start();
    const { bytes } = await importFile('photo.png');
    expect((await fetchPublic('photo.png')).body.equals(bytes)).toBe(true);
    const other = someBytes(600);
    await upload(server, account, { bytes: other });
    expect((await fetchPublic('photo.png')).body.equals(other)).toBe(true);
    // The list does not show it with the address of the other file.
    const urls = async () => {
      const { objects } = (await server.send('/v1/objects', { credential: account.credential })).json().response;
      return objects.map(({ id, url }: Record<string, unknown>) => [id, url]);
    };
    const shared = `${server.running.urls.public}/${account.id}/photo.png`;
    expect(await urls()).toEqual([
      [`pub/${account.id}/photo.png`, shared],
      [`${account.id}/photo.png`, null],
    ]);
    expect((await info(`${account.id}/photo.png`)).response).toMatchObject({ private: false, url: null });
    // The download link of the legacy file does not lead to the other file.
    const download = await server.send(`/v1/objects/download?object=${account.id}/photo.png`, {
      credential: account.credential,
    });
    expect(
      (await server.send(new URL(download.headers.get('location')!).pathname, { door: 'files' })).body.equals(bytes),
    ).toBe(true);
    await remove({ object: `pub/${account.id}/photo.png` });
    expect((await fetchPublic('photo.png')).body.equals(bytes)).toBe(true);
    expect(await urls()).toEqual([[`${account.id}/photo.png`, shared]]);
    expect((await info(`${account.id}/photo.png`)).response.url).toBe(shared);
  });

  it('is downloaded and deleted like any other', async () => {
    const { server, account, importFile, remove, info, fetchPublic, usage } = await start();
    const { id, bytes } = await importFile('a.png', someBytes(50_000));
    const download = async (query: string) =>
      (
        await server.send(`/v1/objects/download?object=${id}&redirect=false${query}`, {
          credential: account.credential,
        })
      ).json().response.url;
    expect((await server.send(new URL(await download('')).pathname, { door: 'public' })).body.equals(bytes)).toBe(true);
    const link = new URL(await download('&disposition=attachment')).pathname;
    expect((await server.send(link, { door: 'files' })).body.equals(bytes)).toBe(true);

    expect((await remove({ object: id })).status).toBe(200);
    expect((await info(id)).code).toBe('OBJECT_NOT_FOUND');
    expect((await remove({ object: id })).json().code).toBe('OBJECT_NOT_FOUND');
    expect([(await fetchPublic('a.png')).status, (await server.send(link, { door: 'files' })).status]).toEqual([
      404, 404,
    ]);
    expect(await usage()).toEqual({ usedBytes: 0, usedObjects: 0, reservedBytes: 0 });
  });

  it('stays in the legacy storage when it is copied, and moves to the current storage with a move', async () => {
    const { account, importFile, copy, info, list, fetchPublic, usage } = await start();
    const { id, bytes } = await importFile('a.png', someBytes(50_000));
    expect((await copy({ source: id, destination: { name: 'twin' } })).json().response).toMatchObject({
      id: `pub/${account.id}/twin.png`,
      moved: false,
    });
    expect((await info(id)).response.legacy).toBe(true);
    expect(await usage()).toEqual({ usedBytes: 100_000, usedObjects: 2, reservedBytes: 0 });

    // The same key in the current storage belongs to another file.
    const moved = (await copy({ source: id, destination: { name: 'a' }, move: true })).json().response;
    expect(moved).toMatchObject({ id: `pub/${account.id}/a.png`, moved: true });
    expect((await info(moved.id)).response.legacy).toBe(false);
    expect((await fetchPublic('a.png')).body.equals(bytes)).toBe(true);
    expect(await list()).toEqual([moved.id, `pub/${account.id}/twin.png`]);
    expect(await usage()).toEqual({ usedBytes: 100_000, usedObjects: 2, reservedBytes: 0 });
  });

  it.each([
    [{ private: true }, /^prv\/[0-9]{18}\/a_[a-z2-7]{16}\.png$/, 404],
    [{ private: false }, /^pub\/[0-9]{18}\/a\.png$/, 200],
    [{ expire: '30d' }, /^pub\/[0-9]{18}\/a-ex30\.png$/, 404],
    [{ expire: null }, /^pub\/[0-9]{18}\/a\.png$/, 200],
    [{ private: true, disposition: 'attachment', cache_control: 'immutable', metadata: { a: '1' } }, /^prv\//, 404],
    [{ expire: '30d', metadata: { a: '1' } }, /^pub\/.*-ex30\.png$/, 404],
  ])('moves to the current storage with %j', async (change, newId, status) => {
    const { importFile, one, info, fetchPublic, usage } = await start();
    const { id } = await importFile('a.png');
    const result = await one({ object: id, ...change });
    expect(result).toMatchObject({ object: id, ok: true, changed: true, id: expect.stringMatching(newId) });
    expect((await info(result.id)).response).toMatchObject({
      legacy: false,
      metadata: 'metadata' in change ? { a: '1' } : {},
    });
    expect((await info(id)).code).toBe('OBJECT_NOT_FOUND');
    expect((await fetchPublic('a.png')).status).toBe(status);
    expect(await usage()).toEqual({ usedBytes: 3000, usedObjects: 1, reservedBytes: 0 });
  });

  it.each([
    { cache_control: 'immutable' },
    { cache_control: null },
    { disposition: 'inline' },
    { metadata: { a: '1' } },
    { metadata: null },
  ])('gets OBJECT_IS_LEGACY for %j alone, and does not change', async (change) => {
    const { importFile, one, info } = await start();
    const { id } = await importFile('a.png');
    const before = await info(id);
    expect(await one({ object: id, ...change })).toEqual({ object: id, ok: false, code: 'OBJECT_IS_LEGACY' });
    expect(await info(id)).toEqual(before);
  });

  it('never replaces a current file', async () => {
    const { server, account, importFile, one, info } = await start();
    const { id } = await importFile('photo.png');
    const kept = (await upload(server, account, { bytes: someBytes(600) })).json().response;
    expect((await one({ object: id, private: false })).id).toMatch(/^pub\/[0-9]{18}\/photo_[a-z2-7]{16}\.png$/);
    expect((await info(kept.id)).response.size).toBe(600);
  });

  it('stays reachable when its key is too long to add a hash', async () => {
    const { importFile, one, info } = await start();
    const { id } = await importFile('k'.repeat(1024));
    expect(await one({ object: id, private: true })).toEqual({ object: id, ok: false, code: 'UPDATE_FAILED' });
    expect((await info(id)).response.legacy).toBe(true);
  });
});

describe('importLegacyFile()', () => {
  it.each(['', '.', '..', 'a/../b', './a', 'k'.repeat(1025), 'é'.repeat(513), 'a\u0000', '\ud800'])(
    'rejects the key %j with INVALID_OBJECT',
    async (key) => {
      const { importFile, usage } = await start();
      await expect(importFile(key)).rejects.toMatchObject({ code: 'INVALID_OBJECT' });
      expect((await usage()).usedObjects).toBe(0);
    },
  );

  it('does not refer to bytes that a starting server has removed', async () => {
    const { importStores: stores, account, usage } = await start();
    const owner = (await stores.metadata.read.accounts.find(account.id))!;
    const blobs = {
      async put(...args: Parameters<typeof stores.blobs.put>) {
        const hashes = await stores.blobs.put(...args);
        await stores.metadata.atomically(async (tx) => {
          for (const { id } of await tx.reservations.all()) await tx.reservations.release(id);
        });
        return hashes;
      },
    };
    const open = async function* () {
      yield someBytes(50_000);
    };
    const command = { account: owner, key: 'a', sizeBytes: 50_000, open, signal: new AbortController().signal };
    await expect(importLegacyFile({ ...stores, blobs }, command)).rejects.toThrow('Store it again');
    expect(await usage()).toEqual({ usedBytes: 0, usedObjects: 0, reservedBytes: 0 });
  });
});
