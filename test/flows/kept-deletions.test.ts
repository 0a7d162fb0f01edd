import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { purgeTrash } from '#server/features/trash/purge-trash.ts';
import { exchange } from '#test/s3/exchange.ts';
import { pairOf } from '#test/s3/gateway.ts';
import { eventually } from '#test/support/eventually.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { signedIn } from '#test/support/sessions.ts';

const day = 86_400_000;

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

type Send = (method: string, path: string, body?: unknown) => Promise<TestAnswer>;

/** Sends requests with a key. */
const withKey =
  (credential: string): Send =>
  (method, path, body) =>
    server.send(path, { method, credential, ...(body !== undefined && { body: JSON.stringify(body) }) });

/** Sends requests as a person who has signed in at the console with a key. */
async function atConsole(credential: string): Promise<Send> {
  const browser = await signedIn(server, credential);
  return (method, path, body) =>
    browser.send(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

const weak = (account: TestAccount) => server.key(account, { scopes: ['blob:read', 'blob:write'] });

const put = async (account: TestAccount, name: string, prefix: string): Promise<string> => {
  server.clock.advance(1);
  return (await upload(server, account, { query: { name, prefix }, bytes: someBytes(600) })).json().response.id;
};

interface Version {
  readonly id: string;
  readonly version: string;
  readonly reason: string;
  readonly deleted_at: string;
  readonly purge_at: string;
}

const versions = async (send: Send): Promise<Version[]> => (await send('GET', '/v1/trash')).json().response.versions;
const daysLeft = async (send: Send) =>
  (await versions(send)).map((one) => (Date.parse(one.purge_at) - Date.parse(one.deleted_at)) / day);
const purgeDue = () => purgeTrash(server.running.app.stores, server.clock.now());

/** Starts a job and waits for its end. */
async function run(send: Send, body: object) {
  const started = await send('POST', '/v1/folders/jobs', body);
  expect(started.status, started.body.toString()).toBe(202);
  // A job begins after the millisecond of its start.
  server.clock.advance(1);
  const { id } = started.json().response;
  return eventually(async () => {
    const job = (await send('GET', `/v1/folders/jobs/${id}`)).json().response;
    expect(job.state).toBe('done');
    return job;
  });
}

/** How a file of a folder is deleted. */
type Delete = (send: Send, id: string, days: object) => Promise<void>;

const deleting: Readonly<Record<string, Delete>> = {
  async alone(send, object, days) {
    expect((await send('DELETE', '/v1/objects', { object, ...days })).status).toBe(200);
  },
  async 'as the one of a list'(send, object, days) {
    expect((await send('DELETE', '/v1/objects', { objects: [object], ...days })).status).toBe(200);
  },
  async 'in a list'(send, object, days) {
    const missing = object.replace(/[^/]+$/, 'missing.png');
    const { response } = (await send('DELETE', '/v1/objects', { objects: [object, missing], ...days })).json();
    expect(response).toMatchObject({ deleted: [object], not_found: [missing], failed: [] });
  },
  async 'by a job'(send, object, days) {
    const prefix = object.split('/').slice(2, -1).join('/');
    expect(await run(send, { action: 'delete', prefix, ...days })).toMatchObject({ done: 1, failed: 0 });
  },
};

const rules = [
  { prefix: 'short', keep_deleted_days: 10 },
  { prefix: 'long', keep_deleted_days: 60 },
  { prefix: 'last', keep_deleted_days: 60, keep_versions: 1 },
];

async function ruled(): Promise<{ readonly account: TestAccount; readonly send: Send }> {
  const account = await server.account();
  const send = withKey(account.credential);
  expect((await send('PUT', '/v1/account/settings', { rules })).status).toBe(200);
  return { account, send };
}

describe.each(Object.entries(deleting))('a file that is deleted %s', (_door, remove) => {
  it.each([
    ['none', {}, []],
    ['none', { keep_deleted_days: 0 }, []],
    ['none', { keep_deleted_days: 1 }, [1]],
    ['none', { keep_deleted_days: 365 }, [365]],
    ['short', {}, [10]],
    ['short', { keep_deleted_days: 0 }, [10]],
    ['short', { keep_deleted_days: 30 }, [30]],
    ['long', { keep_deleted_days: 30 }, [60]],
  ])('stays for the longer of the rule and the request: %s, %o', async (prefix, days, kept) => {
    const { account, send } = await ruled();
    await remove(send, await put(account, 'a', prefix), days);
    expect(await daysLeft(send)).toEqual(kept);
    const { usage } = (await send('GET', '/v1/account/stats')).json().response;
    expect(usage).toMatchObject({ storage: 600 * kept.length, trash: { objects: kept.length } });
  });

  it('stays for the days of its request, however few versions the rule keeps', async () => {
    const { account, send } = await ruled();
    for (let time = 0; time < 3; time++) {
      await remove(send, await put(account, 'a', 'last'), { keep_deleted_days: 30 });
      server.clock.advance(1000);
    }
    // The rule keeps the newest version alone, and the requests keep the others.
    expect(await daysLeft(send)).toEqual([60, 30, 30]);
    await remove(send, await put(account, 'a', 'last'), {});
    expect(await daysLeft(send)).toEqual([60, 30, 30, 30]);
    server.clock.advance(31 * day);
    await purgeDue();
    expect(await daysLeft(send)).toEqual([60]);
    const { usage } = (await send('GET', '/v1/account/stats')).json().response;
    expect(usage).toEqual({ objects: 0, storage: 600, trash: { objects: 1, storage: 600 } });
  });

  it('leaves the trash when the file would have expired', async () => {
    const { account, send } = await ruled();
    const query = { name: 'a', prefix: 'none', expire: '7d' };
    const { id } = (await upload(server, account, { query })).json().response;
    await remove(send, id, { keep_deleted_days: 30 });
    const [days] = await daysLeft(send);
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
  });

  it('is counted right, and is restored', async () => {
    const { account, send } = await ruled();
    const id = await put(account, 'a', 'none');
    await remove(send, id, { keep_deleted_days: 30 });
    const [version] = await versions(send);
    expect(version).toMatchObject({ id, reason: 'deleted' });
    const restored = await send('POST', '/v1/trash/restore', { version: version!.version });
    expect(restored.json().response.restored).toEqual([{ version: version!.version, id }]);
    expect((await send('GET', `/v1/objects/info?object=${id}`)).status).toBe(200);
    const { usage } = (await send('GET', '/v1/account/stats')).json().response;
    expect(usage).toEqual({ objects: 1, storage: 600, trash: { objects: 0, storage: 0 } });
    expect(await server.running.app.stores.metadata.read.storeCheck.differences()).toEqual([]);
  });
});

describe('the report of a deletion', () => {
  it('names what the trash keeps, with the version that restores it', async () => {
    const { account, send } = await ruled();
    const [a, b] = [await put(account, 'a', 'none'), await put(account, 'b', 'short')];
    const several = (await send('DELETE', '/v1/objects', { objects: [a, b] })).json().response;
    const [kept] = await versions(send);
    expect(several).toEqual({
      ...{ deleted: [a, b], not_found: [], failed: [] },
      kept: [{ id: b, version: kept!.version }],
    });
    const again = await put(account, 'c', 'none');
    const one = await send('DELETE', '/v1/objects', { object: again, keep_deleted_days: 30 });
    const version = (await versions(send)).find(({ id }) => id === again)!.version;
    expect(one.json().response).toEqual({
      ...{ deleted: [again], kept: [{ id: again, version }] },
      ...{ not_found: [], failed: [] },
    });
    const none = await send('DELETE', '/v1/objects', { object: again, keep_deleted_days: 30 });
    expect(none.json()).toMatchObject({ code: 'OBJECT_NOT_FOUND' });
  });
});

/** How a version of the trash is purged. Each returns the code of its refusal, or `purged`. */
const purging: Readonly<Record<string, (send: Send, version: Version, credential: string) => Promise<string>>> = {
  async alone(send, { version }) {
    return (await send('DELETE', '/v1/trash', { version })).json().code ?? 'purged';
  },
  async 'in a list'(send, { version }) {
    const body = { versions: [version, '3aekqbzcr5v7mkq2n4x6w3z3b'] };
    const { purged, failed } = (await send('DELETE', '/v1/trash', body)).json().response;
    return purged.length === 1 ? 'purged' : failed[0].code;
  },
  async 'by a job'(send, { id }) {
    const prefix = id.split('/').slice(2, -1).join('/');
    const { done, failures } = await run(send, { action: 'purge', prefix });
    return done === 1 ? 'purged' : failures[0].code;
  },
  async 'over S3'(_send, { id, version }, credential) {
    const path = `/public/${id.split('/').slice(2).join('/')}`;
    const endpoint = await pairOf(server, credential);
    const answer = await exchange(endpoint, {
      ...{ method: 'DELETE', path, query: { versionId: version }, signedAtMs: server.clock.now() },
    });
    if (answer.status === 204) return 'purged';
    return answer.text.includes('AccessDenied') ? 'VERSION_KEPT' : answer.text;
  },
  async 'in a list over S3'(_send, { id, version }, credential) {
    const key = id.split('/').slice(2).join('/');
    const body = `<Delete><Object><Key>${key}</Key><VersionId>${version}</VersionId></Object></Delete>`;
    const endpoint = await pairOf(server, credential);
    const answer = await exchange(endpoint, {
      ...{ method: 'POST', path: '/public', query: { delete: '' }, body, signedAtMs: server.clock.now() },
    });
    if (answer.text.includes('<Deleted>')) return 'purged';
    return answer.text.includes('AccessDenied') ? 'VERSION_KEPT' : answer.text;
  },
};

describe.each(Object.entries(purging))('what a request keeps, purged %s', (door, purge) => {
  const isS3 = door.includes('S3');

  async function kept(prefix = 'none') {
    const { account, send } = await ruled();
    await deleting.alone!(send, await put(account, 'a', prefix), { keep_deleted_days: 30 });
    const [version] = await versions(send);
    // Without its delete marker it is a version of S3.
    if (isS3)
      await server.running.app.stores.metadata.atomically((tx) =>
        tx.trash.setReason(account.id, version!.version, 'replaced'),
      );
    return { account, send, version: version! };
  }

  it('is gone for a key with all scopes', async () => {
    const { account, send, version } = await kept();
    expect(await purge(send, version, account.credential)).toBe('purged');
    expect(await versions(send)).toEqual([]);
  });

  it('stays for another key, also where a rule keeps it too', async () => {
    for (const prefix of ['none', 'short', 'long']) {
      const { account, send, version } = await kept(prefix);
      const credential = await weak(account);
      expect(await purge(withKey(credential), version, credential), prefix).toBe('VERSION_KEPT');
      expect(await versions(send)).toHaveLength(1);
    }
  });

  it('is gone for another key when only the rule keeps it on', async () => {
    const { account, send, version } = await kept('long');
    server.clock.advance(30 * day);
    const credential = await weak(account);
    expect(await purge(withKey(credential), version, credential)).toBe('purged');
    expect(await versions(send)).toEqual([]);
  });

  it.skipIf(isS3)('is gone for a person at the console, whose key may write', async () => {
    const { account, send, version } = await kept();
    expect(await purge(await atConsole(await weak(account)), version, account.credential)).toBe('purged');
    expect(await versions(send)).toEqual([]);
  });
});

describe('in a full account', () => {
  const { metadata } = { metadata: () => server.running.app.stores.metadata };

  /** An account without a free byte, whose trash keeps a file of 600 bytes of each folder, the first deleted first. */
  async function full(...folders: readonly string[]) {
    const { account, send } = await ruled();
    for (const folder of folders)
      await deleting.alone!(send, await put(account, 'a', folder), { keep_deleted_days: 30 });
    await metadata().atomically((tx) => tx.accounts.setQuota(account.id, 600 * folders.length));
    return { account, send };
  }

  const folders = async (send: Send) => (await versions(send)).map(({ id }) => id.split('/')[2]);

  /** Uploads 600 bytes at the console. */
  async function uploadAtConsole(credential: string, prefix: string): Promise<TestAnswer> {
    const browser = await signedIn(server, credential);
    const body = new FormData();
    body.append('file', new File([new Uint8Array(600)], 'b.png'));
    return browser.send(`/v1/objects?name=b&prefix=${prefix}`, { method: 'POST', body });
  }

  it('the oldest gives way to a person at the console, whose key may write', async () => {
    const { account, send } = await full('b', 'a');
    expect((await uploadAtConsole(await weak(account), 'new')).status).toBe(200);
    expect(await folders(send)).toEqual(['a']);
  });

  it('only what the key of the console reaches gives way', async () => {
    const { account, send } = await full('a', 'b', 'c');
    const scopes = ['blob:read', 'blob:write'] as const;
    const credential = await server.key(account, { scopes: [...scopes], prefixes: ['b', 'new'] });
    expect((await uploadAtConsole(credential, 'new')).status).toBe(200);
    expect(await folders(send)).toEqual(['a', 'c']);
    expect((await uploadAtConsole(credential, 'b')).json().code).toBe('STORAGE_QUOTA_EXCEEDED');
    expect(await folders(send)).toEqual(['a', 'c']);
  });

  it('nothing gives way to an upload token of a key with all scopes', async () => {
    const { send } = await full('a');
    const { token } = (await send('POST', '/v1/upload-tokens', {})).json().response;
    const { status } = await upload(server, { id: '', keyId: '', credential: token }, { bytes: someBytes(600) });
    expect(status).toBe(403);
    expect(await folders(send)).toEqual(['a']);
  });

  it('nothing gives way to a write that is refused for another reason', async () => {
    const { account, send } = await full('a');
    const query = { name: 'b', checksum_sha256: '0'.repeat(64) };
    const answer = await upload(server, account, { query, bytes: someBytes(600) });
    expect(answer.json().code).toBe('CHECKSUM_MISMATCH');
    // A larger file does not lie in the row, and its bytes are reserved before they arrive.
    expect(await folders(send)).toEqual(['a']);
    await metadata().atomically((tx) => tx.accounts.setQuota(account.id, null));
    server.clock.advance(1);
    await deleting.alone!(send, (await upload(server, account, { bytes: someBytes(40_000) })).json().response.id, {
      keep_deleted_days: 30,
    });
    await metadata().atomically((tx) => tx.accounts.setQuota(account.id, 40_600));
    const large = await upload(server, account, { query, bytes: someBytes(40_000) });
    expect(large.json().code).toBe('CHECKSUM_MISMATCH');
    expect(await versions(send)).toHaveLength(2);
    expect((await upload(server, account, { query: { name: 'b' }, bytes: someBytes(40_000) })).status).toBe(200);
    expect(await versions(send)).toEqual([]);
  });

  it.each([true, false])('a job copies a folder in the place of what gives way: all scopes %s', async (isStrong) => {
    const { account, send } = await ruled();
    for (const name of ['a', 'b']) await put(account, name, 'from');
    for (const folder of ['x', 'y', 'z'])
      await deleting.alone!(send, await put(account, 'a', folder), { keep_deleted_days: 30 });
    await metadata().atomically((tx) => tx.accounts.setQuota(account.id, 600 * 5));
    const sender = isStrong ? send : withKey(await weak(account));
    const dry = await run(sender, { action: 'copy', prefix: 'from', destination: 'to', dry_run: true });
    expect(dry).toMatchObject({ done: 0, failed: 2 });
    expect(await folders(send)).toEqual(['x', 'y', 'z']);
    const job = await run(sender, { action: 'copy', prefix: 'from', destination: 'to' });
    expect(job).toMatchObject(isStrong ? { done: 2, failed: 0 } : { done: 0, failed: 2 });
    expect(await folders(send)).toEqual(isStrong ? ['z'] : ['x', 'y', 'z']);
    if (!isStrong) return;
    // Two files need more than what is left, so nothing gives way.
    const again = await run(sender, { action: 'copy', prefix: 'from', destination: 'more' });
    expect(again).toMatchObject({ done: 0, failed: 2 });
    expect(await folders(send)).toEqual(['z']);
  });
});

describe('the restoring of what a job has deleted', () => {
  it('leaves what was deleted otherwise, before or since', async () => {
    const { account, send } = await ruled();
    const [early, a, b] = [
      await put(account, 'early', 'f'),
      await put(account, 'a', 'f'),
      await put(account, 'b', 'f'),
    ];
    await deleting.alone!(send, early, { keep_deleted_days: 30 });
    const { id } = await run(send, { action: 'delete', prefix: 'f', keep_deleted_days: 30 });
    // Somebody has stored and deleted one of them again.
    await put(account, 'b', 'f');
    await deleting.alone!(send, b, { keep_deleted_days: 30 });
    const dry = await run(send, { action: 'restore', prefix: 'f', deleted_by: id, dry_run: true });
    expect(dry).toMatchObject({ total: 1, done: 1 });
    expect(await run(send, { action: 'restore', prefix: 'f', deleted_by: id })).toMatchObject({ done: 1, failed: 0 });
    const { objects } = (await send('GET', '/v1/objects')).json().response;
    expect(objects.map((one: { id: string }) => one.id)).toEqual([a]);
  });

  it('needs a job that the key sees', async () => {
    const { account, send } = await ruled();
    const { id } = await run(send, { action: 'delete', prefix: 'f', keep_deleted_days: 30 });
    const limited = withKey(await server.key(account, { scopes: ['blob:write'], prefixes: ['g'] }));
    const restore = (by: Send, deleted_by: string) =>
      by('POST', '/v1/folders/jobs', { action: 'restore', prefix: 'g', deleted_by });
    expect((await restore(limited, id)).json().code).toBe('PREFIX_NOT_ALLOWED');
    expect((await restore(send, 'job_unknown')).json().code).toBe('FOLDER_JOB_NOT_FOUND');
  });
});

describe('the days of the console', () => {
  it('are 30 until the account sets others, and apply to no deletion by themselves', async () => {
    const account = await server.account();
    const send = withKey(account.credential);
    const settings = async () => (await send('GET', '/v1/account/settings')).json().response;
    expect((await settings()).keep_deleted_days).toBe(30);
    for (const days of [0, 365, 7]) {
      const saved = await send('PUT', '/v1/account/settings', { keep_deleted_days: days });
      expect(saved.json().response).toMatchObject({ rules: [], keep_deleted_days: days });
      expect((await settings()).keep_deleted_days).toBe(days);
    }
    expect((await send('PUT', '/v1/account/settings', { rules })).json().response.keep_deleted_days).toBe(7);
    await deleting.alone!(send, await put(account, 'a', 'none'), {});
    expect(await versions(send)).toEqual([]);
    const { activity } = (await send('GET', '/v1/account/activity')).json().response;
    const changes = activity.filter(({ type }: { type: string }) => type === 'settings.changed');
    expect(changes[0].details).toEqual({ keep_deleted_days: 7 });
    expect(
      (await withKey((await server.account()).credential)('GET', '/v1/account/settings')).json().response,
    ).toMatchObject({ keep_deleted_days: 30 });
  });
});
