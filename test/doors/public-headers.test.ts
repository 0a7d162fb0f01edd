import { describe, expect, it } from 'vitest';

import { someBytes } from '#test/support/files.ts';
import type { TestAnswer } from '#test/support/server.ts';
import { publicFiles } from './public-files.ts';

const files = publicFiles();
const { get, stored, storedAs } = files;

describe('sendPublicFile', () => {
  it('sends another ETag once the file is replaced', async () => {
    const path = await stored({ query: { name: 'replaced' } });
    const { headers } = await get(path);
    await stored({ query: { name: 'replaced' } });
    expect((await get(path)).headers.get('etag')).not.toBe(headers.get('etag'));
    expect((await get(path, { 'If-None-Match': headers.get('etag')! })).status).toBe(200);
  });

  it('sends the same ETag for the same bytes under two names', async () => {
    const bytes = someBytes();
    const [one, two] = [await get(await stored({ bytes })), await get(await stored({ bytes }))];
    expect(one.headers.get('etag')).toBe(two.headers.get('etag'));
  });

  it.each([
    [undefined, 'public, max-age=60'],
    ['immutable', 'public, max-age=31536000, immutable'],
    ['max-age=3600', 'public, max-age=3600'],
    ['no-cache', 'no-cache'],
  ])('sends Cache-Control as it was set: %s', async (set, served) => {
    const path = await stored({ query: { ...(set && { cache_control: set }) } });
    expect((await get(path)).headers.get('cache-control')).toBe(served);
    const info = await files.server.send(`/v1/objects/info?object=pub${path}`, {
      credential: files.account.credential,
    });
    expect(info.json().response.cache_control).toBe(set === undefined ? null : served);
  });

  it.each([
    [undefined, 'public, max-age=60', 'public, max-age=59'],
    ['immutable', 'public, max-age=3600, immutable', 'public, max-age=59, immutable'],
    ['max-age=7200', 'public, max-age=3600', 'public, max-age=59'],
    ['no-cache', 'no-cache', 'no-cache'],
  ])('lets no cache keep a file past its expiry: %s', async (set, fresh, late) => {
    const path = await stored({ query: { expire: '1h', ...(set && { cache_control: set }) } });
    expect((await get(path)).headers.get('cache-control')).toBe(fresh);
    files.server.clock.advance(3_600_000 - 59_500);
    const answer = await get(path);
    expect(answer.headers.get('cache-control')).toBe(late);
    expect((await get(path, { 'If-None-Match': answer.headers.get('etag')! })).headers.get('cache-control')).toBe(late);
    expect((await get(path, { Range: 'bytes=0-1' })).headers.get('cache-control')).toBe(late);
  });

  it('sends files with a sandbox policy, a cross-origin resource policy and nosniff', async () => {
    const { headers } = await get(await stored());
    const policy = headers.get('content-security-policy')!.split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('sandbox');
    expect(headers.get('content-security-policy')).not.toMatch(/allow-|script-src|unsafe-eval/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('sends refusals with nosniff and without caching too', async () => {
    const { headers } = await get(`/${files.account.id}/nothing.png`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('Content-Disposition of sendPublicFile', () => {
  const served = async (filename: string, query: Record<string, string>) =>
    (await get(await stored({ filename, query }))).headers.get('content-disposition');

  it.each([
    [{}, null],
    [{ disposition: 'inline' }, 'inline; filename=photo.png'],
    [{ disposition: 'attachment' }, 'attachment; filename=photo.png'],
    [{ auto_download: 'true' }, 'attachment; filename=photo.png'],
    [{ auto_download: 'true', disposition: 'inline' }, 'inline; filename=photo.png'],
  ])('follows the options of the upload: %o', async (query, expected) => {
    expect(await served('photo.png', query as Record<string, string>)).toBe(expected);
  });

  it.each([
    ['résumé.png', /filename=resume\.png; filename\*=UTF-8''r%C3%A9sum%C3%A9\.png$/],
    ['Straße 100%.png', /filename\*=UTF-8''Stra%C3%9Fe%20100%25\.png$/],
    ['写真.png', /filename=__\.png; filename\*=UTF-8''%E5%86%99%E7%9C%9F\.png$/],
    ['😀.png', /filename\*=UTF-8''%F0%9F%98%80\.png$/],
    ["it's;a=name.png", /^attachment; filename="it's;a=name\.png"$/],
  ])('encodes %s as RFC 8187 says', async (filename, expected) => {
    expect(await served(filename, { disposition: 'attachment' })).toMatch(expected);
  });

  it('replaces quotes and backslashes in the fallback name', async () => {
    // The body is written by hand because fetch percent-encodes quotes in a filename.
    const body =
      `--b\r\nContent-Disposition: form-data; name="file"; ` +
      `filename="a\\"b.png"\r\n\r\n${'x'.repeat(600)}\r\n--b--\r\n`;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const { url } = (
      await files.server.send('/v1/objects?name=quotes&disposition=attachment', {
        method: 'POST',
        credential: files.account.credential,
        headers,
        body,
      })
    ).json().response;
    const value = (await get(new URL(url).pathname)).headers.get('content-disposition')!;
    expect(value).toBe(`attachment; filename=a_b.png; filename*=UTF-8''a%22b.png`);
  });
});

const renderable = 'html htm xhtml xht shtml svg svgz xml xsl xslt mht mhtml rdf rss atom js mjs swf wasm xsd'.split(
  ' ',
);

describe('sendPublicFile sends as an attachment of unknown type', () => {
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

  it.each(['page.html', 'page.SVG', 'a.xml.txt'])('a file whose name has another extension: %s', async (name) => {
    attachment(await get(await stored({ filename: 'x.png', query: { name, disposition: 'inline' } })));
  });

  it.each(['text/html', 'image/svg+xml', 'application/xhtml+xml'])(
    'a file without an extension that was uploaded as %s',
    async (type) => {
      const form = new FormData();
      form.append('file', new File([someBytes() as Uint8Array<ArrayBuffer>], 'page', { type }));
      const answer = await files.server.send(`/v1/objects?name=typed-${type.replace(/\W/g, '-')}&disposition=inline`, {
        method: 'POST',
        credential: files.account.credential,
        body: form,
      });
      attachment(await get(new URL(answer.json().response.url).pathname));
    },
  );

  it('a file that another protocol stored under a key in capitals', async () => {
    await storedAs('PAGE.HTML', Buffer.from('<script>'));
    attachment(await get(`/${files.account.id}/PAGE.HTML`));
  });

  it.each([
    ['notes.txt', 'text/plain; charset=utf-8'],
    ['photo.jpg', 'image/jpeg'],
    ['film.mp4', 'video/mp4'],
    ['paper.pdf', 'application/pdf'],
    ['reads.fastq.gz', 'application/gzip'],
    ['blob.unknown', 'application/octet-stream'],
    ['nothing', 'image/png'],
  ])('but sends %s as %s', async (filename, type) => {
    expect((await get(await stored({ filename }))).headers.get('content-type')).toBe(type);
  });
});
