import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { purgeTrash } from '#server/features/trash/purge-trash.ts';
import { deleteExpired } from '#server/features/files/deletion/delete-expired.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

const day = 86_400_000;

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

const ask = (method: string, path: string, { credential }: Pick<TestAccount, 'credential'>, body?: unknown) =>
  server.send(path, { method, credential, ...(body !== undefined && { body: JSON.stringify(body) }) });

/** Makes an account whose trash keeps what is under `kept/` for 30 days. */
async function keeping(): Promise<TestAccount> {
  const account = await server.account();
  const rules = [{ prefix: 'kept', keep_deleted_days: 30 }, { prefix: 'kept/not' }];
  expect((await ask('PUT', '/v1/account/settings', account, { rules })).json().response.rules[0]).toMatchObject({
    prefix: 'kept/',
    keep_deleted_days: 30,
  });
  return account;
}

const put = async (account: TestAccount, query: string): Promise<string> =>
  (await upload(server, account, { query: Object.fromEntries(new URLSearchParams(query)) })).json().response.id;
const remove = (account: TestAccount, id: string) => ask('DELETE', '/v1/objects', account, { object: id });
const list = async (account: Pick<TestAccount, 'credential'>, query = '') =>
  (await ask('GET', `/v1/trash?${query}`, account)).json().response as { versions: any[]; continuationToken?: string };
const restore = (account: Pick<TestAccount, 'credential'>, body: object) =>
  ask('POST', '/v1/trash/restore', account, body);
const usage = async (account: TestAccount) => (await ask('GET', '/v1/account/stats', account)).json().response.usage;
const events = async (account: TestAccount) =>
  (await ask('GET', '/v1/events', account)).json().response.events.map(({ type }: { type: string }) => type);

describe('the trash', () => {
  it('keeps nothing unasked', async () => {
    const account = await server.account();
    await remove(account, await put(account, 'name=a&prefix=kept'));
    expect(await list(account)).toEqual({ versions: [] });
    expect(await usage(account)).toEqual({ objects: 0, storage: 0, trash: { objects: 0, storage: 0 } });
  });

  it('keeps a deletion and a replacement, counts them, and gives each back under its id', async () => {
    const account = await keeping();
    const id = await put(account, 'name=a&prefix=kept');
    const { storage: size } = await usage(account);
    server.clock.advance(1000);
    await put(account, 'name=a&prefix=kept&overwrite=true');
    server.clock.advance(1000);
    expect((await remove(account, id)).status).toBe(200);
    expect((await ask('GET', `/v1/objects/info?object=${id}`, account)).status).toBe(404);
    const { versions } = await list(account);
    expect(versions).toMatchObject([
      { id, reason: 'deleted', size, private: false },
      { id, reason: 'replaced', size, private: false },
    ]);
    const purgeAt = Date.parse(versions[0].purge_at);
    expect(purgeAt - Date.parse(versions[0].deleted_at)).toBe(30 * day);
    expect(await usage(account)).toEqual({ objects: 0, storage: 2 * size, trash: { objects: 2, storage: 2 * size } });

    const [newer, older] = versions.map(({ version }) => version);
    expect((await restore(account, { version: older })).json().response).toEqual({
      restored: [{ version: older, id }],
      failed: [],
    });
    expect((await ask('GET', `/v1/objects/info?object=${id}`, account)).json().response).toMatchObject({ id, size });
    expect((await restore(account, { version: newer })).json().code).toBe('OBJECT_ALREADY_EXISTS');
    server.clock.advance(1000);
    expect((await restore(account, { version: newer, overwrite: true })).status).toBe(200);
    const left = await list(account);
    expect(left.versions).toMatchObject([{ id, reason: 'replaced' }]);
    expect(left.versions[0].version).not.toBe(older);
    expect(await usage(account)).toEqual({ objects: 1, storage: 2 * size, trash: { objects: 1, storage: size } });

    const last = left.versions[0].version;
    expect((await ask('DELETE', '/v1/trash', account, { version: last })).json().response.purged).toEqual([last]);
    expect((await ask('DELETE', '/v1/trash', account, { version: last })).json().code).toBe('VERSION_NOT_FOUND');
    expect((await restore(account, { version: last })).json().code).toBe('VERSION_NOT_FOUND');
    expect(await usage(account)).toEqual({ objects: 1, storage: size, trash: { objects: 0, storage: 0 } });
    expect((await events(account)).slice(-4)).toEqual([
      'object.deleted',
      'object.restored',
      'object.restored',
      'object.purged',
    ]);
  });

  it('keeps as many versions of a file as its rule says, the newest, and tells of the others', async () => {
    const account = await server.account();
    const save = (rule: object) =>
      ask('PUT', '/v1/account/settings', account, { rules: [{ prefix: 'kept', keep_deleted_days: 30, ...rule }] });
    expect((await save({ keep_versions: 3 })).json().response.rules[0].keep_versions).toBe(3);
    const overwrite = async (name: string) => {
      server.clock.advance(1000);
      return put(account, `name=${name}&prefix=kept&overwrite=true`);
    };
    for (let version = 0; version < 6; version++) await overwrite('a');
    for (let version = 0; version < 3; version++) await overwrite('b');
    const keys = async () =>
      (await list(account)).versions.map(({ id, deleted_at }) => [id.at(-5), Date.parse(deleted_at)]);
    const all = await keys();
    expect(all.map(([key]) => key)).toEqual(['a', 'a', 'a', 'b', 'b']);
    const { storage } = await usage(account);
    expect((await usage(account)).trash).toEqual({ objects: 5, storage: (storage / 7) * 5 });
    expect((await events(account)).filter((type: string) => type === 'object.purged')).toHaveLength(2);
    await remove(account, (await list(account)).versions[0].id);
    expect((await list(account)).versions.map(({ reason }) => reason)).toEqual([
      ...['deleted', 'replaced', 'replaced'],
      ...['replaced', 'replaced'],
    ]);

    // A lower number holds for what is kept already.
    await save({ keep_versions: 1 });
    expect(await keys()).toHaveLength(5);
    const { stores } = server.running.app;
    expect(await purgeTrash(stores, server.clock.now())).toBe(3);
    expect((await list(account)).versions.map(({ id, reason }) => [id.at(-5), reason])).toEqual([
      ['a', 'deleted'],
      ['b', 'replaced'],
    ]);
    expect(await purgeTrash(stores, server.clock.now())).toBe(0);
    expect((await usage(account)).trash).toEqual({ objects: 2, storage: (storage / 7) * 2 });
    await save({});
    for (let version = 0; version < 3; version++) await overwrite('b');
    expect(await keys()).toHaveLength(5);
    expect(await stores.metadata.read.storeCheck.differences()).toEqual([]);
  });

  it('serves a restored public file again, and brings no link back', async () => {
    const account = await keeping();
    const id = await put(account, 'name=a&prefix=kept');
    const share = (await ask('POST', '/v1/shares', account, { object: id })).json().response;
    expect((await server.send(new URL(share.url).pathname, { door: 'files' })).status).toBe(302);
    const path = `/${id.slice('pub/'.length)}`;
    expect((await server.send(path, { door: 'public' })).status).toBe(200);
    await remove(account, id);
    expect((await server.send(path, { door: 'public' })).status).toBe(404);
    const [{ version }] = (await list(account)).versions;
    await restore(account, { version });
    expect((await server.send(path, { door: 'public' })).status).toBe(200);
    expect((await server.send(new URL(share.url).pathname, { door: 'files' })).status).toBe(404);
  });

  it('answers a report for several versions, and shows a restricted key only what is its own', async () => {
    const account = await keeping();
    const ids = [await put(account, 'name=a&prefix=kept/x'), await put(account, 'name=b&prefix=kept/y')];
    for (const id of ids) await remove(account, id);
    const [x, y] = (await list(account)).versions.map(({ version }) => version);
    const credential = await server.key(account, { scopes: ['blob:read', 'blob:write'], prefixes: ['kept/x'] });
    expect((await list({ credential }, 'prefix=kept/x')).versions.map(({ version }) => version)).toEqual([x]);
    expect((await ask('GET', '/v1/trash', { credential })).json().code).toBe('PREFIX_REQUIRED');
    expect((await restore({ credential }, { version: y })).json().code).toBe('VERSION_NOT_FOUND');
    expect((await restore({ credential }, { versions: [y, x, x] })).json().response).toEqual({
      restored: [{ version: x, id: ids[0] }],
      failed: [{ version: y, code: 'VERSION_NOT_FOUND' }],
    });
    const other = await server.account();
    expect((await restore(other, { version: y })).json().code).toBe('VERSION_NOT_FOUND');
    expect((await ask('DELETE', '/v1/trash', other, { versions: [y, x] })).json().response.purged).toEqual([]);
  });

  it('pages through versions, and forbids a cursor of another list', async () => {
    const account = await keeping();
    for (const name of ['a', 'b', 'c']) await remove(account, await put(account, `name=${name}&prefix=kept`));
    const first = await list(account, 'limit=2');
    const second = await list(account, `limit=2&cursor=${first.continuationToken}`);
    expect([...first.versions, ...second.versions].map(({ id }) => id.at(-'x.png'.length))).toEqual(['a', 'b', 'c']);
    expect(second.continuationToken).toBeUndefined();
    const wrong = await ask('GET', `/v1/trash?prefix=kept&cursor=${first.continuationToken}`, account);
    expect(wrong.json().code).toBe('INVALID_CONTINUATION_TOKEN');
  });

  it('lets the rule with the longest prefix decide, and keeps no expired file', async () => {
    const account = await keeping();
    await remove(account, await put(account, 'name=a&prefix=kept/not'));
    await put(account, 'name=a&prefix=kept&expire=7d');
    const { metadata } = server.running.app.stores;
    const short = await put(account, 'name=b&prefix=kept&expire=7d');
    await remove(account, short);
    const [{ purge_at: purgeAt, expires_at: expiresAt }] = (await list(account)).versions;
    expect(purgeAt).toBe(expiresAt);
    server.clock.advance(7 * day);
    expect((await list(account)).versions).toEqual([]);
    await deleteExpired({ metadata }, server.clock.now());
    expect(await purgeTrash({ metadata }, server.clock.now())).toBe(1);
    expect(await usage(account)).toEqual({ objects: 0, storage: 0, trash: { objects: 0, storage: 0 } });
  });

  it('keeps what moves and S3 replace, and leaves nothing behind where a file moved away', async () => {
    const account = await keeping();
    const [a, b] = [await put(account, 'name=a&prefix=kept'), await put(account, 'name=b&prefix=kept')];
    const destination = { name: 'b', prefix: 'kept' };
    expect(
      (await ask('POST', '/v1/objects/copy', account, { source: a, destination, move: true, overwrite: true })).status,
    ).toBe(200);
    expect((await list(account)).versions).toMatchObject([{ id: b, reason: 'replaced' }]);
  });
});
