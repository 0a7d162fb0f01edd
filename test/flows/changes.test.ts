import { describe, expect, it } from 'vitest';

import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

async function start() {
  const server = await startTestServer();
  const account = await server.account();
  const patch = (body: object) =>
    server.send('/v1/objects', { method: 'PATCH', credential: account.credential, body: JSON.stringify(body) });
  const copy = (body: object) =>
    server.send('/v1/objects/copy', { method: 'POST', credential: account.credential, body: JSON.stringify(body) });
  const info = (id: string) =>
    server.send(`/v1/objects/info?object=${encodeURIComponent(id)}`, { credential: account.credential });
  const put = async (query: Record<string, string> = {}, bytes = someBytes()) =>
    (await upload(server, account, { bytes, query })).json().response as { id: string; url: string };
  const one = async (body: object) => (await patch(body)).json().response.results[0];
  return { server, account, patch, copy, info, put, one };
}

async function usage(server: TestServer, account: TestAccount) {
  const { usedBytes, usedObjects, reservedBytes } = (await server.running.app.stores.metadata.read.accounts.find(
    account.id,
  ))!;
  return { usedBytes, usedObjects, reservedBytes };
}

describe('updateObjects()', () => {
  it('removes a file from the public host, adds a hash to its key, and publishes it again under this key', async () => {
    const { server, account, one, put } = await start();
    const file = await put({ prefix: 'a' });
    const hidden = await one({ object: file.id, private: true });
    expect(hidden).toMatchObject({ ok: true, changed: true, private: true, url: null, object: file.id });
    expect(hidden.id).toMatch(new RegExp(`^prv/${account.id}/a/photo_[a-z2-7]{16}\\.png$`));
    expect((await server.send(new URL(file.url).pathname, { door: 'public' })).status).toBe(404);

    const shown = await one({ object: hidden.id, private: false });
    expect(shown.id).toBe(hidden.id.replace('prv/', 'pub/'));
    expect((await server.send(new URL(shown.url).pathname, { door: 'public' })).status).toBe(200);
  });

  it('changes the mark in the key with the expiry, and keeps the id when the key stays the same', async () => {
    const { one, put, account } = await start();
    const file = await put({ expire: '30d' });
    const later = await one({ object: file.id, expire: 60 });
    expect(later).toMatchObject({
      id: `pub/${account.id}/photo-ex60.png`,
      changed: true,
      expires_at: '2026-06-20T09:30:00.000Z',
    });
    expect(await one({ object: later.id, expire: '60d' })).toMatchObject({ id: later.id, changed: false });
    expect(await one({ object: later.id, expire: '6h' })).toMatchObject({ id: `pub/${account.id}/photo-ex6h.png` });
    expect(await one({ object: `pub/${account.id}/photo-ex6h.png`, expire: null })).toMatchObject({
      id: `pub/${account.id}/photo.png`,
      expires_at: null,
    });
  });

  it('never overwrites a file: when the new id exists, it adds a fresh hash', async () => {
    const { one, put, account, info } = await start();
    const kept = await put();
    const file = await put({ expire: '30d' });
    const moved = await one({ object: file.id, expire: null });
    expect(moved.id).toMatch(new RegExp(`^pub/${account.id}/photo_[a-z2-7]{16}\\.png$`));
    expect((await info(kept.id)).status).toBe(200);
  });

  it('sets, changes and removes headers and metadata, and updates created_at', async () => {
    const { server, one, put, info } = await start();
    const { id } = await put();
    await one({ object: id, cache_control: 'immutable', disposition: 'attachment', metadata: { a: '1', b: '2' } });
    server.clock.advance(60_000);
    await one({ object: id, cache_control: null, metadata: { a: null, c: '3' } });
    expect((await info(id)).json().response).toMatchObject({
      cache_control: null,
      content_disposition: 'attachment; filename=photo.png',
      metadata: { b: '2', c: '3' },
      created_at: '2026-04-21T09:31:00.000Z',
    });
    await one({ object: id, metadata: null, disposition: null });
    expect((await info(id)).json().response).toMatchObject({ content_disposition: null, metadata: {} });
  });

  it('returns a result for each file in the order of the request, and changes the rest when one fails', async () => {
    const { patch, put, account } = await start();
    const a = await put({ name: 'a' });
    const missing = `pub/${account.id}/missing.png`;
    const b = await put({ name: 'b' });
    const { results } = (await patch({ objects: [a.id, missing, b.id], disposition: 'attachment' })).json().response;
    expect(results.map(({ object, ok, code }: Record<string, unknown>) => [object, ok, code])).toEqual([
      [a.id, true, undefined],
      [missing, false, 'OBJECT_NOT_FOUND'],
      [b.id, true, undefined],
    ]);
    const tooMuch = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`k${index}`, 'x']));
    expect(
      (await patch({ object: a.id, metadata: { a: 'x'.repeat(600) } })).json().response?.results[0].code ?? 'refused',
    ).toBe('INVALID_OBJECT_METADATA');
    expect((await patch({ object: a.id, metadata: tooMuch })).json().response.results[0]).toEqual({
      object: a.id,
      ok: false,
      code: 'INVALID_OBJECT_METADATA',
    });
  });

  it.each([
    ['INVALID_BODY', {}],
    ['NOTHING_TO_UPDATE', { object: 'ID' }],
    ['NOTHING_TO_UPDATE', { object: 'ID', metadata: {} }],
    ['INVALID_OBJECT', { object: 'nonsense', private: true }],
    ['INVALID_OBJECT_PRIVATE', { object: 'ID', private: 'yes' }],
    ['INVALID_OBJECT_EXPIRE', { object: 'ID', expire: '9999d' }],
    ['INVALID_OBJECT_CACHE_CONTROL', { object: 'ID', cache_control: 'max-age=59' }],
    ['INVALID_OBJECT_DISPOSITION', { object: 'ID', disposition: 'show' }],
    ['INVALID_OBJECT_METADATA', { object: 'ID', metadata: { A: '1' } }],
    ['TOO_MANY_OBJECTS', { objects: Array(51).fill('ID'), private: true }],
  ])('refuses the whole request with %s', async (code, body) => {
    const { patch, put, info } = await start();
    const { id } = await put();
    const before = (await info(id)).json();
    expect((await patch(JSON.parse(JSON.stringify(body).replaceAll('ID', id)))).json().code).toBe(code);
    expect((await info(id)).json()).toEqual(before);
  });

  it('refuses options that the plan does not include with UPGRADE_REQUIRED', async () => {
    const server = await startTestServer();
    const account = await server.account('standard');
    const { id } = (await upload(server, account)).json().response;
    for (const change of [{ expire: '6h' }, { cache_control: 'no-cache' }, { metadata: { a: '1' } }]) {
      const answer = await server.send('/v1/objects', {
        method: 'PATCH',
        credential: account.credential,
        body: JSON.stringify({ object: id, ...change }),
      });
      expect(answer.json().code).toBe('UPGRADE_REQUIRED');
    }
  });
});

describe('copyObject()', () => {
  it('copies without writing bytes again, counts the copy, and keeps the bytes while either exists', async () => {
    const { server, account, copy, put } = await start();
    const bytes = someBytes(200_000);
    const file = await put({ cache_control: 'immutable' }, bytes);
    const copied = (await copy({ source: file.id, destination: { name: 'twin', prefix: 'b/' } })).json().response;
    expect(copied).toMatchObject({
      id: `pub/${account.id}/b/twin.png`,
      size: 200_000,
      moved: false,
      replaced: false,
      source: file.id,
    });
    expect(await usage(server, account)).toEqual({ usedBytes: 400_000, usedObjects: 2, reservedBytes: 0 });

    await server.send('/v1/objects', {
      method: 'DELETE',
      credential: account.credential,
      body: JSON.stringify({ object: file.id }),
    });
    const fetched = await server.send(new URL(copied.url).pathname, { door: 'public' });
    expect(fetched.body.equals(bytes)).toBe(true);
    expect(fetched.headers.get('cache-control')).toContain('immutable');
    expect(await usage(server, account)).toEqual({ usedBytes: 200_000, usedObjects: 1, reservedBytes: 0 });
  });

  it('moves a file, keeping its date and mark unless another expiry is sent', async () => {
    const { server, account, copy, put, info } = await start();
    const file = await put({ expire: '30d' });
    server.clock.advance(86_400_000);
    const moved = (await copy({ source: file.id, destination: { name: 'kept' }, move: true })).json().response;
    expect(moved).toMatchObject({
      id: `pub/${account.id}/kept-ex30.png`,
      expires_at: '2026-05-21T09:30:00.000Z',
      moved: true,
    });
    expect((await info(file.id)).json().code).toBe('OBJECT_NOT_FOUND');
    const forGood = (await copy({ source: moved.id, destination: { name: 'kept', expire: null }, move: true })).json()
      .response;
    expect(forGood.id).toBe(`pub/${account.id}/kept.png`);
    expect(forGood).not.toHaveProperty('expires_at');
    expect((await usage(server, account)).usedObjects).toBe(1);
  });

  it('replaces a file only when asked to', async () => {
    const { server, account, copy, put } = await start();
    const a = await put({ name: 'a' }, someBytes(1000));
    await put({ name: 'b' }, someBytes(2000));
    const body = { source: a.id, destination: { name: 'b' } };
    expect((await copy(body)).json().code).toBe('OBJECT_ALREADY_EXISTS');
    expect((await copy({ ...body, overwrite: true })).json().response).toMatchObject({ replaced: true });
    expect(await usage(server, account)).toEqual({ usedBytes: 2000, usedObjects: 2, reservedBytes: 0 });
  });

  it.each([
    ['SAME_OBJECT', { destination: { name: 'photo' } }],
    ['INVALID_OBJECT_SECURITY_HASH', { destination: { name: 'x', private: true, security_hash: false } }],
    ['INVALID_DESTINATION', {}],
    ['INVALID_DESTINATION', { destination: { name: 'x', private: 'yes' } }],
    ['INVALID_OBJECT_NAME', { destination: {} }],
    ['INVALID_OBJECT_PREFIX', { destination: { name: 'x', prefix: '../y' } }],
    ['INVALID_OBJECT_EXPIRE', { destination: { name: 'x', expire: 'soon' } }],
    ['INVALID_MOVE', { destination: { name: 'x' }, move: 1 }],
    ['INVALID_OVERWRITE', { destination: { name: 'x' }, overwrite: 'no' }],
  ])('refuses with %s', async (code, body) => {
    const { copy, put } = await start();
    const { id } = await put();
    expect((await copy({ source: id, ...body })).json().code).toBe(code);
  });

  it('counts a copy against the quota, but not a move', async () => {
    const { server, account, copy, put } = await start();
    const { id } = await put({}, someBytes(1000));
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 1999));
    expect((await copy({ source: id, destination: { name: 'x' } })).json().code).toBe('STORAGE_QUOTA_EXCEEDED');
    expect((await copy({ source: id, destination: { name: 'x' }, move: true })).status).toBe(200);
  });
});

describe('a temporary link', () => {
  async function link(query = '') {
    const context = await start();
    const bytes = someBytes(50_000);
    const { id } = await context.put({ private: 'true' }, bytes);
    const answer = await context.server.send(`/v1/objects/download?object=${id}&redirect=false${query}`, {
      credential: context.account.credential,
    });
    const { url, expires_at } = answer.json().response;
    return {
      ...context,
      id,
      bytes,
      url,
      expires_at,
      open: (headers = {}, path = new URL(url).pathname) => context.server.send(path, { door: 'files', headers }),
    };
  }

  it('opens a private file without a credential, whole or in part, until it expires', async () => {
    const { open, bytes, server, expires_at } = await link('&expires=60');
    expect(expires_at).toBe('2026-04-21T09:31:00.000Z');
    const whole = await open();
    expect(whole.body.equals(bytes)).toBe(true);
    expect(whole.headers.get('content-disposition')).toBe('inline; filename=photo.png');
    expect(whole.headers.get('cache-control')).toMatch(/^private/);
    const part = await open({ Range: 'bytes=10-19' });
    expect([part.status, part.body.equals(bytes.subarray(10, 20))]).toEqual([206, true]);
    expect((await open({ 'If-None-Match': whole.headers.get('etag')! })).status).toBe(304);
    server.clock.advance(60_000);
    expect((await open()).status).toBe(404);
  });

  it.each(['&filename=a%2Fb%2Freport.pdf', '&disposition=attachment&filename=report.pdf'])(
    'is saved under the name that %s asks for',
    async (query) => {
      const { open } = await link(query);
      expect((await open()).headers.get('content-disposition')).toBe('attachment; filename=report.pdf');
    },
  );

  it('stops working for good when its file is published', async () => {
    const { open, one, id } = await link();
    expect((await open()).status).toBe(200);
    await one({ object: id, private: false });
    expect((await open()).status).toBe(404);
    await one({ object: id.replace('prv/', 'pub/'), private: true });
    expect((await open()).status).toBe(404);
  });

  it('is rejected when one of its characters is changed', async () => {
    const { open, url } = await link();
    const { pathname } = new URL(url);
    for (let at = 3; at < pathname.length; at += 7) {
      const forged = pathname.slice(0, at) + (pathname[at] === 'A' ? 'B' : 'A') + pathname.slice(at + 1);
      expect((await open({}, forged)).status).toBe(404);
    }
  });

  it('redirects by default, and to the public URL for a public file', async () => {
    const { server, account, put } = await start();
    const file = await put();
    const get = (query: string) =>
      server.send(`/v1/objects/download?object=${file.id}${query}`, { credential: account.credential });
    const plain = await get('');
    expect([plain.status, plain.headers.get('location'), plain.headers.get('cache-control')]).toEqual([
      302,
      file.url,
      'no-store',
    ]);
    expect((await get('&redirect=false')).json().response).toMatchObject({
      url: file.url,
      expires_at: null,
      private: false,
    });
    expect((await get('&disposition=attachment')).headers.get('location')).toContain('/d/');
    expect((await get('&filename=..%2F')).json().code).toBe('INVALID_FILENAME');
    expect((await get('&expires=59')).json().code).toBe('INVALID_DOWNLOAD_EXPIRES');
    expect((await get('&redirect=maybe')).json().code).toBe('INVALID_REDIRECT');
  });
});

describe('the activity feed', () => {
  it('names changes and copies, newest first', async () => {
    const { server, account, copy, one, put } = await start();
    const file = await put();
    await one({ object: file.id, disposition: 'attachment', expire: '30d' });
    await copy({ source: `pub/${account.id}/photo-ex30.png`, destination: { name: 'twin' }, move: true });
    const { activity } = (await server.send('/v1/account/activity', { credential: account.credential })).json()
      .response;
    expect(
      activity.slice(0, 3).map(({ type, object, details }: Record<string, unknown>) => ({ type, object, details })),
    ).toEqual([
      {
        type: 'object.copied',
        object: `pub/${account.id}/twin-ex30.png`,
        details: { source: `pub/${account.id}/photo-ex30.png`, moved: true, original_name: 'photo.png' },
      },
      {
        type: 'object.updated',
        object: `pub/${account.id}/photo-ex30.png`,
        details: { from: file.id, changed: ['expire', 'disposition'], original_name: 'photo.png' },
      },
      { type: 'object.uploaded', object: file.id, details: expect.anything() },
    ]);
  });
});
