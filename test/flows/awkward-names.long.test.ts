import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';

import type { DoorName } from '#server/config/door-names.ts';
import type { ClientProperties, StoredObject } from '#server/features/files/object.ts';
import { bytesOf, sendBytes, sendWire, textOf } from '#test/s3/exchange.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { presign, sign } from '#test/s3/signed-request.ts';
import { awkwardNames } from '#test/support/awkward-names.ts';
import { someBytes, upload } from '#test/support/files.ts';

/*
 * The names and texts that clients choose come back in headers. Whatever they are, the bytes of a response are checked
 * here: no line of its head but those that the door sends, and no character that two programs could read differently.
 */

let gateway: Gateway;
const bytes = { small: someBytes(3000), large: someBytes(40_000) };
type Size = keyof typeof bytes;
const sizes: readonly Size[] = ['small', 'large'];

/** A file of each size. Its bytes are those of all rows of the tests. */
const first = new Map<Size, StoredObject>();

beforeAll(async () => {
  gateway = await startGateway();
  const { server, account } = gateway;
  const { metadata } = server.running.app.stores;
  for (const size of sizes) {
    const answer = await upload(server, account, {
      bytes: bytes[size],
      query: { name: `first-${size}`, private: 'true' },
    });
    const key = answer.json().response.id.split('/').slice(2).join('/');
    first.set(size, (await metadata.read.objects.find({ accountId: account.id, space: 'private', key }))!);
  }
  await gateway.keepDeleted('kept');
});

afterAll(() => gateway.stop());

interface Stored {
  readonly space: 'public' | 'private';
  readonly originalName?: string;
  readonly clientProperties?: ClientProperties;
}

/** Writes a row as an earlier version may have written it: without the checks of today. */
async function store(key: string, size: Size, { space, originalName, clientProperties }: Stored): Promise<void> {
  const { metadata, ids } = gateway.server.running.app.stores;
  await metadata.atomically(async (tx) => {
    await tx.objects.put({
      ...first.get(size)!,
      space,
      key,
      generation: ids.opaqueId(),
      versionId: ids.opaqueId(),
      disposition: 'attachment',
      originalName: originalName ?? null,
      clientProperties: clientProperties ?? null,
    });
  });
}

interface Raw {
  readonly status: number;
  /** Each line of the head after the first, as it was sent. */
  readonly lines: readonly string[];
  readonly body: Buffer;
}

async function raw(door: DoorName, target: string, method = 'GET', headers: readonly string[] = []): Promise<Raw> {
  const url = gateway.server.running.urls[door];
  const head = [`${method} ${target} HTTP/1.1`, `Host: ${new URL(url).host}`, 'Connection: close', ...headers, '', ''];
  return split(await sendBytes(url, Buffer.from(head.join('\r\n'), 'latin1')));
}

function split(received: Buffer): Raw {
  const end = received.indexOf('\r\n\r\n');
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  return { status: Number(first.split(' ')[1]), lines, body: received.subarray(end + 4) };
}

const usual = 'cache-control connection content-length content-type date x-content-type-options x-request-id';
const ofFiles =
  `${usual} accept-ranges access-control-allow-origin access-control-expose-headers content-disposition ` +
  'content-security-policy etag last-modified';
const known: Readonly<Record<'public' | 'files' | 's3', ReadonlySet<string>>> = {
  public: new Set(`${ofFiles} cross-origin-resource-policy content-range`.split(' ')),
  files: new Set(
    `${ofFiles} cross-origin-resource-policy content-range referrer-policy x-robots-tag x-cubby-receipt`.split(' '),
  ),
  s3: new Set(
    (
      `${ofFiles} content-range cdn-cache-control x-amz-request-id x-amz-meta-note content-language ` +
      'content-encoding expires x-amz-version-id x-cubby-receipt'
    ).split(' '),
  ),
};

/** Checks the bytes of a head, and returns its headers. */
function headersOf(door: keyof typeof known, { lines }: Raw): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    expect(line).toMatch(/^[A-Za-z0-9-]+: [\x20-\x7e]*$/);
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    expect(known[door], line).toContain(name);
    expect(headers, line).not.toContain(name);
    headers.set(name, line.slice(line.indexOf(':') + 2));
  }
  return headers;
}

/** Reads one address whole, by HEAD and by a range, and checks the bytes of each. */
async function check(
  door: keyof typeof known,
  address: string | ((method: 'GET' | 'HEAD') => string),
  content: Buffer | undefined,
): Promise<void> {
  const addressFor = typeof address === 'string' ? () => address : address;
  const target = addressFor('GET');
  const whole = await raw(door, target);
  expect(whole.status).toBe(200);
  const disposition = headersOf(door, whole).get('content-disposition');
  expect(disposition).toMatch(/^attachment(?:;|$)/);
  const length = Number(headersOf(door, whole).get('content-length'));
  expect(whole.body).toHaveLength(length);
  if (content) expect(whole.body.equals(content)).toBe(true);
  const head = await raw(door, addressFor('HEAD'), 'HEAD');
  expect(headersOf(door, head).get('content-disposition')).toBe(disposition);
  expect(head.body).toHaveLength(0);
  const part = await raw(door, target, 'GET', ['Range: bytes=1-4']);
  expect(headersOf(door, part).get('content-disposition')).toBe(disposition);
  expect(part.body.equals(whole.body.subarray(1, 5))).toBe(true);
  const fetched = await fetch(gateway.server.running.urls[door] + target);
  expect(fetched.headers.get('content-disposition')).toBe(disposition);
  expect(await fetched.bytes()).toHaveLength(length);
}

/** Reads a file over S3 as most programs do, with the signature in a header. */
async function checkSigned(path: string, content: Buffer): Promise<void> {
  const answer = split(await sendBytes(gateway.url, bytesOf(sign(gateway, { method: 'GET', path }))));
  expect(answer.status).toBe(200);
  expect(headersOf('s3', answer).get('content-disposition')).toMatch(/^attachment(?:;|$)/);
  expect(answer.body.equals(content)).toBe(true);
}

const signed =
  (path: string, query: Readonly<Record<string, string>> = {}) =>
  (method: 'GET' | 'HEAD') =>
    presign(gateway, { method, path, query });

const named = awkwardNames.map((name, index) => [JSON.stringify(name).slice(0, 40), name, index] as const);

async function link(path: string, body?: object): Promise<any> {
  const answer = await gateway.server.send(path, {
    credential: gateway.account.credential,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  expect(answer.status, answer.body.toString()).toBeLessThan(300);
  return answer.json().response;
}

describe.each(named)('a file with the name %s', (_, name, index) => {
  const key = (size: Size) => `n${index}-${size}.bin`;

  it.each(sizes)('is served in a sound response at every door: %s', async (size) => {
    const { account } = gateway;
    await store(key(size), size, { space: 'public', originalName: name });
    await store(key(size), size, { space: 'private', originalName: name });
    const object = `prv/${account.id}/${key(size)}`;
    await check('public', `/${account.id}/${key(size)}`, bytes[size]);
    await check('public', `/${account.id}/${key(size)}?v=2`, bytes[size]);
    const { url } = await link(`/v1/objects/download?redirect=false&disposition=attachment&object=${object}`);
    await check('files', new URL(url).pathname, bytes[size]);
    const share = await link('/v1/shares', { object });
    await check('files', `/s/${share.id}?download=1`, bytes[size]);
    await check('s3', signed(`/private/${key(size)}`), bytes[size]);
    await checkSigned(`/private/${key(size)}`, bytes[size]);
  });

  it('is served in a sound archive', async () => {
    const { account } = gateway;
    await store(key('small'), 'small', { space: 'private', originalName: name });
    const title =
      name
        .replace(/\p{Cc}/gu, ' ')
        .toWellFormed()
        .slice(0, 100)
        .trim() || 'x';
    const share = await link('/v1/shares', { objects: [`prv/${account.id}/${key('small')}`], title });
    await check('files', `/s/${share.id}?download=1`, undefined);
    const page = await raw('files', `/s/${share.id}`, 'GET', ['Accept: text/html']);
    const [, place] = /href="\?file=([^"&]+)"/.exec(page.body.toString()) ?? [];
    await check('files', `/s/${share.id}?file=${place}`, bytes.small);
  });

  it.each(sizes)(
    'is served in a sound response over S3, if an earlier version stored it in all headers: %s',
    async (size) => {
      const clientProperties = {
        contentType: `text/x-${name}`,
        cacheControl: name,
        contentDisposition: `attachment; filename="${name}"; size=${name}`,
        contentEncoding: name,
        contentLanguage: name,
        expires: name,
        metadata: { note: name },
      };
      await store(`s3/${key(size)}`, size, { space: 'private', clientProperties });
      await check('s3', signed(`/private/s3/${key(size)}`), bytes[size]);
    },
  );

  it('is served in a sound response over S3, in each version', async () => {
    const path = `/private/kept/${key('small')}`;
    const disposition = `attachment; filename="${name.replace(/[\u0000-\u001f\u007f]/g, '').toWellFormed()}"`;
    const stored = await putBytes(path, { 'content-disposition': disposition }, bytes.small);
    expect(stored.status).toBe(200);
    expect((await sendWire(gateway, sign(gateway, { method: 'DELETE', path }))).status).toBe(204);
    await check('s3', signed(path, { versionId: stored.headers['x-amz-version-id']! }), bytes.small);
  });

  it.each(['content-disposition', 'content-type', 'cache-control', 'expires'])(
    'is refused or sound in response-%s',
    async (header) => {
      const text = name.toWellFormed();
      const value = header === 'content-disposition' ? `attachment; filename="${text}"` : text;
      const target = signed(`/private/${first.get('small')!.key}`, {
        'response-content-disposition': 'attachment',
        [`response-${header}`]: value,
      });
      const answer = await raw('s3', target('GET'));
      for (const line of answer.lines) expect(line).toMatch(/^[A-Za-z0-9-]+: [\x20-\x7e]*$/);
      if (answer.status === 200) await check('s3', target, bytes.small);
      else expect(answer.body.toString()).toContain('<Code>InvalidArgument</Code>');
    },
  );
});

/** Writes a file with headers in UTF-8, as boto3, rclone and others send them. */
function putBytes(path: string, headers: Readonly<Record<string, string>>, body: Uint8Array | string) {
  const wire = sign(gateway, { method: 'PUT', path, headers, body });
  const asBytes = wire.headers.map(([name, value]) => [name, Buffer.from(value).toString('latin1')] as const);
  return sendWire(gateway, { ...wire, headers: asBytes });
}

describe('a PUT over S3', () => {
  const put = (key: string, headers: Readonly<Record<string, string>>) => putBytes(`/private/${key}`, headers, 'x');

  test.each([
    ['attachment; filename="上海.pdf"', `attachment; filename=__.pdf; filename*=UTF-8''%E4%B8%8A%E6%B5%B7.pdf`],
    ['inline; filename=résumé.pdf', `inline; filename=resume.pdf; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf`],
    [
      `attachment; filename="上海.pdf"; filename*=UTF-8''%E4%B8%8A`,
      `attachment; filename=_; filename*=UTF-8''%E4%B8%8A`,
    ],
    ['attachment; size=5; filename="ü"', `attachment; filename=u; filename*=UTF-8''%C3%BC; size=5`],
    ['attachment; filename="a b.pdf"', 'attachment; filename="a b.pdf"'],
    ['attachment;filename=a.pdf', 'attachment;filename=a.pdf'],
  ])('with Content-Disposition %s is served with %s', async (given, served) => {
    expect((await put('kept', { 'content-disposition': given })).status).toBe(200);
    const target = presign(gateway, { path: '/private/kept' });
    expect(headersOf('s3', await raw('s3', target)).get('content-disposition')).toBe(served);
  });

  test.each([
    ['content-type', 'text/plain; name=ü'],
    ['cache-control', 'máx-age=5'],
    ['content-encoding', 'gzíp'],
    ['content-language', 'português'],
    ['expires', 'morgen früh'],
    ['content-disposition', '上海.pdf'],
  ])('with the %s %s is refused, and stores nothing', async (header, value) => {
    const answer = await put('refused', { [header]: value });
    expect(answer.status).toBe(400);
    expect(textOf(answer.text, 'Code')).toBe('InvalidArgument');
    expect(textOf(answer.text, 'ArgumentName')?.toLowerCase()).toBe(header);
    expect((await raw('s3', presign(gateway, { path: '/private/refused' }))).status).toBe(404);
  });

  test.each([
    ['Grüße ☁', '=?UTF-8?B?R3LDvMOfZSDimIE=?='],
    ['=?UTF-8?Q?Gr=C3=BC=C3=9Fe_=E2=98=81?=', '=?UTF-8?B?R3LDvMOfZSDimIE=?='],
    ['=?iso-8859-1?Q?Gr=FC=DFe?=', '=?UTF-8?B?R3LDvMOfZQ==?='],
    ['plain', 'plain'],
    ['=?UTF-8?B?DQo=?=', '=?UTF-8?B?DQo=?='],
  ])('keeps the metadata %s, and returns it as words in ASCII, as S3 does: %s', async (given, served) => {
    expect((await put('meta', { 'x-amz-meta-note': given })).status).toBe(200);
    const target = presign(gateway, { path: '/private/meta' });
    expect(headersOf('s3', await raw('s3', target)).get('x-amz-meta-note')).toBe(served);
  });
});

test('a preflight repeats only names of headers', async () => {
  const asking = (name: string) =>
    raw('s3', '/private/a', 'OPTIONS', [
      'Origin: https://a.example',
      'Access-Control-Request-Method: PUT',
      `Access-Control-Request-Headers: ${name}`,
    ]);
  const allowed = ({ lines }: Raw) => lines.filter((line) => /^access-control-allow-headers/i.test(line));
  expect(allowed(await asking('x-amz-date, content-type'))).toEqual([
    'Access-Control-Allow-Headers: x-amz-date, content-type',
  ]);
  expect(allowed(await asking('\u00c4\u008d\u00c4\u008ax'))).toEqual([]);
});

test.each(['Upload-Metadata: \u00fcnter d29ybGQ=', 'Upload-Concat: final;http://\u00fc/v1/uploads/a'])(
  'an upload with %s is refused',
  async (header) => {
    const answer = await raw('api', '/v1/uploads?name=a', 'POST', [
      `Authorization: ${gateway.account.credential}`,
      'Tus-Resumable: 1.0.0',
      'Upload-Length: 5',
      'Content-Length: 0',
      header,
    ]);
    expect(answer.body.toString()).toContain('INVALID_UPLOAD_HEADER');
  },
);
