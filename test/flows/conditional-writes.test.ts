import { describe, expect, it } from 'vitest';

import { chunking } from '#test/support/chunked.ts';
import { formWith, sha256, someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';

type Headers = Readonly<Record<string, string>>;

async function start() {
  const server = await startTestServer();
  const account = await server.account('enterprise');
  return { server, account, ...requestsOf(server, account) };
}

function requestsOf(server: TestServer, { credential }: Pick<TestAccount, 'credential'>) {
  const put = (headers: Headers, bytes = someBytes(), query: Headers = {}) =>
    server.send(`/v1/objects?${new URLSearchParams({ name: 'photo', ...query })}`, {
      method: 'POST',
      credential,
      headers,
      body: formWith(bytes),
    });
  const remove = (headers: Headers, ...objects: readonly string[]) =>
    server.send('/v1/objects', { method: 'DELETE', credential, headers, body: JSON.stringify({ objects }) });
  const info = async (id: string) =>
    (await server.send(`/v1/objects/info?object=${encodeURIComponent(id)}`, { credential })).json().response;
  return { put, remove, info };
}

const stored = (answer: { json(): any }) => answer.json().response as { id: string; etag: string };

describe('writes with conditions', () => {
  it('replace a file only if it is the one that the client knows', async () => {
    const { put, info } = await start();
    const first = stored(await put({}));
    expect((await info(first.id)).etag).toBe(first.etag);
    const bytes = someBytes();
    const second = await put({ 'If-Match': `"${first.etag}"` }, bytes);
    expect(second.json()).toMatchObject({ status: 'success', response: { id: first.id, replaced: true } });

    const late = await put({ 'If-Match': `"${first.etag}"` });
    expect([late.status, late.json().code]).toEqual([412, 'CONDITION_NOT_MET']);
    expect(await info(first.id)).toMatchObject({ sha256: sha256(bytes), etag: stored(second).etag });
    expect((await put({ 'If-Match': `"other", "${stored(second).etag}"` })).status).toBe(200);
    expect((await put({ 'If-Match': '*' })).status).toBe(200);
    expect((await put({ 'If-Match': '*' }, someBytes(), { name: 'new' })).status).toBe(412);
  });

  it('create a file once of 20 parallel uploads, and count it once', async () => {
    const { server, account, put } = await start();
    const answers = await Promise.all(Array.from({ length: 20 }, () => put({ 'If-None-Match': '*' })));
    const statuses = answers.map(({ status }) => status).filter((status) => status !== 429);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(new Set(statuses.filter((status) => status !== 200))).toEqual(new Set([412]));
    const { usedBytes, usedObjects, reservedBytes } = (await server.running.app.stores.metadata.read.accounts.find(
      account.id,
    ))!;
    expect({ usedBytes, usedObjects, reservedBytes }).toEqual({ usedBytes: 3000, usedObjects: 1, reservedBytes: 0 });
  });

  it('replace a file once of 4 parallel uploads that know the same one', async () => {
    const { put, info } = await start();
    for (let round = 0; round < 20; round++) {
      const { id, etag } = stored(await put({}));
      const answers = await Promise.all(Array.from({ length: 4 }, () => put({ 'If-Match': `"${etag}"` })));
      const won = answers.filter(({ status }) => status === 200);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
      expect((await info(id)).etag).toBe(stored(won[0]!).etag);
    }
  });

  it('give the use of an upload token back', async () => {
    const { server, account, put } = await start();
    await put({}, someBytes(), { name: 'pinned' });
    const token = await tokenOf(server, account, { name: 'pinned', security_hash: false, max_uses: 1 });
    const browser = requestsOf(server, { credential: token });
    expect((await browser.put({ 'If-None-Match': '*' })).status).toBe(412);
    expect((await browser.put({})).status).toBe(200);
    expect((await browser.put({})).json().code).toBe('UPLOAD_TOKEN_USED');
  });

  it('delete a file only if it is the one that the client knows', async () => {
    const { put, remove, info } = await start();
    const { id, etag } = stored(await put({}));
    expect((await remove({ 'If-Match': '"another"' }, id)).json().code).toBe('CONDITION_NOT_MET');
    expect((await info(id)).etag).toBe(etag);
    const { id: other } = stored(await put({}, someBytes(), { name: 'other' }));
    expect((await remove({ 'If-Match': `"${etag}"` }, id, other)).json().code).toBe('INVALID_CONDITION');
    expect((await info(other)).id).toBe(other);
    expect((await remove({ 'If-Match': `"${etag}"` }, id)).status).toBe(200);
    expect((await remove({ 'If-Match': `"${etag}"` }, id)).status).toBe(404);
  });

  it('complete a chunked upload once more after the file was read again', async () => {
    const { server, account, put } = await start();
    const chunks = chunking(() => server);
    const upload = await chunks.open(account, { name: 'photo', filename: 'photo.png' });
    await chunks.put(account, upload, 1, someBytes());
    const complete = (headers: Headers) =>
      server.send('/v1/objects/chunked', {
        method: 'PATCH',
        credential: account.credential,
        headers,
        body: JSON.stringify({ upload }),
      });
    const { etag } = stored(await put({}));
    expect((await complete({ 'If-None-Match': '*' })).json().code).toBe('CONDITION_NOT_MET');
    const completed = await complete({ 'If-Match': `"${etag}"` });
    expect(completed.status).toBe(200);
    expect(stored(completed).etag).not.toBe(etag);
    expect(completed.json().response.replaced).toBe(true);
    // The first completion counts, whatever the second one asks for.
    expect((await complete({ 'If-None-Match': '*' })).json()).toEqual(completed.json());
  });

  it.each([
    ['If-Match', ''],
    ['If-Match', 'bare'],
    ['If-Match', '"unclosed'],
    ['If-Match', '"a" "b"'],
    ['If-Match', '"a",'],
    ['If-Match', '*, "a"'],
    ['If-Match', '**'],
    ['If-None-Match', 'bare'],
    ['If-None-Match', 'W/bare'],
    ['If-None-Match', '"a"b'],
    ['If-None-Match', "'a'"],
  ])('answer 400 to %s: %s, and change nothing', async (name, value) => {
    const { put, info } = await start();
    const { id, etag } = stored(await put({}));
    const answer = await put({ [name]: value });
    expect([answer.status, answer.json().code]).toEqual([400, 'INVALID_CONDITION']);
    expect((await info(id)).etag).toBe(etag);
  });

  it('take no tag in quotes for any file, and no weak tag for a strong one', async () => {
    const { put } = await start();
    const { etag } = stored(await put({}));
    expect((await put({ 'If-Match': '"*"' })).status).toBe(412);
    expect((await put({ 'If-Match': `W/"${etag}"` })).status).toBe(412);
    expect((await put({ 'If-None-Match': `W/"${etag}"` })).status).toBe(412);
    expect((await put({ 'If-None-Match': '"*"' })).status).toBe(200);
  });
});
