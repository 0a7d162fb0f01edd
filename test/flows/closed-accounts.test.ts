import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { jobs } from '#server/jobs/jobs.ts';
import { store } from '#test/features/files/stored.ts';
import { eventually } from '#test/support/eventually.ts';
import { formWith, someBytes, upload } from '#test/support/files.ts';
import { startHookServer } from '#test/support/hook-server.ts';
import { pairOf } from '#test/s3/gateway.ts';
import { presign } from '#test/s3/signed-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

const dayMs = 86_400_000;

async function operate(method: string, path: string): Promise<any> {
  const credential = await server.operatorKey();
  const answer = await server.send(`/v2/operator/accounts/${path}`, { method, door: 'operator', credential });
  return answer.json().response ?? answer.json();
}

/** An account with a public file, a link and a share. Returns what each of its doors answers. */
async function furnished() {
  const account = await server.account();
  const { credential } = account;
  const file = await upload(server, account, { query: { name: 'page' } });
  const { id } = file.json().response;
  const link = `/v1/objects/download?object=${encodeURIComponent(id)}&redirect=false&filename=a.bin`;
  const { url } = (await server.send(link, { credential })).json().response;
  const shared = await server.send('/v1/shares', { method: 'POST', credential, body: JSON.stringify({ object: id }) });
  const uses = JSON.stringify({ max_uses: 10 });
  const token = await server.send('/v1/upload-tokens', { method: 'POST', credential, body: uses });
  const uploadToken = token.json().response.token;
  return {
    account,
    async statuses() {
      const answers = await Promise.all([
        server.send('/v1/objects', { credential }),
        server.send('/v2/ai/models', { credential }),
        server.send('/v1/objects?name=other', { method: 'POST', credential: uploadToken, body: formWith(someBytes()) }),
        server.send(id.slice('pub'.length), { door: 'public' }),
        server.send(new URL(url).pathname, { door: 'files' }),
        server.send(`/s/${shared.json().response.id}?download=1`, { door: 'files' }),
      ]);
      return answers.map(({ status }) => status);
    },
  };
}

/** The share leads to the public address. */
const open = [200, 200, 200, 200, 200, 302];
const closed = [403, 403, 403, 404, 404, 404];

describe('a suspended account', () => {
  it('answers 403 to its credentials and 404 at its addresses, until it is resumed', async () => {
    const { account, statuses } = await furnished();
    expect(await statuses()).toEqual(open);
    expect(await operate('POST', `${account.id}/suspend`)).toMatchObject({ state: 'suspended' });
    expect(await statuses()).toEqual(closed);
    const refused = await server.send('/v1/objects', { credential: account.credential });
    expect(refused.json()).toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
    expect(await operate('POST', `${account.id}/resume`)).toMatchObject({ state: 'active', suspended_at: null });
    expect(await statuses()).toEqual(open);
  });

  it('answers AccountProblem over S3, to signed requests alone', async () => {
    const account = await server.account();
    const pair = await pairOf(server, account.credential);
    const request = { path: '/public', query: { 'list-type': '2' }, signedAtMs: server.clock.now() };
    const signed = () => fetch(pair.url + presign(pair, request));
    expect((await signed()).status).toBe(200);
    await operate('POST', `${account.id}/suspend`);
    const refused = await signed();
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('<Code>AccountProblem</Code>'),
    ]);
  });

  it('keeps the time of its first suspension, and one entry in the audit log', async () => {
    const account = await server.account();
    const first = await operate('POST', `${account.id}/suspend`);
    server.clock.advance(1000);
    expect(await operate('POST', `${account.id}/suspend`)).toEqual(first);
    expect(await actionsOn(account)).toEqual(['key.created', 'account.created', 'account.suspended']);
  });
});

describe('a deleted account', () => {
  it('is closed at once, and comes back as it was when it is restored within 7 days', async () => {
    const { account, statuses } = await furnished();
    const deleted = await operate('DELETE', account.id);
    expect(Date.parse(deleted.removed_from) - Date.parse(deleted.deleted_at)).toBe(7 * dayMs);
    expect(deleted).toMatchObject({ state: 'deleted' });
    expect(await statuses()).toEqual(closed);
    server.clock.advance(7 * dayMs - 1);
    await runRemoval();
    expect(await operate('POST', `${account.id}/restore`)).toMatchObject({ state: 'active', removed_from: null });
    // The link lives an hour, and the token a quarter of one.
    expect(await statuses()).toEqual([200, 200, 401, 200, 404, 410]);
  });

  it('is removed after 7 days with everything that it had, and cannot be restored then', async () => {
    const { account } = await furnished();
    const { credential } = account;
    await server.send('/v1/objects/chunked?name=part&filename=a.bin', { method: 'POST', credential });
    const other = await furnished();
    await operate('DELETE', account.id);
    server.clock.advance(7 * dayMs);
    expect(await operate('POST', `${account.id}/restore`)).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
    expect(await runRemoval()).toBe(1);

    expect(await operate('GET', account.id)).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
    expect((await server.send('/v1/objects', { credential })).status).toBe(401);
    const { read } = server.running.app.stores.metadata;
    expect(await read.apiKeys.listOf(account.id)).toEqual([]);
    expect(await read.objects.scan({ accountId: account.id, space: 'public', prefix: '', limit: 5 })).toEqual([]);
    expect((await read.accounts.find(other.account.id))?.usedObjects).toBe(1);
    expect(await actionsOn(account)).toEqual([
      'key.created',
      'account.created',
      'share.created',
      'account.deleted',
      'account.removed',
    ]);
    expect(await runRemoval()).toBe(0);
  });
});

function runRemoval(): Promise<number> {
  return jobs['remove-accounts'].run(server.running.app.stores, server.clock.now());
}

async function actionsOn({ id }: TestAccount): Promise<string[]> {
  const entries = await server.running.app.stores.metadata.read.audit.scan({ after: 0, limit: 1000 });
  return entries.filter(({ accountId }) => accountId === id).map(({ action }) => action);
}

describe('a CDN before the public host', () => {
  it('drops all public files of an account that is stopped, and no others', async () => {
    const hook = await startHookServer();
    const behind = await startTestServer({
      env: {
        CUBBY_PUBLIC_URL: 'https://cdn.example.com',
        CUBBY_CDN_PURGE_URL: `http://127.0.0.1:${hook.port}/purge`,
      },
    });
    const [account, other] = [await behind.account(), await behind.account()];
    const { stores } = behind.running.app;
    const keys = Array.from({ length: 250 }, (_, at) => `page-${String(at).padStart(3, '0')}`);
    for (const key of keys) await store(stores, { accountId: account.id, key });
    await store(stores, { accountId: account.id, key: 'old.txt', space: 'legacy' });
    await store(stores, { accountId: account.id, key: 'secret', space: 'private' });
    await store(stores, { accountId: other.id, key: 'other' });
    const credential = await behind.operatorKey();
    const stop = (path: string, method = 'POST') =>
      behind.send(`/v2/operator/accounts/${account.id}${path}`, { method, door: 'operator', credential });
    const told = () => hook.calls.flatMap(({ body }) => (body as { urls: string[] }).urls);
    const all = [...keys, 'old.txt'].map((key) => `https://cdn.example.com/${account.id}/${key}`);
    await stop('/suspend');
    await eventually(() => expect(told().toSorted()).toEqual(all.toSorted()));
    await stop('/resume');
    await stop('', 'DELETE');
    await eventually(() => expect(told()).toHaveLength(2 * all.length));
    const rest = async () => [await stores.metadata.read.purges.count(10), await stores.metadata.read.purges.any()];
    await expect.poll(rest).toEqual([0, false]);
  });
});
