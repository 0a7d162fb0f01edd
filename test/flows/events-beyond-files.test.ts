import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { forgetShares } from '#server/features/shares/forget-shares.ts';
import { eventually } from '#test/support/eventually.ts';
import { someBytes, upload, formWith } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { toldEvents, typesOf } from '#test/support/told-events.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

const { json, page, eventsOf } = toldEvents(() => server);

describe('events', () => {
  it('tell of share links: created, visited, downloaded, spent and ended', async () => {
    const account = await server.account();
    const object = (await upload(server, account, { query: { private: 'true' } })).json().response.id;
    const { cursor } = await page(account, 'latest');
    const create = async (more: object) =>
      (await json('POST', '/v1/shares', account, { object, ...more })).json().response.id as string;
    const capped = await create({ max_downloads: 1 });
    const open = (id: string) => server.send(`/s/${id}`, { door: 'files' });
    await open(capped);
    await eventually(async () => expect((await page(account, cursor)).events).toHaveLength(5));
    const { events } = await page(account, cursor);
    expect(typesOf(events).toSorted()).toEqual([
      ...['share.created', 'share.downloaded', 'share.ended', 'share.spent', 'share.visited'],
    ]);
    expect(events.find(({ type }) => type === 'share.ended')!.data).toMatchObject({ reason: 'spent' });
    // A spent link ends once.
    await json('DELETE', '/v1/shares', account, { id: capped });
    expect(typesOf((await page(account, cursor)).events).filter((type) => type === 'share.ended')).toHaveLength(1);
    expect(events.find(({ type }) => type === 'share.spent')!.data).toMatchObject({
      object: { id: object },
      share: { max_downloads: 1, remaining_downloads: 0 },
    });
    expect(JSON.stringify(events)).not.toContain(capped);
    const free = await eventsOf(account, async () => {
      const id = await create({});
      await open(id);
      await eventually(async () => expect(typesOf((await page(account, cursor)).events)).toHaveLength(8));
      await json('DELETE', '/v1/shares', account, { id });
    });
    expect(typesOf(free)[0]).toBe('share.created');
    expect(typesOf(free).slice(1, 3).toSorted()).toEqual(['share.downloaded', 'share.visited']);
    expect(free[3]).toMatchObject({ type: 'share.ended', data: { reason: 'revoked' } });
  });

  it('tell once of the end of a share link, with the reason', async () => {
    const account = await server.account();
    const put = async (name: string) =>
      (await upload(server, account, { query: { name } })).json().response.id as string;
    const share = async (object: string, more: object = {}) =>
      (await json('POST', '/v1/shares', account, { object, ...more })).json().response.id as string;
    const [kept, deleted, moved] = [await put('kept'), await put('deleted'), await put('moved')];
    const upkeep = () => forgetShares(server.running.app.stores, server.clock.now());
    const events = await eventsOf(account, async () => {
      await share(kept, { expires_in: 3600 });
      const revoked = await share(kept, { expires_in: 3600 });
      await share(deleted, { expires_in: 3600 });
      await share(moved, { expires_in: 86_400 });
      await json('DELETE', '/v1/shares', account, { id: revoked });
      await json('DELETE', '/v1/objects', account, { object: deleted });
      await json('POST', '/v1/objects/copy', account, { source: moved, destination: { name: 'b' }, move: true });
      await upkeep();
      server.clock.advance(3_601_000);
      await Promise.all([upkeep(), upkeep()]);
      await upkeep();
      await json('DELETE', '/v1/objects', account, { object: kept });
      server.clock.advance(86_400_000);
      await upkeep();
    });
    const ended = events.filter(({ type }) => type === 'share.ended').map(({ data }) => [data.object.id, data.reason]);
    expect(ended).toEqual([
      [kept, 'revoked'],
      [deleted, 'file_deleted'],
      [moved, 'file_moved'],
      [kept, 'expired'],
    ]);
  });

  it('tell once that an upload token is used up, also when its last uses are spent at once', async () => {
    const account = await server.account();
    const minted = await json('POST', '/v1/upload-tokens', account, { max_uses: 4 });
    const { token } = minted.json().response;
    const events = await eventsOf(account, () =>
      Promise.all(
        Array.from({ length: 4 }, (_, at) =>
          server.send(`/v1/objects?name=file_${at}`, {
            method: 'POST',
            credential: token,
            body: formWith(someBytes()),
          }),
        ),
      ),
    );
    expect(typesOf(events).filter((type) => type === 'object.created')).toHaveLength(4);
    expect(typesOf(events).filter((type) => type === 'upload_token.used_up')).toHaveLength(1);
    expect(events.find(({ type }) => type === 'upload_token.used_up')).toMatchObject({
      type: 'upload_token.used_up',
      data: { upload_token: { max_uses: 4, key_id: account.keyId } },
    });
    expect(JSON.stringify(events)).not.toContain(token);
  });

  it('tell of 80, 95 and 100 percent of the quota, once each time they are reached', async () => {
    const account = await server.account();
    const { metadata } = server.running.app.stores;
    await metadata.atomically((tx) => tx.accounts.setQuota(account.id, 10_000));
    const put = (name: string, size: number) => upload(server, account, { query: { name }, bytes: someBytes(size) });
    const events = await eventsOf(account, async () => {
      await put('a', 7900);
      await put('b', 600);
      await put('c', 600);
      const { id } = (await put('d', 900)).json().response;
      await json('DELETE', '/v1/objects', account, { object: id });
      await put('e', 900);
    });
    const reached = events.filter(({ type }) => type === 'quota.reached').map(({ data }) => data);
    expect(reached).toEqual([
      { percent: 80, used_bytes: 8500, quota_bytes: 10_000 },
      { percent: 100, used_bytes: 10_000, quota_bytes: 10_000 },
      { percent: 100, used_bytes: 10_000, quota_bytes: 10_000 },
    ]);
  });

  it('tell of keys, without their secrets', async () => {
    const account = await server.account();
    let secret = '';
    const events = await eventsOf(account, async () => {
      const created = await json('POST', '/v1/account/keys', account, { name: 'Website', scopes: ['blob:read'] });
      const { id, key } = created.json().response;
      secret = key;
      await server.send(`/v1/account/keys/${id}`, { method: 'DELETE', credential: account.credential });
    });
    expect(typesOf(events)).toEqual(['key.created', 'key.revoked']);
    expect(events[0]!.data).toEqual({ key: { id: expect.any(String), name: 'Website' }, auth: 'api_key' });
    expect(JSON.stringify(events)).not.toContain(secret);
  });
});
