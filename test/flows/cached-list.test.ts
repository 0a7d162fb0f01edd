import { describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import { startTestServer, type TestAnswer } from '#test/support/server.ts';

/** Returns everything of an answer that is the same for each request. */
function sentIn({ status, headers, body }: TestAnswer) {
  const all = Object.fromEntries([...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)));
  return { status, headers: all, text: body.toString() };
}

describe('a cached list', () => {
  it('has the same bytes and headers as a list that is read', async () => {
    const server = await startTestServer();
    const account = await server.account();
    const { credential } = account;
    for (const query of [{ name: 'a' }, { name: 'b', expire: '1h' }, { name: 'c', private: 'true' }])
      expect((await upload(server, account, { query })).status).toBe(200);
    const list = async (query = '') => sentIn(await server.send(`/v1/objects${query}`, { credential }));
    const first = await list();
    expect(await list()).toEqual(first);
    // The default of `limit` is 1000. With another limit the same page is not found in the cache.
    expect(await list('?limit=999')).toEqual(first);
    expect(first.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(first.text)),
      'cache-control': expect.any(String),
    });
    expect(JSON.stringify(JSON.parse(first.text))).toBe(first.text);
    expect(JSON.parse(first.text).response.objects).toHaveLength(3);
  });

  it('omits a file from the instant of its expiry, and after its deletion', async () => {
    const server = await startTestServer();
    const account = await server.account();
    const { credential } = account;
    await upload(server, account, { query: { name: 'a', expire: '1h' } });
    const { id } = (await upload(server, account, { query: { name: 'b' } })).json().response;
    const keys = async () =>
      (await server.send('/v1/objects', { credential })).json().response.objects.map((one: { id: string }) => one.id);
    expect(await keys()).toHaveLength(2);
    server.clock.advance(3_600_000);
    expect(await keys()).toEqual([id]);
    await server.send('/v1/objects', { method: 'DELETE', credential, body: JSON.stringify({ object: id }) });
    expect(await keys()).toEqual([]);
  });
});
