import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { endRotation } from '#server/domain/master-key/finish-rotation.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import { exchange } from '#test/s3/exchange.ts';
import { pairOf } from '#test/s3/gateway.ts';
import { presignQuery } from '#server/signature-v4/sign.ts';
import { askForKey, poll, signedIn } from '#test/support/activation.ts';
import { chunking, partBytes } from '#test/support/chunked.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { dayMs, reloadKeysEveryMs, rotate } from '#test/support/rotation.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { givePassword, listShares, shareFile } from '#test/support/shares.ts';
import { tokenOf, uploadWith } from '#test/support/upload-tokens.ts';
import type { Kept } from './cases.ts';

const ofFeatures = await partsOfFeatures('cases');
const password = 'correct horse battery';

/** Makes one of everything that hangs on the master key. */
async function keep(server: TestServer): Promise<Readonly<Record<string, Kept>>> {
  startedAt = server.clock.now();
  const account = await server.account();
  const { send } = server;
  const getList = (credential: string) => send('/v1/objects?limit=1', { credential }).then(({ status }) => status);
  const unused = await server.account();
  const uploaded = (await upload(server, account, { query: { private: 'true', name: 'a' } })).json().response;
  await upload(server, account, { query: { private: 'true', name: 'b' } });
  return {
    'an API key': { use: () => getList(account.credential), afterwards: 200 },
    'an API key that is never used in between': {
      use: async () => (server.clock.now() > startedAt + dayMs ? getList(unused.credential) : 200),
      afterwards: 401,
    },
    ...(await linksOf(server, account, uploaded.id)),
    ...(await tokensOf(server, account)),
    ...(await s3Of(server, account)),
    ...(await hooksOf(server, account)),
    ...Object.assign({}, ...(await Promise.all(ofFeatures.map((own) => own.kept?.({ server, account }))))),
  };
}

async function linksOf(server: TestServer, account: TestAccount, object: string): Promise<Record<string, Kept>> {
  const { credential } = account;
  const query = new URLSearchParams({ object, redirect: 'false', expires: '86400' });
  const link = (await server.send(`/v1/objects/download?${query}`, { credential })).json().response.url;
  const share = await shareFile(server, account, {
    file: { query: { name: 'shared' } },
    body: { expires_in: 2_592_000 },
  });
  const locked = await shareFile(server, account, {
    file: { query: { name: 'locked' } },
    body: { password, expires_in: 2_592_000 },
  });
  const pass = (await givePassword(server, locked, password)).headers.getSetCookie()[0]!.split(';')[0]!;
  const open = (path: string, headers = {}) =>
    server.send(path, { door: 'files', headers }).then(({ status }) => status);
  return {
    'a temporary link': { use: () => open(new URL(link).pathname), afterwards: 404 },
    'a share link': { use: () => open(share.path), afterwards: 200 },
    'the pass of a locked share link': { use: () => open(locked.path, { Cookie: pass }), afterwards: 401 },
    'a locked share link': {
      use: async () => {
        const { status, headers } = await givePassword(server, locked, password);
        return status === 303 ? open(locked.path, { Cookie: headers.getSetCookie()[0]!.split(';')[0]! }) : status;
      },
      afterwards: 200,
    },
    'the list of share links': { use: async () => (await listShares(server, account)).length, afterwards: 2 },
  };
}

async function tokensOf(server: TestServer, account: TestAccount): Promise<Record<string, Kept>> {
  const { credential } = account;
  const { send } = server;
  const token = await tokenOf(server, account, { max_uses: 100 });
  const chunked = chunking(() => server);
  const handle = await chunked.open(account);
  const list = (await send('/v1/objects?limit=1', { credential })).json().response;
  const person = await signedIn(server, credential);
  const device = await askForKey(server);
  const operator = await server.operatorKey();
  let part = 0;
  return {
    'an upload token': {
      use: async () => (await uploadWith(server, token, { query: { name: `by-token-${part++}` } })).status,
      afterwards: 401,
    },
    'the handle of a chunked upload': {
      use: async () => (await chunked.put(account, handle, 1, someBytes(partBytes))).status,
      afterwards: 400,
    },
    'the cursor of a list': {
      use: async () => {
        const query = new URLSearchParams({ limit: '1', continuationToken: list.continuationToken });
        return (await send(`/v1/objects?${query}`, { credential })).status;
      },
      afterwards: 400,
    },
    'a sign-in': {
      use: async () => ((await person.open()).body.toString().includes('user_code') ? 200 : 401),
      afterwards: 401,
    },
    'a device code': {
      use: async () => {
        // Programs poll every five seconds at most.
        server.clock.advance(5_000);
        return (await poll(server, device)).json().error === 'authorization_pending' ? 200 : 400;
      },
      afterwards: 400,
    },
    'an operator key': {
      use: async () => (await send('/v2/operator/installation', { credential: operator, door: 'operator' })).status,
      afterwards: 200,
    },
  };
}

async function s3Of(server: TestServer, { credential }: TestAccount): Promise<Record<string, Kept>> {
  const pair = await pairOf(server, credential);
  const host = new URL(pair.url).host;
  return {
    'an S3 key pair': {
      use: async () =>
        (await exchange(pair, { method: 'GET', path: '/private', signedAtMs: server.clock.now() })).status,
      afterwards: 200,
    },
    'an S3 key pair in the address': {
      use: async () => {
        const keys = { ...pair, region: 'auto' };
        const request = { method: 'GET', path: '/private', query: {}, headers: { host } };
        return (await fetch(`${pair.url}/private?${presignQuery(keys, request, 60, server.clock.now())}`)).status;
      },
      afterwards: 200,
    },
    'the secret of an S3 key pair': {
      use: async () => ((await pairOf(server, credential)).secretAccessKey === pair.secretAccessKey ? 200 : 500),
      afterwards: 200,
    },
  };
}

async function hooksOf(server: TestServer, account: TestAccount): Promise<Record<string, Kept>> {
  const { credential } = account;
  const url = 'https://hooks.invalid/secret';
  const made = await server.send('/v1/webhooks', { method: 'POST', credential, body: JSON.stringify({ url }) });
  const { id } = made.json().response;
  return {
    'the address of a webhook': {
      use: async () =>
        (await server.send(`/v1/webhooks/${id}`, { credential })).json().response.url === url ? 200 : 500,
      afterwards: 200,
    },
  };
}

let server: TestServer;
let kept: Readonly<Record<string, Kept>>;
let startedAt: number;

async function useAll(): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const [name, { use }] of Object.entries(kept)) statuses[name] = await use();
  return statuses;
}

const expected = (isAfter: boolean, before: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(kept).map(([name, { afterwards }]) => [name, isAfter ? afterwards : before[name]]));

describe('after a rotation of the master key', () => {
  let before: Record<string, number>;
  beforeAll(async () => {
    server = await startTestServer({ reloadKeysEveryMs });
    kept = await keep(server);
    before = await useAll();
  });
  afterAll(() => server.stop());

  it('everything that clients have goes on', async () => {
    expect(Object.entries(before).filter(([name, status]) => status >= 300 && name !== '')).toEqual([]);
    const { rotation } = await rotate(server);
    expect(rotation).toMatchObject({ number: 2, findsUntil: server.clock.now() + 2 * dayMs });
    // The server may not have noticed yet.
    expect(await useAll()).toEqual(expected(false, before));
    await expect.poll(() => server.running.app.stores.secrets.keyNumber).toBe(2);
    expect(await useAll(), 'with the new key').toEqual(expected(false, before));
    expect(await useAll(), 'once more').toEqual(expected(false, before));
  });

  it('only unused API keys and what is short-lived end with the grace period', async () => {
    server.clock.advance(3 * dayMs);
    await server.running.app.jobs.runNow();
    const last = await server.running.app.stores.metadata.read.masterKeys.lastRotation();
    expect(last).toMatchObject({ endedAt: server.clock.now(), sealedKey: null, sealedFormer: null });
    const { 'an upload token': token, ...others } = await useAll();
    const { 'an upload token': _token, ...wanted } = expected(true, before);
    expect(others).toEqual(wanted);
    expect(token).toBe(401);
  });

  it('a second rotation ends nothing either', async () => {
    kept = await keep(server);
    before = await useAll();
    expect((await rotate(server)).rotation.number).toBe(3);
    expect(await useAll()).toEqual(expected(false, before));
    await endRotation(server.running.app.stores, serverActor);
    await server.running.app.stores.reloadMasterKey();
    startedAt -= 10 * dayMs;
    const { 'an API key that is never used in between': unused, ...others } = await useAll();
    expect(unused).toBe(401);
    const { 'an API key that is never used in between': _unused, ...wanted } = expected(true, before);
    expect(others).toEqual(wanted);
  });
});
