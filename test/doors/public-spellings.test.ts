import { beforeAll, describe, expect, it } from 'vitest';

import { importLegacyFile } from '#server/features/files/legacy/import-legacy-file.ts';
import { publicPath } from '#server/features/files/public-url.ts';
import { eventually } from '#test/support/eventually.ts';
import { upload } from '#test/support/files.ts';
import { startHookServer } from '#test/support/hook-server.ts';
import { startTestServer } from '#test/support/server.ts';
import { lasting, publicFiles } from './public-files.ts';
import { exchange } from './raw-request.ts';

const files = publicFiles();
const { get, stored, storedAs } = files;

/** Keys with spellings of their paths that are not canonical. */
const spellings: ReadonlyArray<readonly [what: string, key: string, spelling: string]> = [
  ['an encoded letter', 'photos/x.txt', '%70hotos/x.txt'],
  ['an encoded dot', 'photos/x.txt', 'photos/x%2Etxt'],
  ['an encoded slash', 'photos/x.txt', 'photos%2Fx.txt'],
  ['an encoded slash in lower case', 'photos/x.txt', 'photos%2fx.txt'],
  ['all letters encoded', 'photos/x.txt', '%70%68%6F%74%6F%73%2F%78%2E%74%78%74'],
  ['lower-case hex digits', 'größe.png', 'gr%c3%b6%c3%9fe.png'],
  ['hex digits of mixed case', 'größe.png', 'gr%C3%b6%C3%9Fe.png'],
  ['a bare plus', 'a+b.png', 'a+b.png'],
  ['bare delimiters', "a!$&'()*,;=:@~.png", "a!$&'()*,;=:@~.png"],
  ['an encoded tilde', 'a~b.png', 'a%7Eb.png'],
  ['encoded brackets', "it's (1).png", 'it%27s%20%281%29.png'],
  ['a bare hash', 'a#b.png', 'a#b.png'],
  ['a bare backslash', 'a\\b.png', 'a\\b.png'],
  ['two slashes of which one is encoded', 'a//b.png', 'a/%2Fb.png'],
  ['an encoded slash at its end', 'folder/', 'folder%2F'],
  ['an escape in its name, encoded elsewhere', 'a%2Fb.png', '%61%252Fb.png'],
];

describe('a path that is not canonical', () => {
  let path: (spelling: string) => string;
  beforeAll(async () => {
    path = (spelling) => `/${files.account.id}/${spelling}`;
    for (const key of new Set(spellings.map(([, key]) => key))) await storedAs(key, Buffer.from(`the file ${key}`));
  });
  const canonical = (key: string) => publicPath({ accountId: files.account.id, key });

  it.each(spellings)('with %s redirects to the canonical path: %s', async (_what, key, spelling) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await exchange(files.server, path(spelling), { method });
      expect(answer.status).toBe(301);
      expect(answer.headers.get('location')).toBe(files.server.running.urls.public + canonical(key));
      expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
      expect(answer.body).toHaveLength(0);
    }
    const file = await get(canonical(key));
    expect([file.status, file.body.toString()]).toEqual([200, `the file ${key}`]);
  });

  it('in the account id redirects too', async () => {
    const encoded = [...files.account.id].map((digit) => `%3${digit}`).join('');
    expect((await get(`/${encoded}/photos/x.txt`)).headers.get('location')).toBe(
      files.server.running.urls.public + canonical('photos/x.txt'),
    );
  });

  it('keeps its query in the redirect', async () => {
    const { headers } = await get(path('%70hotos/x.txt?v=1&w=%70'));
    expect(headers.get('location')).toBe(`${files.server.running.urls.public}${canonical('photos/x.txt')}?v=1&w=%70`);
  });

  it('ignores ranges and conditions', async () => {
    const { headers } = await get(canonical('photos/x.txt'));
    for (const asked of [
      { Range: 'bytes=0-1' },
      { Range: 'bytes=999-' },
      { 'If-None-Match': headers.get('etag')! },
      { 'If-Match': '"another"' },
      { 'If-None-Match': '*' },
    ]) {
      expect((await get(path('%70hotos/x.txt'), asked)).status).toBe(301);
    }
  });

  it('redirects in absolute form as in origin form', async () => {
    for (const host of ['localhost', 'evil.example']) {
      const there = await get(`http://${host}${path('%70hotos/x.txt')}`);
      expect(there.headers.get('location')).toBe(files.server.running.urls.public + canonical('photos/x.txt'));
      expect((await get(`http://${host}${canonical('photos/x.txt')}`)).status).toBe(200);
    }
  });

  it('allows every origin to read the redirect', async () => {
    expect((await get(path('%70hotos/x.txt'))).headers.get('access-control-allow-origin')).toBe('*');
  });

  it.each([
    'photos//x.txt',
    'photos/x.txt/',
    './photos/x.txt',
    'photos/./x.txt',
    'photos/../photos/x.txt',
    '%2e/photos/x.txt',
    'photos/%2E%2E/photos/x.txt',
    'photos%2F..%2Fphotos%2Fx.txt',
    '/photos/x.txt',
    'photos/x.txt%00',
    'Photos/x.txt',
    'photos%252Fx.txt',
    'photos\\x.txt',
    'photos/x.txt%20',
    '%ff',
  ])('for another key, or for none, gets 404: %s', async (other) => {
    const answer = await get(path(other));
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });
});

describe('a path that is not canonical does not tell a private file from a missing one', () => {
  it('in status, headers or body', async () => {
    const { id } = (await upload(files.server, files.account, { query: { name: 'hidden', private: 'true' } })).json()
      .response;
    const key = id.slice(`prv/${files.account.id}/`.length) as string;
    const missing = await get(`/${files.account.id}/%70one.png`);
    const expired = await stored({ query: { expire: '1h' } });
    files.server.clock.advance(3_600_000);
    for (const target of [
      `/${files.account.id}/%${Buffer.from(key[0]!).toString('hex')}${key.slice(1)}`,
      expired.replace('-ex', '%2Dex'),
    ]) {
      const answer = await get(target);
      expect([answer.status, answer.body.toString(), lasting(answer)]).toEqual([
        404,
        missing.body.toString(),
        lasting(missing),
      ]);
    }
    expect(missing.status).toBe(404);
  });
});

describe('the redirect to the canonical path is not cached longer than the file', () => {
  it.each([
    ['immutable', 'public, max-age=60'],
    ['max-age=3600', 'public, max-age=60'],
    ['no-cache', 'no-cache'],
  ])('of a file with %s', async (cacheControl, expected) => {
    const path = await stored({ query: { cache_control: cacheControl } });
    expect((await get(path.replace('file', '%66ile'))).headers.get('cache-control')).toBe(expected);
  });

  it('of a file that expires', async () => {
    const path = await stored({ query: { expire: '1h', cache_control: 'immutable' } });
    files.server.clock.advance(3_600_000 - 40_500);
    expect((await get(path.replace('file', '%66ile'))).headers.get('cache-control')).toBe('public, max-age=40');
  });
});

describe('a public URL with a query', () => {
  it.each([
    [undefined, 'public, max-age=60'],
    ['max-age=60', 'public, max-age=60'],
    ['max-age=3600', 'public, max-age=3600, s-maxage=60'],
    ['immutable', 'public, max-age=31536000, immutable, s-maxage=60'],
    ['no-cache', 'no-cache'],
  ])('for a file with %s lets a CDN keep it for at most a minute: %s', async (cacheControl, expected) => {
    const path = await stored({ query: { ...(cacheControl && { cache_control: cacheControl }) } });
    for (const query of ['?v=1', '?', '?v=1&v=2#x']) {
      const answer = await get(path + query);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, expected]);
    }
  });
});

describe('a CDN purge', () => {
  it('names the canonical URL, which Info and List return as well', async () => {
    const hook = await startHookServer();
    const server = await startTestServer({
      env: { CUBBY_PUBLIC_URL: 'https://cdn.example.com', CUBBY_CDN_PURGE_URL: `http://127.0.0.1:${hook.port}/` },
    });
    const account = await server.account();
    const { stores } = server.running.app;
    const key = "größe/it's a+b (1)#~.png";
    const open = async function* () {
      yield Buffer.alloc(700);
    };
    await importLegacyFile(stores, {
      account: (await stores.metadata.read.accounts.find(account.id))!,
      key,
      sizeBytes: 700,
      open,
      signal: new AbortController().signal,
    });
    const id = `${account.id}/${key}`;
    const url = `https://cdn.example.com/${account.id}/gr%C3%B6%C3%9Fe/it's%20a%2Bb%20(1)%23~.png`;
    expect(`https://cdn.example.com${publicPath({ accountId: account.id, key })}`).toBe(url);
    const info = await server.send(`/v1/objects/info?object=${encodeURIComponent(id)}`, {
      credential: account.credential,
    });
    const list = await server.send('/v1/objects', { credential: account.credential });
    expect([info.json().response.url, list.json().response.objects[0].url]).toEqual([url, url]);
    await server.send('/v1/objects', {
      method: 'DELETE',
      credential: account.credential,
      body: JSON.stringify({ object: id }),
    });
    await eventually(() => expect(hook.calls.map(({ body }) => body)).toEqual([{ urls: [url] }]));
  });
});
