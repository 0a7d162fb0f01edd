import { createHmac } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sign } from '#dist/modules/client/index.js';
import { imageSigningKey } from '#server/features/images/signing-key.ts';
import { eventually } from '#test/support/eventually.ts';
import { formWith, someBytes, upload } from '#test/support/files.ts';
import { aboutImage, picture, pixelBomb, sidewaysPhoto } from '#test/support/images.ts';
import { startTestServer, type TestAccount, type TestRequest, type TestServer } from '#test/support/server.ts';

const env = {
  CUBBY_IMAGE_VARIANTS: 'on',
  CUBBY_IMAGE_PRESETS: 'thumb:w=100&h=100&fit=cover&f=jpeg, wide:w=200',
};

let server: TestServer;
let account: TestAccount;
let photo: Buffer;
beforeAll(async () => {
  server = await startTestServer({ env });
  account = await server.account();
  photo = await sidewaysPhoto();
});
afterAll(() => server.stop());

let files = 0;

/** Stores a file, and returns its path on the public host, or on the files host. */
async function stored(
  bytes: Uint8Array = photo,
  { filename = 'photo.jpg', isPrivate = false, on = server, by = account } = {},
) {
  const query = { name: `file-${++files}`, private: String(isPrivate) };
  const { id, url } = (await upload(on, by, { bytes, filename, query })).json().response;
  if (!isPrivate) return { id, path: new URL(url).pathname, door: 'public' as const };
  const link = await on.send(`/v1/objects/download?object=${id}&redirect=false`, { credential: by.credential });
  return { id, path: new URL(link.json().response.url).pathname, door: 'files' as const };
}

type Stored = Awaited<ReturnType<typeof stored>>;

const get = ({ path, door }: Pick<Stored, 'path' | 'door'>, query: string, request: TestRequest = {}, on = server) =>
  on.send(path + query, { door, ...request });

/** Signs as a program without our client does. */
function signed(path: string, variant: string, by = account, on = server): string {
  const key = imageSigningKey(on.running.app.stores.secrets, by.id);
  return `?${variant}&sig=${createHmac('sha256', key).update(`${path}?${variant}`).digest('base64url')}`;
}

const keyOf = async (credential: string): Promise<string> =>
  (await server.send('/v1/account/image-key', { credential })).json().response.key;

const sizeOf = async (bytes: Uint8Array) => {
  const { format, width, height } = await aboutImage(bytes);
  return [format, width, height];
};

describe('image variants', () => {
  it('change nothing while they are off', async () => {
    const off = await startTestServer();
    const by = await off.account();
    for (const isPrivate of [false, true]) {
      const file = await stored(photo, { isPrivate, on: off, by });
      for (const query of ['?preset=thumb', '?w=10&h=10&sig=x']) {
        const answer = await get(file, query, {}, off);
        expect([answer.status, answer.body.equals(photo), answer.headers.get('vary')]).toEqual([200, true, null]);
      }
    }
  });

  it('leave requests without their parameters alone', async () => {
    for (const isPrivate of [false, true]) {
      const file = await stored(photo, { isPrivate });
      const plain = await get(file, '?v=2&width=7&sig=x');
      expect([plain.body.equals(photo), plain.headers.get('content-type')]).toEqual([true, 'image/jpeg']);
    }
  });

  it.each([false, true])('serve presets by name and by their parameters, private: %s', async (isPrivate) => {
    const file = await stored(photo, { isPrivate });
    const named = await get(file, '?preset=thumb');
    expect([named.status, named.headers.get('content-type'), named.headers.get('vary')]).toEqual([
      200,
      'image/jpeg',
      null,
    ]);
    expect(await sizeOf(named.body)).toEqual(['jpeg', 100, 100]);
    const same = await get(file, '?v=3&f=jpeg&fit=cover&h=100&w=100');
    expect(same.body.equals(named.body)).toBe(true);
    expect(same.headers.get('etag')).toBe(named.headers.get('etag'));
    expect(await sizeOf((await get(file, '?w=200')).body)).toEqual(['jpeg', 200, 267]);
  });

  it('choose the format by Accept, and say so', async () => {
    const file = await stored();
    const asked = [
      ['*/*', 'image/jpeg'],
      ['image/webp,*/*;q=0.8', 'image/webp'],
      ['image/avif,image/webp,image/apng,*/*;q=0.8', 'image/avif'],
      ['image/avif;q=0,image/webp;q=0.1', 'image/webp'],
    ] as const;
    const tags = new Set<string>();
    for (const [Accept, type] of asked) {
      const { headers } = await get(file, '?preset=wide', { headers: { Accept } });
      expect([headers.get('content-type'), headers.get('vary')]).toEqual([type, 'Accept']);
      tags.add(headers.get('etag')!);
    }
    expect(tags.size).toBe(3);
  });

  it('have their own entity tag, ranges and conditions', async () => {
    const file = await stored();
    const whole = await get(file, '?preset=thumb');
    const plain = await get(file, '');
    const etag = whole.headers.get('etag')!;
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(etag).not.toBe(plain.headers.get('etag'));
    const part = await get(file, '?preset=thumb', { headers: { Range: 'bytes=10-19', 'If-Range': etag } });
    expect([part.status, part.body.equals(whole.body.subarray(10, 20))]).toEqual([206, true]);
    expect((await get(file, '?preset=thumb', { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await get(file, '?preset=thumb', { headers: { 'If-Match': plain.headers.get('etag')! } })).status).toBe(
      412,
    );
    const head = await get(file, '?preset=thumb', { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(whole.body.length));
    // A purge names no query.
    expect(whole.headers.get('cache-control')).toBe('public, max-age=60');
  });

  it('are cached by shared caches for a minute at most, and never beyond the end of a file', async () => {
    const query = { name: 'cached', cache_control: 'immutable' };
    const { url } = (await upload(server, account, { bytes: photo, filename: 'photo.jpg', query })).json().response;
    const answer = await get({ path: new URL(url).pathname, door: 'public' }, '?preset=thumb');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable, s-maxage=60');
    const link = await get(await stored(photo, { isPrivate: true }), '?preset=thumb');
    expect(link.headers.get('cache-control')).toBe('private, no-cache');
  });

  it.each([false, true])('need a signature without a preset, private: %s', async (isPrivate) => {
    const file = await stored(photo, { isPrivate });
    const variant = 'w=33&fit=contain&f=png';
    const good = signed(file.path, variant);
    expect(await sizeOf((await get(file, good)).body)).toEqual(['png', 33, 44]);
    const other = await server.account();
    const wrong = [
      `?${variant}`,
      good.replace('w=33', 'w=34'),
      good.slice(0, -1),
      `${good}A`,
      signed(`${file.path}x`, variant),
      signed((await stored(photo, { isPrivate })).path, variant),
      signed(file.path, variant, other),
    ];
    for (const query of wrong) {
      const answer = await get(file, query);
      expect([answer.status, answer.headers.get('cache-control')], query).toEqual([403, 'no-store']);
    }
  });

  it('take the signatures of the client, in addresses of every kind', async () => {
    const key = await keyOf(account.credential);
    for (const isPrivate of [false, true]) {
      const file = await stored(photo, { isPrivate });
      for (const variant of [{ w: 41 }, { h: 43, q: 10, f: 'webp' }, { w: 47, h: 47, fit: 'cover' }] as const) {
        const address = new URL(await sign(`${server.running.urls[file.door]}${file.path}?v=2`, variant, key));
        expect(address.searchParams.get('v')).toBe('2');
        const answer = await get(file, address.search);
        expect(answer.status).toBe(200);
        const about = await aboutImage(answer.body);
        expect('w' in variant ? about.width : about.height).toBe('w' in variant ? variant.w : variant.h);
      }
    }
    const odd = { name: 'a', prefix: 'odd' };
    const put = await server.send(`/v1/objects?${new URLSearchParams(odd)}`, {
      method: 'POST',
      credential: account.credential,
      body: formWith(photo, "it's (1)~!*.jpg", 'image/jpeg'),
    });
    const { url } = put.json().response;
    const address = new URL(await sign(url, { w: 20 }, key));
    expect((await get({ path: address.pathname, door: 'public' }, address.search)).status).toBe(200);
  });

  it('have one signing key for each account, for keys that write everywhere', async () => {
    const key = await keyOf(account.credential);
    expect(key).toMatch(/^cbi_[\w-]{43}$/);
    expect(await keyOf(await server.key(account, { scopes: ['blob:write'] }))).toBe(key);
    expect(await keyOf((await server.account()).credential)).not.toBe(key);
  });

  it.each([
    '?w=0',
    '?w=4097',
    '?f=auto',
    '?q=80',
    '?preset=nope',
    '?preset=thumb&w=1',
    '?preset=',
    '?w=1&w=1',
    '?w=1&fit=fill',
    '?w=%00',
    '?w=20&sig=',
  ])('answer 400 to %s', async (query) => {
    for (const isPrivate of [false, true])
      expect((await get(await stored(photo, { isPrivate }), query)).status).toBe(400);
  });

  it('answer 404 for files that are not there, whatever is asked', async () => {
    const missing = { path: `/${account.id}/missing.png`, door: 'public' as const };
    for (const query of ['?preset=thumb', '?w=0', '?w=77']) expect((await get(missing, query)).status).toBe(404);
  });

  it('refuse files that lie, and files that are cut off', async () => {
    const png = await picture(300, 300).png().toBuffer();
    const cases = [
      [Buffer.from('This is no picture. '.repeat(50)), 415],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'.padEnd(600)), 415],
      [await picture(100, 100).gif().toBuffer(), 415],
      [someBytes(100_000), 415],
      [png.subarray(0, png.length / 2), 422],
      [Buffer.concat([png.subarray(0, 8), someBytes(1000)]), 422],
    ] as const;
    for (const [bytes, status] of cases) {
      const file = await stored(bytes, { filename: 'photo.png' });
      expect((await get(file, '?preset=thumb')).status).toBe(status);
      expect((await get(file, '')).body.equals(bytes)).toBe(true);
    }
    // The bytes count, and not the name.
    const named = await stored(png, { filename: 'notes.txt' });
    expect((await get(named, '?preset=thumb')).headers.get('content-type')).toBe('image/jpeg');
  });

  it('refuse a bomb, and answer at once the next time', async () => {
    const bomb = pixelBomb();
    expect(bomb.length).toBeLessThan(5_000_000);
    const file = await stored(bomb, { filename: 'bomb.png' });
    expect((await get(file, '?preset=thumb')).status).toBe(413);
    const startedAt = performance.now();
    expect((await get(file, '?preset=wide')).status).toBe(413);
    expect(performance.now() - startedAt).toBeLessThan(150);
  });

  it('give an attachment the name of its format', async () => {
    const file = await stored(photo, { isPrivate: true });
    const { headers } = await get(file, '?preset=wide', { headers: { Accept: 'image/webp' } });
    expect(headers.get('content-disposition')).toMatch(/photo\.webp/);
  });

  it('go with their file', async () => {
    const file = await stored();
    await get(file, '?preset=thumb');
    const folder = join(server.dataDir, 'variants');
    const [content] = await contentsOf(file.id);
    expect(await readdir(folder)).toContain(content);
    // While a copy has the same bytes, they stay.
    const copy = await server.send('/v1/objects/copy', {
      method: 'POST',
      credential: account.credential,
      body: JSON.stringify({ object: file.id, destination: { name: 'copy' } }),
    });
    const remove = (object: string) =>
      server.send('/v1/objects', {
        method: 'DELETE',
        credential: account.credential,
        body: JSON.stringify({ object }),
      });
    await remove(file.id);
    expect((await get(file, '?preset=thumb')).status).toBe(404);
    if (copy.status === 200) await remove(copy.json().response.id);
    await eventually(async () => expect(await readdir(folder)).not.toContain(content));
  });

  it('are not public once their file is private', async () => {
    const file = await stored();
    await get(file, '?preset=thumb');
    const changed = await server.send('/v1/objects', {
      method: 'PATCH',
      credential: account.credential,
      body: JSON.stringify({ objects: [file.id], private: true }),
    });
    expect(changed.status).toBe(200);
    expect((await get(file, '?preset=thumb')).status).toBe(404);
  });
});

async function contentsOf(id: string): Promise<string[]> {
  const { metadata } = server.running.app.stores;
  const [space, accountId, ...key] = id.split('/');
  const object = await metadata.read.objects.find({
    accountId: accountId!,
    space: space === 'pub' ? 'public' : 'private',
    key: key.join('/'),
  });
  return object ? [object.contentId] : [];
}
