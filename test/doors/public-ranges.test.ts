import { beforeAll, describe, expect, it } from 'vitest';

import { someBytes } from '#test/support/files.ts';
import { lasting, publicFiles } from './public-files.ts';
import { exchange } from './raw-request.ts';

const files = publicFiles();
const { get, stored } = files;

describe.each([
  ['a small file in the database', 3_000],
  ['a large file in its own blob', 700_000],
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

  it('sends the whole file with a strong ETag, its date and its length', async () => {
    const whole = await get(path);
    expect(whole.status).toBe(200);
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(lasting(whole)).toMatchObject({
      'content-length': String(size),
      'accept-ranges': 'bytes',
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
    });
    expect(new Date(lastModified).getTime()).toBe(files.server.clock.now());
  });

  it('answers HEAD with the headers of GET and no body', async () => {
    const head = await exchange(files.server, path, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.body).toHaveLength(0);
    expect(lasting(head)).toEqual(lasting(await get(path)));
  });

  it('ignores a Range in HEAD', async () => {
    const head = await exchange(files.server, path, { method: 'HEAD', headers: { Range: 'bytes=0-9' } });
    expect([head.status, head.headers.get('content-length'), head.headers.get('content-range')]).toEqual([
      200,
      String(size),
      null,
    ]);
  });

  it.each([
    ['the first byte', 'bytes=0-0', 0, 0],
    ['the first bytes', 'bytes=0-99', 0, 99],
    ['bytes in the middle', `bytes=1000-1999`, 1000, 1999],
    ['the last byte', `bytes=${size - 1}-${size - 1}`, size - 1, size - 1],
    ['an open end', `bytes=${size - 10}-`, size - 10, size - 1],
    ['an open end from the start', 'bytes=0-', 0, size - 1],
    ['a suffix', 'bytes=-10', size - 10, size - 1],
    ['a suffix as long as the file', `bytes=-${size}`, 0, size - 1],
    ['a suffix longer than the file', `bytes=-${size + 1}`, 0, size - 1],
    ['an end past the end', `bytes=${size - 5}-${size + 100}`, size - 5, size - 1],
    ['exactly the end', `bytes=0-${size - 1}`, 0, size - 1],
    ['the unit in another case', 'Bytes=5-6', 5, 6],
    ['several ranges that touch', 'bytes=0-9,10-19', 0, 19],
    ['several ranges that overlap', 'bytes=5-50, 0-9', 0, 50],
  ])('sends 206 for %s', async (_name, range, start, end) => {
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
    ['a range without numbers', 'bytes=a-b'],
    ['an empty range', 'bytes='],
    ['a negative start', 'bytes=--5'],
  ])('sends the whole file for %s', async (_name, range) => {
    const whole = await get(path, { Range: range });
    expect(whole.status).toBe(200);
    expect(whole.body.equals(bytes)).toBe(true);
  });

  it.each([
    ['past the end', `bytes=${size}-`],
    ['far past the end', 'bytes=99999999999999999999-'],
    ['an empty suffix', 'bytes=-0'],
    ['several ranges, all past the end', `bytes=${size}-,${size + 9}-${size + 10}`],
  ])('sends 416 with the length of the file for a range that is %s', async (_name, range) => {
    const refused = await get(path, { Range: range });
    expect(refused.status).toBe(416);
    expect(refused.headers.get('content-range')).toBe(`bytes */${size}`);
  });

  describe('with If-Range', () => {
    const ranged = (ifRange: string) => get(path, { Range: 'bytes=0-9', 'If-Range': ifRange });

    it('sends the range while the ETag is the same', async () => {
      expect((await ranged(etag)).status).toBe(206);
    });
    it('sends the range while the date is the same', async () => {
      expect((await ranged(lastModified)).status).toBe(206);
    });
    it.each([
      ['another ETag', () => '"0"'],
      ['a weak ETag', () => `W/${etag}`],
      ['an earlier date', () => 'Mon, 01 Jan 2024 00:00:00 GMT'],
      ['a later date', () => 'Fri, 01 Jan 2100 00:00:00 GMT'],
      ['a star', () => '*'],
      ['nonsense', () => 'yesterday'],
    ])('sends the whole file for %s', async (_name, ifRange) => {
      const whole = await ranged(ifRange());
      expect([whole.status, whole.body.length]).toEqual([200, size]);
    });
  });

  describe('with conditions', () => {
    it.each([
      ['If-None-Match: the ETag', () => ({ 'If-None-Match': etag })],
      ['If-None-Match: the weak ETag that caches on the way make', () => ({ 'If-None-Match': `W/${etag}` })],
      ['If-None-Match: a list', () => ({ 'If-None-Match': `"other", ${etag}, W/"third"` })],
      ['If-None-Match: *', () => ({ 'If-None-Match': '*' })],
      ['If-Modified-Since: its date', () => ({ 'If-Modified-Since': lastModified })],
      ['If-Modified-Since: a later date', () => ({ 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' })],
      ['If-None-Match and a Range', () => ({ 'If-None-Match': etag, Range: 'bytes=0-9' })],
    ])('sends 304 for %s', async (_name, headers) => {
      const same = await get(path, headers());
      expect(same.status).toBe(304);
      expect(lasting(same)).toMatchObject({
        etag,
        'last-modified': lastModified,
        'cache-control': 'public, max-age=60',
      });
      for (const name of ['content-type', 'content-length', 'content-range']) expect(same.headers.get(name)).toBeNull();
      expect((await exchange(files.server, path, { method: 'HEAD', headers: headers() })).status).toBe(304);
    });

    it.each([
      ['If-None-Match: another ETag', () => ({ 'If-None-Match': '"other"' })],
      [
        'If-None-Match: another ETag, with a date that is then ignored',
        () => ({ 'If-None-Match': '"other"', 'If-Modified-Since': lastModified }),
      ],
      ['If-Modified-Since: an earlier date', () => ({ 'If-Modified-Since': 'Mon, 01 Jan 2024 00:00:00 GMT' })],
      ['If-Modified-Since: not a date', () => ({ 'If-Modified-Since': 'soon' })],
      ['If-Match: the ETag', () => ({ 'If-Match': etag })],
      ['If-Match: a list', () => ({ 'If-Match': `"other", ${etag}` })],
      ['If-Match: *', () => ({ 'If-Match': '*' })],
      ['If-Unmodified-Since: its date', () => ({ 'If-Unmodified-Since': lastModified })],
    ])('sends 200 for %s', async (_name, headers) => {
      expect((await get(path, headers())).status).toBe(200);
    });

    it.each([
      ['If-Match: another ETag', () => ({ 'If-Match': '"other"' })],
      ['If-Match: the weak ETag', () => ({ 'If-Match': `W/${etag}` })],
      ['If-Unmodified-Since: an earlier date', () => ({ 'If-Unmodified-Since': 'Mon, 01 Jan 2024 00:00:00 GMT' })],
      [
        'If-Match: another ETag, with If-None-Match and a Range',
        () => ({ 'If-Match': '"other"', 'If-None-Match': etag, Range: 'bytes=0-9' }),
      ],
    ])('sends 412 for %s', async (_name, headers) => {
      const refused = await get(path, headers());
      expect(refused.status).toBe(412);
      expect(refused.headers.get('cache-control')).toBe('no-store');
    });
  });
});
