import { readdirSync, readlinkSync } from 'node:fs';
import { rm, truncate } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { someBytes, upload, type Upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { endingOfForeignKey } from '#server/domain/objects/key.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import { exchange, open, type RawRequest } from './raw-request.ts';

let server: TestServer;
let account: TestAccount;
/** Called before the real store opens a blob, so that a test can get in between. */
let beforeOpen: (() => Promise<void>) | undefined;
beforeAll(async () => {
  const blobs = (real: BlobStore): BlobStore => ({
    put: (blobId, source, signal) => real.put(blobId, source, signal),
    async open(blobId, range) {
      await beforeOpen?.();
      return real.open(blobId, range);
    },
    delete: (blobId) => real.delete(blobId),
    ids: () => real.ids(),
  });
  server = await startTestServer({ blobs });
  account = await server.account();
});
afterAll(() => server.stop());

let count = 0;
/** Uploads a public file; answers its path on the public host. */
async function stored({ query, ...rest }: Upload = {}): Promise<string> {
  const answer = await upload(server, account, { query: { name: `file-${++count}`, ...query }, ...rest });
  expect(answer.status, answer.body.toString()).toBe(200);
  return new URL(answer.json().response.url).pathname;
}

const get = (path: string, headers: NonNullable<RawRequest['headers']> = {}) => exchange(server, path, { headers });

/** Writes a row as other protocols will: their keys have characters that a REST upload refuses. */
async function storedAs(key: string, bytes: Uint8Array): Promise<void> {
  const { metadata, ids } = server.running.app.stores;
  const contentId = ids.opaqueId();
  await metadata.atomically(async (tx) => {
    await tx.contents.add({ id: contentId, sizeBytes: bytes.length, blobs: [{ blobId: ids.opaqueId(), sizeBytes: bytes.length, inline: bytes }] });
    await tx.objects.put({
      accountId: account.id, space: 'public', key, contentId, sizeBytes: bytes.length, etag: 'd41d8cd98f00b204e9800998ecf8427e', sha256: null,
      createdAt: tx.now, expiresAt: null, cacheControl: null, disposition: null, originalName: null, metadata: {}, s3: null, ending: endingOfForeignKey(key), incarnation: ids.opaqueId(),
    });
  });
}

/** Headers that every answer has anew. */
const ownHeaders = ['date', 'x-request-id', 'connection', 'keep-alive'];
const lasting = ({ headers }: TestAnswer) => Object.fromEntries([...headers].filter(([name]) => !ownHeaders.includes(name)));

const faults = () => server.log.filter(({ message }) => message === 'fault');

describe.each([
  ['a small file, which lies in the database', 3_000],
  ['a large file, which lies in a file of its own', 700_000],
])('sendPublicFile for %s', (_, size) => {
  const bytes = someBytes(size);
  let path: string;
  let etag: string;
  let lastModified: string;
  beforeAll(async () => {
    path = await stored({ bytes });
    const whole = await get(path);
    expect(whole.body.equals(bytes)).toBe(true);
    etag = whole.headers.get('etag')!;
    lastModified = whole.headers.get('last-modified')!;
  });

  it('answers the whole with a strong ETag, its date and its length', async () => {
    const whole = await get(path);
    expect(whole.status).toBe(200);
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(lasting(whole)).toMatchObject({ 'content-length': String(size), 'accept-ranges': 'bytes', 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
    expect(new Date(lastModified).getTime()).toBe(server.clock.now());
  });

  it('answers HEAD with the headers of GET and no body', async () => {
    const head = await exchange(server, path, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.body).toHaveLength(0);
    expect(lasting(head)).toEqual(lasting(await get(path)));
  });

  it('answers HEAD with a Range as if there were none', async () => {
    const head = await exchange(server, path, { method: 'HEAD', headers: { Range: 'bytes=0-9' } });
    expect([head.status, head.headers.get('content-length'), head.headers.get('content-range')]).toEqual([200, String(size), null]);
  });

  it.each([
    ['the first byte', 'bytes=0-0', 0, 0],
    ['the first bytes', 'bytes=0-99', 0, 99],
    ['bytes in the middle', `bytes=1000-1999`, 1000, 1999],
    ['the last byte', `bytes=${size - 1}-${size - 1}`, size - 1, size - 1],
    ['an open end', `bytes=${size - 10}-`, size - 10, size - 1],
    ['an open end from the start', 'bytes=0-', 0, size - 1],
    ['a suffix', 'bytes=-10', size - 10, size - 1],
    ['a suffix of the whole', `bytes=-${size}`, 0, size - 1],
    ['a suffix longer than the whole', `bytes=-${size + 1}`, 0, size - 1],
    ['an end past the end', `bytes=${size - 5}-${size + 100}`, size - 5, size - 1],
    ['exactly the end', `bytes=0-${size - 1}`, 0, size - 1],
    ['the unit in another case', 'Bytes=5-6', 5, 6],
    ['several ranges that touch', 'bytes=0-9,10-19', 0, 19],
    ['several ranges that overlap', 'bytes=5-50, 0-9', 0, 50],
  ])('answers 206 to %s', async (_name, range, start, end) => {
    const part = await get(path, { Range: range });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`);
    expect(part.headers.get('content-length')).toBe(String(end - start + 1));
    expect(part.headers.get('etag')).toBe(etag);
    expect(part.body.equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it.each([
    ['several ranges that lie apart', 'bytes=0-9,100-109'],
    ['another unit', 'pages=1-2'],
    ['an end before its start', 'bytes=9-0'],
    ['no number', 'bytes=a-b'],
    ['nothing', 'bytes='],
    ['a negative start', 'bytes=--5'],
  ])('answers the whole to %s', async (_name, range) => {
    const whole = await get(path, { Range: range });
    expect(whole.status).toBe(200);
    expect(whole.body.equals(bytes)).toBe(true);
  });

  it.each([
    ['past the end', `bytes=${size}-`],
    ['far past the end', 'bytes=99999999999999999999-'],
    ['an empty suffix', 'bytes=-0'],
    ['several ranges, all past the end', `bytes=${size}-,${size + 9}-${size + 10}`],
  ])('answers 416 to a range that is %s, and says how long the file is', async (_name, range) => {
    const refused = await get(path, { Range: range });
    expect(refused.status).toBe(416);
    expect(refused.headers.get('content-range')).toBe(`bytes */${size}`);
  });

  describe('with If-Range', () => {
    const ranged = (ifRange: string) => get(path, { Range: 'bytes=0-9', 'If-Range': ifRange });

    it('answers the range while the ETag is the same', async () => {
      expect((await ranged(etag)).status).toBe(206);
    });
    it('answers the range while the date is the same', async () => {
      expect((await ranged(lastModified)).status).toBe(206);
    });
    it.each([
      ['another ETag', () => '"0"'],
      ['a weak ETag', () => `W/${etag}`],
      ['an earlier date', () => 'Mon, 01 Jan 2024 00:00:00 GMT'],
      ['a later date', () => 'Fri, 01 Jan 2100 00:00:00 GMT'],
      ['a star', () => '*'],
      ['nonsense', () => 'yesterday'],
    ])('answers the whole to %s', async (_name, ifRange) => {
      const whole = await ranged(ifRange());
      expect([whole.status, whole.body.length]).toEqual([200, size]);
    });
  });

  describe('with conditions', () => {
    it.each([
      ['If-None-Match: the ETag', () => ({ 'If-None-Match': etag })],
      ['If-None-Match: the weak ETag, as caches on the way make it', () => ({ 'If-None-Match': `W/${etag}` })],
      ['If-None-Match: a list', () => ({ 'If-None-Match': `"other", ${etag}, W/"third"` })],
      ['If-None-Match: *', () => ({ 'If-None-Match': '*' })],
      ['If-Modified-Since: its date', () => ({ 'If-Modified-Since': lastModified })],
      ['If-Modified-Since: a later date', () => ({ 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' })],
      ['If-None-Match and a Range', () => ({ 'If-None-Match': etag, Range: 'bytes=0-9' })],
    ])('answers 304 to %s', async (_name, headers) => {
      const same = await get(path, headers());
      expect(same.status).toBe(304);
      expect(lasting(same)).toMatchObject({ etag, 'last-modified': lastModified, 'cache-control': 'public, max-age=60' });
      for (const name of ['content-type', 'content-length', 'content-range']) expect(same.headers.get(name)).toBeNull();
      expect((await exchange(server, path, { method: 'HEAD', headers: headers() })).status).toBe(304);
    });

    it.each([
      ['If-None-Match: another', () => ({ 'If-None-Match': '"other"' })],
      ['If-None-Match: another, beside its date, which then does not count', () => ({ 'If-None-Match': '"other"', 'If-Modified-Since': lastModified })],
      ['If-Modified-Since: an earlier date', () => ({ 'If-Modified-Since': 'Mon, 01 Jan 2024 00:00:00 GMT' })],
      ['If-Modified-Since: no date', () => ({ 'If-Modified-Since': 'soon' })],
      ['If-Match: the ETag', () => ({ 'If-Match': etag })],
      ['If-Match: a list', () => ({ 'If-Match': `"other", ${etag}` })],
      ['If-Match: *', () => ({ 'If-Match': '*' })],
      ['If-Unmodified-Since: its date', () => ({ 'If-Unmodified-Since': lastModified })],
    ])('answers 200 to %s', async (_name, headers) => {
      expect((await get(path, headers())).status).toBe(200);
    });

    it.each([
      ['If-Match: another', () => ({ 'If-Match': '"other"' })],
      ['If-Match: the weak ETag', () => ({ 'If-Match': `W/${etag}` })],
      ['If-Unmodified-Since: an earlier date', () => ({ 'If-Unmodified-Since': 'Mon, 01 Jan 2024 00:00:00 GMT' })],
      ['If-Match: another, beside If-None-Match and a Range', () => ({ 'If-Match': '"other"', 'If-None-Match': etag, Range: 'bytes=0-9' })],
    ])('answers 412 to %s', async (_name, headers) => {
      const refused = await get(path, headers());
      expect(refused.status).toBe(412);
      expect(refused.headers.get('cache-control')).toBe('no-store');
    });
  });
});

describe('sendPublicFile', () => {
  it('answers another ETag once the file is replaced', async () => {
    const path = await stored({ query: { name: 'replaced' } });
    const { headers } = await get(path);
    await stored({ query: { name: 'replaced' } });
    expect((await get(path)).headers.get('etag')).not.toBe(headers.get('etag'));
    expect((await get(path, { 'If-None-Match': headers.get('etag')! })).status).toBe(200);
  });

  it('answers the same bytes under two names with the same ETag', async () => {
    const bytes = someBytes();
    const [one, two] = [await get(await stored({ bytes })), await get(await stored({ bytes }))];
    expect(one.headers.get('etag')).toBe(two.headers.get('etag'));
  });

  it.each([
    [undefined, 'public, max-age=60'],
    ['immutable', 'public, max-age=31536000, immutable'],
    ['max-age=3600', 'public, max-age=3600'],
    ['no-cache', 'no-cache'],
  ])('answers with Cache-Control as it was set: %s', async (set, served) => {
    const path = await stored({ query: { ...(set && { cache_control: set }) } });
    expect((await get(path)).headers.get('cache-control')).toBe(served);
    const info = await server.send(`/v1/objects/info?object=pub${path}`, { credential: account.credential });
    expect(info.json().response.cache_control).toBe(set === undefined ? null : served);
  });

  it('answers files in a sandbox, to every origin, and unsniffed', async () => {
    const { headers } = await get(await stored());
    const policy = headers.get('content-security-policy')!.split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('sandbox');
    expect(headers.get('content-security-policy')).not.toMatch(/allow-|script-src|unsafe-eval/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('answers refusals unsniffed and uncached too', async () => {
    const { headers } = await get(`/${account.id}/nothing.png`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('Content-Disposition of sendPublicFile', () => {
  const served = async (filename: string, query: Record<string, string>) => (await get(await stored({ filename, query }))).headers.get('content-disposition');

  it.each([
    [{}, null],
    [{ disposition: 'inline' }, 'inline; filename=photo.png'],
    [{ disposition: 'attachment' }, 'attachment; filename=photo.png'],
    [{ auto_download: 'true' }, 'attachment; filename=photo.png'],
    [{ auto_download: 'true', disposition: 'inline' }, 'inline; filename=photo.png'],
  ])('is as the upload asked: %o', async (query, expected) => {
    expect(await served('photo.png', query as Record<string, string>)).toBe(expected);
  });

  it.each([
    ['résumé.png', /filename=resume\.png; filename\*=UTF-8''r%C3%A9sum%C3%A9\.png$/],
    ['Straße 100%.png', /filename\*=UTF-8''Stra%C3%9Fe%20100%25\.png$/],
    ['写真.png', /filename=__\.png; filename\*=UTF-8''%E5%86%99%E7%9C%9F\.png$/],
    ['😀.png', /filename\*=UTF-8''%F0%9F%98%80\.png$/],
    ["it's;a=name.png", /^attachment; filename="it's;a=name\.png"$/],
  ])('names %s as RFC 8187 says', async (filename, expected) => {
    expect(await served(filename, { disposition: 'attachment' })).toMatch(expected);
  });

  it('names quotes and backslashes in a way that nobody misreads', async () => {
    // Written by hand: fetch percent-encodes quotes in a filename.
    const body = `--b\r\nContent-Disposition: form-data; name="file"; filename="a\\"b.png"\r\n\r\n${'x'.repeat(600)}\r\n--b--\r\n`;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const { url } = (await server.send('/v1/objects?name=quotes&disposition=attachment', { method: 'POST', credential: account.credential, headers, body })).json().response;
    const value = (await get(new URL(url).pathname)).headers.get('content-disposition')!;
    expect(value).toBe(`attachment; filename=a_b.png; filename*=UTF-8''a%22b.png`);
  });
});

const renderable = 'html htm xhtml xht shtml svg svgz xml xsl xslt mht mhtml rdf rss atom js mjs swf wasm xsd'.split(' ');

describe('sendPublicFile never lets a browser render or run', () => {
  const attachment = (answer: TestAnswer) => {
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-encoding')).toBeNull();
  };

  it.each(renderable)('.%s', async (extension) => {
    attachment(await get(await stored({ filename: `page.${extension}`, query: { disposition: 'inline' } })));
  });

  it.each(['x.html.gz', 'x.svg.br', 'X.HTML', 'X.SVG', 'x.svgz', 'x.XHTML.GZ', 'x.hTm'])('%s', async (filename) => {
    attachment(await get(await stored({ filename, query: { disposition: 'inline' } })));
  });

  it.each(['page.html', 'page.SVG', 'a.xml.txt'])('a name that carries another extension: %s', async (name) => {
    attachment(await get(await stored({ filename: 'x.png', query: { name, disposition: 'inline' } })));
  });

  it.each(['text/html', 'image/svg+xml', 'application/xhtml+xml'])('a file without extension that declares itself as %s', async (type) => {
    const form = new FormData();
    form.append('file', new File([someBytes() as Uint8Array<ArrayBuffer>], 'page', { type }));
    const answer = await server.send(`/v1/objects?name=typed-${++count}&disposition=inline`, { method: 'POST', credential: account.credential, body: form });
    attachment(await get(new URL(answer.json().response.url).pathname));
  });

  it('what other protocols stored under a key in capitals', async () => {
    await storedAs('PAGE.HTML', Buffer.from('<script>'));
    attachment(await get(`/${account.id}/PAGE.HTML`));
  });

  it.each([
    ['notes.txt', 'text/plain; charset=utf-8'],
    ['photo.jpg', 'image/jpeg'],
    ['film.mp4', 'video/mp4'],
    ['paper.pdf', 'application/pdf'],
    ['reads.fastq.gz', 'application/gzip'],
    ['blob.unknown', 'application/octet-stream'],
    ['nothing', 'image/png'],
  ])('but serves %s as %s', async (filename, type) => {
    expect((await get(await stored({ filename }))).headers.get('content-type')).toBe(type);
  });
});

describe('the 404 of sendPublicFile', () => {
  let unknown: TestAnswer;
  let path: string;
  let privateKey: string;
  let expiredPath: string;
  let other: TestAccount;
  beforeAll(async () => {
    path = await stored();
    const uploaded = (await upload(server, account, { query: { name: 'secret', private: 'true' } })).json().response;
    privateKey = uploaded.id.slice(`prv/${account.id}/`.length);
    expiredPath = await stored({ query: { expire: '1h' } });
    expect((await get(expiredPath)).status).toBe(200);
    server.clock.advance(3_600_000);
    other = await server.account();
    unknown = await get(`/${account.id}/unknown.png`);
    expect(unknown.status).toBe(404);
  });

  const name = () => path.slice(`/${account.id}/`.length);

  it.each<[string, () => string]>([
    ['a private file', () => `/${account.id}/${privateKey}`],
    ['a private file by its id', () => `/prv/${account.id}/${privateKey}`],
    ['a public file by its id', () => `/pub${path}`],
    ['an expired file', () => expiredPath],
    ['a file of another account', () => `/${other.id}/${name()}`],
    ['an account that there is not', () => `/100000000000000000/${name()}`],
    ['an account alone', () => `/${account.id}`],
    ['an account and a slash', () => `/${account.id}/`],
    ['the root', () => '/'],
    ['two slashes at the start', () => `/${path}`],
    ['two slashes in the middle', () => path.replace(/\/(?=[^/]+$)/, '//')],
    ['a slash at the end', () => `${path}/`],
    ['a traversal', () => `/${other.id}/../${account.id}/${name()}`],
    ['an encoded traversal', () => `/${other.id}/..%2f${account.id}%2f${name()}`],
    ['a traversal in encoded dots', () => `/${other.id}/%2e%2e/${account.id}/${name()}`],
    ['a traversal encoded twice', () => `/${other.id}/%252e%252e%252f${account.id}/${name()}`],
    ['a traversal with backslashes', () => `/${other.id}/..\\${account.id}\\${name()}`],
    ['a traversal to the disk', () => `/${account.id}/../../../../etc/passwd`],
    ['an encoded traversal to the disk', () => `/${account.id}/..%2f..%2f..%2f..%2fetc%2fpasswd`],
    ['a dot', () => `/${account.id}/./${name()}`],
    ['broken percent-encoding', () => `/${account.id}/%`],
    ['percent-encoding that is no UTF-8', () => `/${account.id}/%ff%fe`],
    ['a NUL', () => `/${account.id}/a%00.png`],
    ['a line end', () => `/${account.id}/a%0d%0aSet-Cookie:%20a=b`],
    ['a name of 8,000 characters', () => `/${account.id}/${'a'.repeat(8_000)}.png`],
    ['digits of another script', () => `/${encodeURIComponent('١'.repeat(18))}/${name()}`],
    ['an address within the request line', () => `http://localhost/${account.id}/unknown.png`],
    ['a broken address within the request line', () => 'http://[::1/a'],
    ['an address with a broken port', () => 'http://a:b/c'],
    ['a fragment', () => `/${account.id}/unknown.png#${name()}`],
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
    const head = await exchange(server, `/${account.id}/unknown.png`, { method: 'HEAD' });
    expect([head.status, head.body.length]).toEqual([404, 0]);
    expect(lasting(head)).toEqual(lasting(unknown));
  });

  it('does not depend on the query, which is ignored where there is a file', async () => {
    expect((await get(`${path}?v=2&download=1`)).status).toBe(200);
    expect((await get(`/${account.id}/unknown.png?v=2`)).status).toBe(404);
  });
});

describe('sendPublicFile finds a file by its name', () => {
  it.each([
    ['with spaces', 'my photo.png', 'my%20photo.png'],
    ['with a plus', 'a+b.png', 'a+b.png'],
    ['with a plus, encoded', 'c+d.png', 'c%2Bd.png'],
    ['in unicode', 'größe/写真 😀.png', 'gr%C3%B6%C3%9Fe/%E5%86%99%E7%9C%9F%20%F0%9F%98%80.png'],
    ['with an encoded slash in its name', 'a%2Fb.png', 'a%252Fb.png'],
    ['with a percent sign', '100%.png', '100%25.png'],
    ['with a question mark and a hash', 'a?b#c.png', 'a%3Fb%23c.png'],
    ['with characters that need no encoding', "a!$&'()*,;=:@~.png", "a!$&'()*,;=:@~.png"],
    ['with a slash given encoded', 'folder/e.png', 'folder%2Fe.png'],
    ['with an empty folder', 'a//b.png', 'a//b.png'],
  ])('%s', async (_name, key, encoded) => {
    const bytes = Buffer.from(`the file ${key}`);
    await storedAs(key, bytes);
    const answer = await get(`/${account.id}/${encoded}`);
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).toBe(bytes.toString());
  });

  it('at the address that Info and List give, whatever the name', async () => {
    const key = "ein Ordner/it's 100% größer + \"neu\"?#;.png";
    await storedAs(key, Buffer.from('found'));
    const info = await server.send(`/v1/objects/info?object=${encodeURIComponent(`pub/${account.id}/${key}`)}`, { credential: account.credential });
    const { url } = info.json().response;
    expect((await server.send(url.slice(server.running.urls.public.length), { door: 'public' })).body.toString()).toBe('found');
  });
});

describe('the public door', () => {
  it('lets pages of every origin read files, parts of them and the headers', async () => {
    const path = await stored();
    const { headers } = await get(path, { Origin: 'https://app.example.com', Range: 'bytes=0-9' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('access-control-expose-headers')!.split(',').map((name) => name.trim().toLowerCase())).toEqual(
      expect.arrayContaining(['etag', 'content-range', 'accept-ranges', 'content-disposition', 'x-request-id']),
    );
  });

  it('lets pages read refusals', async () => {
    expect((await get('/nothing', { Origin: 'https://app.example.com' })).headers.get('access-control-allow-origin')).toBe('*');
  });

  it('answers a preflight', async () => {
    const headers = { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'range' };
    const answer = await exchange(server, await stored(), { method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET,HEAD');
    expect(answer.headers.get('access-control-allow-headers')!.toLowerCase()).toContain('range');
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
  });

  it('answers OPTIONS that is no preflight with Allow', async () => {
    const answer = await exchange(server, await stored(), { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'])('answers 405 with Allow to %s, whether or not there is a file', async (method) => {
    for (const path of [await stored(), `/${account.id}/nothing.png`]) {
      const answer = await exchange(server, path, { method });
      expect([answer.status, answer.headers.get('allow'), answer.json().code]).toEqual([405, 'GET, HEAD, OPTIONS', 'METHOD_NOT_ALLOWED']);
    }
  });

  it('takes a body that nobody wants and keeps working', async () => {
    const answer = await server.send(`/${account.id}/nothing.png`, { door: 'public', method: 'POST', body: new Blob([new Uint8Array(2_000_000)]) });
    expect([answer.status, answer.json().code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect((await get(await stored())).status).toBe(200);
  });

  it('gives every answer a request id, and takes that of a proxy', async () => {
    const path = await stored();
    expect((await get(path)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect((await get(path, { 'X-Request-Id': 'edge-12345678' })).headers.get('x-request-id')).toBe('edge-12345678');
  });

  it('serves parallel downloads of one connection each, whole', async () => {
    const bytes = someBytes(300_000);
    const path = await stored({ bytes });
    const answers = await Promise.all(Array.from({ length: 32 }, () => get(path)));
    expect(answers.every(({ body }) => body.equals(bytes))).toBe(true);
  });
});

const large = 24 * 1024 * 1024;

/** Begins a download and stops reading after the first piece: most of the file is still on the server. */
async function slowDownload(path: string): Promise<IncomingMessage> {
  const response = await open(server, path, { headers: {} });
  expect(response.statusCode).toBe(200);
  response.pause();
  return response;
}

/** Blobs of this server that the process holds open. */
function openBlobs(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(join(server.dataDir, 'blobs')) ? [target] : [];
    } catch {
      return [];
    }
  });
}

const settled = (check: () => void) => vi.waitFor(check, { timeout: 5_000, interval: 20 });

describe('a slow download', () => {
  it('completes with its own bytes when the file is replaced meanwhile', async () => {
    const bytes = someBytes(large);
    const path = await stored({ bytes, query: { name: 'slow-replaced' } });
    const response = await slowDownload(path);
    await stored({ query: { name: 'slow-replaced' } });
    await settled(() => expect(openBlobs().every((blob) => blob.endsWith('(deleted)'))).toBe(true));
    expect((await buffer(response)).equals(bytes)).toBe(true);
  });

  it('completes when the file is deleted meanwhile', async () => {
    const bytes = someBytes(large);
    const path = await stored({ bytes });
    const response = await slowDownload(path);
    await server.send('/v1/objects', { method: 'DELETE', credential: account.credential, body: JSON.stringify({ object: `pub${path}` }) });
    expect((await get(path)).status).toBe(404);
    await settled(() => expect(openBlobs().every((blob) => blob.endsWith('(deleted)'))).toBe(true));
    expect((await buffer(response)).equals(bytes)).toBe(true);
  });

  it('breaks the connection, and is a fault in the log, when bytes are missing on the disk', async () => {
    const path = await stored({ bytes: someBytes(large) });
    const response = await slowDownload(path);
    const [blob] = openBlobs();
    await truncate(blob!, large - 1_000_000);
    const faultsBefore = faults().length;
    await expect(buffer(response)).rejects.toThrow('aborted');
    await settled(() => expect(faults()).toHaveLength(faultsBefore + 1));
  });

  it('is refused with 500, and is a fault in the log, when its bytes are lost altogether', async () => {
    const path = await stored({ bytes: someBytes(large) });
    const response = await slowDownload(path);
    await rm(openBlobs()[0]!);
    response.destroy();
    const faultsBefore = faults().length;
    expect((await get(path)).status).toBe(500);
    expect(faults()).toHaveLength(faultsBefore + 1);
    await settled(() => expect(openBlobs()).toEqual([]));
  });

  it('ends, leaves no file open and no fault in the log when its client goes away', async () => {
    const path = await stored({ bytes: someBytes(large) });
    const faultsBefore = faults().length;
    const downloads = await Promise.all([slowDownload(path), slowDownload(path), slowDownload(path)]);
    expect(openBlobs()).toHaveLength(3);
    const linesBefore = server.log.length;
    for (const response of downloads) response.destroy();
    await settled(() => {
      const lines = server.log.slice(linesBefore).filter(({ message }) => message === 'request');
      expect(lines.map(({ operation, outcome }) => [operation, outcome])).toEqual(downloads.map(() => ['getPublicFile', 'aborted']));
      expect(openBlobs()).toEqual([]);
    });
    expect(faults()).toHaveLength(faultsBefore);
  });
});

describe('a download that begins while its file', () => {
  it('is replaced answers the new file, whole', async () => {
    const path = await stored({ bytes: someBytes(60_000), query: { name: 'race-replaced' } });
    const bytes = someBytes(50_000);
    const faultsBefore = faults().length;
    beforeOpen = async () => {
      beforeOpen = undefined;
      const deleted = reaped();
      await stored({ bytes, query: { name: 'race-replaced' } });
      await deleted;
    };
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe('50000');
    expect(answer.body.equals(bytes)).toBe(true);
    expect(faults()).toHaveLength(faultsBefore);
  });

  it('is deleted answers 404', async () => {
    const path = await stored({ bytes: someBytes(60_000) });
    const faultsBefore = faults().length;
    beforeOpen = async () => {
      beforeOpen = undefined;
      const deleted = reaped();
      await server.send('/v1/objects', { method: 'DELETE', credential: account.credential, body: JSON.stringify({ object: `pub${path}` }) });
      await deleted;
    };
    expect((await get(path)).status).toBe(404);
    expect(faults()).toHaveLength(faultsBefore);
  });

  /** Resolves once nothing is left to be removed. */
  async function reaped(): Promise<void> {
    const doomed = () => server.running.app.stores.metadata.atomically((tx) => tx.contents.doomedBlobs(1));
    await vi.waitFor(async () => expect(await doomed()).not.toEqual([]), { timeout: 5_000, interval: 1 }).catch(() => {});
    await settled(async () => expect(await doomed()).toEqual([]));
  }
});
