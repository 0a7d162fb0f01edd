import { beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import type { TestAccount, TestAnswer } from '#test/support/server.ts';
import { lasting, publicFiles } from './public-files.ts';
import { exchange } from './raw-request.ts';

const files = publicFiles();
const { faults, get, stored, storedAs } = files;

describe('the 404 of sendPublicFile', () => {
  let unknown: TestAnswer;
  let path: string;
  let privateKey: string;
  let expiredPath: string;
  let other: TestAccount;
  beforeAll(async () => {
    path = await stored();
    const uploaded = (await upload(files.server, files.account, { query: { name: 'secret', private: 'true' } })).json()
      .response;
    privateKey = uploaded.id.slice(`prv/${files.account.id}/`.length);
    expiredPath = await stored({ query: { expire: '1h' } });
    expect((await get(expiredPath)).status).toBe(200);
    files.server.clock.advance(3_600_000);
    other = await files.server.account();
    unknown = await get(`/${files.account.id}/unknown.png`);
    expect(unknown.status).toBe(404);
  });

  const name = () => path.slice(`/${files.account.id}/`.length);

  it.each<[string, () => string]>([
    ['a private file', () => `/${files.account.id}/${privateKey}`],
    ['a private file by its id', () => `/prv/${files.account.id}/${privateKey}`],
    ['a public file by its id', () => `/pub${path}`],
    ['an expired file', () => expiredPath],
    ['a file of another account', () => `/${other.id}/${name()}`],
    ['an unknown account', () => `/100000000000000000/${name()}`],
    ['an account without a key', () => `/${files.account.id}`],
    ['an account and a slash', () => `/${files.account.id}/`],
    ['the root', () => '/'],
    ['two slashes at the start', () => `/${path}`],
    ['two slashes in the middle', () => path.replace(/\/(?=[^/]+$)/, '//')],
    ['a slash at the end', () => `${path}/`],
    ['a traversal', () => `/${other.id}/../${files.account.id}/${name()}`],
    ['an encoded traversal', () => `/${other.id}/..%2f${files.account.id}%2f${name()}`],
    ['a traversal in encoded dots', () => `/${other.id}/%2e%2e/${files.account.id}/${name()}`],
    ['a traversal encoded twice', () => `/${other.id}/%252e%252e%252f${files.account.id}/${name()}`],
    ['a traversal with backslashes', () => `/${other.id}/..\\${files.account.id}\\${name()}`],
    ['a traversal to the disk', () => `/${files.account.id}/../../../../etc/passwd`],
    ['an encoded traversal to the disk', () => `/${files.account.id}/..%2f..%2f..%2f..%2fetc%2fpasswd`],
    ['a dot', () => `/${files.account.id}/./${name()}`],
    ['broken percent-encoding', () => `/${files.account.id}/%`],
    ['percent-encoding that is not UTF-8', () => `/${files.account.id}/%ff%fe`],
    ['a NUL', () => `/${files.account.id}/a%00.png`],
    ['a line end', () => `/${files.account.id}/a%0d%0aSet-Cookie:%20a=b`],
    ['a name of 8,000 characters', () => `/${files.account.id}/${'a'.repeat(8_000)}.png`],
    ['digits of another script', () => `/${encodeURIComponent('١'.repeat(18))}/${name()}`],
    ['an address within the request line', () => `http://localhost/${files.account.id}/unknown.png`],
    ['a broken address within the request line', () => 'http://[::1/a'],
    ['an address with a broken port', () => 'http://a:b/c'],
    ['a fragment', () => `/${files.account.id}/unknown.png#${name()}`],
  ])('is the same for %s', async (_name, target) => {
    const faultsBefore = faults().length;
    const answer = await get(target());
    expect(answer.status).toBe(404);
    expect(answer.body.toString()).toBe(unknown.body.toString());
    expect(lasting(answer)).toEqual(lasting(unknown));
    const conditional = await get(target(), { 'If-None-Match': '*', 'If-Match': '"a"', Range: 'bytes=0-1' });
    expect([conditional.status, conditional.body.toString()]).toEqual([404, unknown.body.toString()]);
    expect(faults()).toHaveLength(faultsBefore);
  });

  it('is the same for HEAD, without the body', async () => {
    const head = await exchange(files.server, `/${files.account.id}/unknown.png`, { method: 'HEAD' });
    expect([head.status, head.body.length]).toEqual([404, 0]);
    expect(lasting(head)).toEqual(lasting(unknown));
  });

  it('does not depend on the query, which is ignored for files', async () => {
    expect((await get(`${path}?v=2&download=1`)).status).toBe(200);
    expect((await get(`/${files.account.id}/unknown.png?v=2`)).status).toBe(404);
  });
});

describe('sendPublicFile finds a file by its name', () => {
  it.each([
    ['with spaces', 'my photo.png', 'my%20photo.png'],
    ['with a plus', 'c+d.png', 'c%2Bd.png'],
    ['in unicode', 'größe/写真 😀.png', 'gr%C3%B6%C3%9Fe/%E5%86%99%E7%9C%9F%20%F0%9F%98%80.png'],
    ['with an encoded slash in its name', 'a%2Fb.png', 'a%252Fb.png'],
    ['with a percent sign', '100%.png', '100%25.png'],
    ['with a question mark and a hash', 'a?b#c.png', 'a%3Fb%23c.png'],
    ['with characters that need no encoding', "a!'()*~.png", "a!'()*~.png"],
    ['with delimiters', 'a$&,;=:@.png', 'a%24%26%2C%3B%3D%3A%40.png'],
    ['with an empty folder', 'a//b.png', 'a//b.png'],
  ])('%s', async (_name, key, encoded) => {
    const bytes = Buffer.from(`the file ${key}`);
    await storedAs(key, bytes);
    const answer = await get(`/${files.account.id}/${encoded}`);
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).toBe(bytes.toString());
  });

  it('at the address that Info and List return, for any name', async () => {
    const key = 'ein Ordner/it\'s 100% größer + "neu"?#;.png';
    await storedAs(key, Buffer.from('found'));
    const info = await files.server.send(
      `/v1/objects/info?object=${encodeURIComponent(`pub/${files.account.id}/${key}`)}`,
      { credential: files.account.credential },
    );
    const { url } = info.json().response;
    expect(
      (await files.server.send(url.slice(files.server.running.urls.public.length), { door: 'public' })).body.toString(),
    ).toBe('found');
  });
});
