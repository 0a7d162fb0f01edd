import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer({ env: { CUBBY_TRUSTED_PROXIES: 'loopback' } })));
afterAll(() => server.stop());

const list = async (credential: string, query = '') =>
  (await server.send(`/v1/account/activity?${query}`, { credential })).json().response;

describe('activity over the API', () => {
  it('lists events, newest first, with address, user agent and kind of credential', async () => {
    const account = await server.account();
    const headers = { 'User-Agent': `camera/1.0 \u00e9\t${'x'.repeat(600)}`, 'X-Forwarded-For': '2001:db8::7' };
    const { id } = (await upload(server, account, { query: { prefix: 'photos' } })).json().response;
    server.clock.advance(1000);
    await server.send('/v1/objects', {
      method: 'DELETE',
      credential: account.credential,
      headers,
      body: JSON.stringify({ object: id }),
    });
    const { activity, ...rest } = await list(account.credential);
    expect(rest).toEqual({});
    const at = server.clock.now();
    expect(activity).toEqual([
      {
        id: 'act_3',
        type: 'object.deleted',
        at: new Date(at).toISOString(),
        object: id,
        details: { size: 3000 },
        source_ip: '2001:db8::7',
        user_agent: expect.stringMatching(/^camera\/1\.0 é x+$/),
        auth: 'api_key',
        key_id: account.keyId,
      },
      {
        id: 'act_2',
        type: 'object.uploaded',
        at: new Date(at - 1000).toISOString(),
        object: id,
        details: { size: 3000, replaced: false },
        source_ip: '127.0.0.1',
        user_agent: 'node',
        auth: 'api_key',
        key_id: account.keyId,
      },
      {
        id: 'act_1',
        type: 'key.created',
        at: new Date(at - 1000).toISOString(),
        details: { key: account.keyId, name: 'full access' },
        source_ip: null,
        user_agent: null,
        auth: 'system',
        key_id: null,
      },
    ]);
    expect(Buffer.byteLength(activity[0].user_agent)).toBe(512);
  });

  it('has one entry for each file of a batch, and none for rejected files', async () => {
    const account = await server.account();
    const ids: string[] = [];
    for (const name of ['a', 'b']) ids.push((await upload(server, account, { query: { name } })).json().response.id);
    await upload(server, account, { query: { name: 'a', overwrite: 'false' } });
    await upload(server, account, { query: { name: 'c', checksum_sha256: '0'.repeat(64) } });
    const body = JSON.stringify({ objects: [...ids, `${ids[0]}x`] });
    await server.send('/v1/objects', { method: 'DELETE', credential: account.credential, body });
    await server.send('/v1/objects', { method: 'DELETE', credential: account.credential, body });
    const { activity } = await list(account.credential);
    expect(activity.map(({ type, object }: { type: string; object?: string }) => [type, object]).toSorted()).toEqual([
      ['key.created', undefined],
      ['object.deleted', ids[0]],
      ['object.deleted', ids[1]],
      ['object.uploaded', ids[0]],
      ['object.uploaded', ids[1]],
    ]);
  });

  it('shows a restricted key only entries within its prefixes', async () => {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['account:read'], prefixes: ['photos'] });
    for (const prefix of ['photos', 'photos-2025', 'docs']) await upload(server, account, { query: { prefix } });
    expect((await list(credential)).activity.map(({ object }: { object: string }) => object)).toEqual([
      `pub/${account.id}/photos/photo.png`,
    ]);
    expect((await list(account.credential)).activity).toHaveLength(5);
  });

  it('shows a restricted key only the inner end of moves across its prefixes', async () => {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['account:read'], prefixes: ['photos'] });
    const moved = async (from: string, to: string) => {
      const { id } = (await upload(server, account, { query: { prefix: from, name: from } })).json().response;
      const body = JSON.stringify({
        source: id,
        destination: { prefix: to, name: 'moved' },
        move: true,
        overwrite: true,
      });
      return [
        id,
        (await server.send('/v1/objects/copy', { method: 'POST', credential: account.credential, body })).json()
          .response.id,
      ];
    };
    const [out] = await moved('photos', 'docs');
    const [, into] = await moved('docs', 'photos');
    await moved('docs', 'secrets');
    const { activity } = await list(credential);
    expect(
      activity.map(({ type, object, details }: { type: string; object?: string; details: { source?: string } }) => [
        type,
        object,
        details.source,
      ]),
    ).toEqual([
      ['object.copied', into, undefined],
      ['object.copied', undefined, out],
      ['object.uploaded', out, undefined],
    ]);
    expect(JSON.stringify(activity)).not.toMatch(/docs\/|secrets\//);
  });

  it('comes in pages', async () => {
    const account = await server.account('standard');
    for (const name of ['a', 'b', 'c']) await upload(server, account, { query: { name } });
    const first = await list(account.credential, 'limit=3');
    const second = await list(account.credential, `limit=3&continuationToken=${first.continuationToken}`);
    expect([...first.activity, ...second.activity].map(({ id }: { id: string }) => id)).toEqual([
      'act_4',
      'act_3',
      'act_2',
      'act_1',
    ]);
    expect(second).not.toHaveProperty('continuationToken');
  });
});
