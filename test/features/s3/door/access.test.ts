import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { encodeKey, presign, sign, type Endpoint, type S3Request } from '#test/s3/signed-request.ts';
import { bytesOf, exchange, readAnswer, sendBytes, sendWire, textOf, type S3Answer } from '#test/s3/exchange.ts';
import { gatewayOf, pairOf, startGateway, type Gateway } from '#test/s3/gateway.ts';

/** A response in short. */
const shortOf = ({ status, text }: S3Answer) =>
  textOf(text, 'Code') === undefined ? String(status) : `${status} ${textOf(text, 'Code')}`;

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});

afterAll(() => gateway.stop());

const put = (endpoint: Endpoint, path: string, body = 'content') => exchange(endpoint, { method: 'PUT', path, body });
const get = (endpoint: Endpoint, path: string, more: Partial<S3Request> = {}) => exchange(endpoint, { path, ...more });

describe('the scopes and prefixes of a key', () => {
  test('a key with one scope can only read, or only write', async () => {
    const { server, account } = gateway;
    await put(gateway, '/private/scoped');
    const reader = await pairOf(server, await server.key(account, { scopes: ['blob:read'] }));
    const writer = await pairOf(server, await server.key(account, { scopes: ['blob:write'] }));
    expect(shortOf(await get(reader, '/private/scoped'))).toBe('200');
    expect(shortOf(await put(reader, '/private/scoped', 'other'))).toBe('403 AccessDenied');
    expect(shortOf(await exchange(reader, { method: 'DELETE', path: '/private/scoped' }))).toBe('403 AccessDenied');
    expect(shortOf(await get(writer, '/private/scoped'))).toBe('403 AccessDenied');
    expect(shortOf(await get(writer, '/private', { query: { 'list-type': '2' } }))).toBe('403 AccessDenied');
    expect(
      shortOf(
        await exchange(writer, {
          method: 'PUT',
          path: '/private/copy',
          headers: { 'x-amz-copy-source': '/private/scoped' },
        }),
      ),
    ).toBe('403 AccessDenied');
    expect(shortOf(await put(writer, '/private/written'))).toBe('200');
    expect((await get(gateway, '/private/scoped')).text).toBe('content');
  });

  test('a key without a blob scope gets no pair', async () => {
    const { server, account } = gateway;
    const answer = await server.send('/v1/s3/credentials', {
      credential: await server.key(account, { scopes: ['ai:chat'] }),
    });
    expect(answer.json().code).toBe('MISSING_SCOPE');
  });

  test('a key restricted to prefixes stays within them', async () => {
    const { server, account } = gateway;
    const pair = await pairOf(
      server,
      await server.key(account, { scopes: ['blob:read', 'blob:write'], prefixes: ['photos'] }),
    );
    for (const path of ['/private/photos/a', '/private/photos-2025/a', '/private/b']) await put(gateway, path);
    const asks: Array<[Partial<S3Request> & { path: string }, string]> = [
      [{ path: '/private/photos/a' }, '200'],
      [{ path: '/private/photos-2025/a' }, '403 AccessDenied'],
      [{ path: '/private/b' }, '403 AccessDenied'],
      [{ method: 'PUT', path: '/private/c', body: 'x' }, '403 AccessDenied'],
      [
        { method: 'PUT', path: '/private/photos/c', headers: { 'x-amz-copy-source': '/private/b' } },
        '403 AccessDenied',
      ],
      [{ method: 'DELETE', path: '/private/b' }, '403 AccessDenied'],
      [{ path: '/private', query: { 'list-type': '2' } }, '403 AccessDenied'],
      [{ path: '/private', query: { 'list-type': '2', prefix: 'p' } }, '403 AccessDenied'],
      [{ path: '/private', query: { prefix: 'photos/' } }, '200'],
    ];
    for (const [request, expected] of asks)
      expect(shortOf(await exchange(pair, request)), JSON.stringify(request)).toBe(expected);
    const folder = await get(pair, '/private', { query: { prefix: 'photos' } });
    expect(folder.text).toContain('<Key>photos/a</Key>');
    expect(folder.text).not.toContain('photos-2025');
    const report = await exchange(pair, {
      method: 'POST',
      path: '/private',
      query: { delete: '' },
      body: '<Delete><Object><Key>b</Key></Object><Object><Key>photos/a</Key></Object></Delete>',
    });
    expect(report.text).toContain('<Error><Key>b</Key><Code>AccessDenied</Code>');
    expect(report.text).toContain('<Deleted><Key>photos/a</Key></Deleted>');
    expect(shortOf(await get(gateway, '/private/b'))).toBe('200');
  });

  test('an account without a plan can read and delete files, and not write', async () => {
    const { server } = gateway;
    const poor = await gatewayOf(server, await server.account('none'));
    expect(shortOf(await put(poor, '/public/a'))).toBe('403 AccessDenied');
    expect(shortOf(await get(poor, '/public', { query: { 'list-type': '2' } }))).toBe('200');
    expect(shortOf(await exchange(poor, { method: 'DELETE', path: '/public/a' }))).toBe('204');
  });

  test('the legacy bucket is read-only', async () => {
    expect(shortOf(await put(gateway, '/legacy/a'))).toBe('403 AccessDenied');
    expect(shortOf(await get(gateway, '/legacy/a'))).toBe('404 NoSuchKey');
    expect(shortOf(await exchange(gateway, { method: 'DELETE', path: '/legacy/a' }))).toBe('204');
  });

  test('an account does not see the files of another one', async () => {
    await put(gateway, '/public/mine');
    const other = await gateway.other();
    expect(shortOf(await get(other, '/public/mine'))).toBe('404 NoSuchKey');
    expect(
      shortOf(await get(other, '/public/mine', { headers: { 'x-amz-expected-bucket-owner': gateway.account.id } })),
    ).toBe('403 AccessDenied');
    expect(
      shortOf(await get(gateway, '/public/mine', { headers: { 'x-amz-expected-bucket-owner': gateway.account.id } })),
    ).toBe('200');
  });

  test('the pair stops working when its key is revoked', async () => {
    const { server } = gateway;
    const account = await server.account();
    const pair = await pairOf(server, account.credential);
    expect(shortOf(await get(pair, '/'))).toBe('200');
    await server.send(`/v1/account/keys/${account.keyId}`, { method: 'DELETE', credential: account.credential });
    expect(shortOf(await get(pair, '/'))).toBe('403 InvalidAccessKeyId');
  });

  test('a write over the quota gets QuotaExceeded', async () => {
    const { server } = gateway;
    const full = await gatewayOf(server, await server.account('hobby'));
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(full.account.id, 10));
    expect(shortOf(await put(full, '/public/a', 'ten bytes.'))).toBe('200');
    expect(shortOf(await put(full, '/public/b', 'x'))).toBe('403 QuotaExceeded');
    expect(shortOf(await put(full, '/public/c', 'x'.repeat(100_000)))).toBe('403 QuotaExceeded');
  });
});

describe('requests with a missing or wrong signature', () => {
  test('anonymous requests are refused', async () => {
    await put(gateway, '/public/open');
    const answer = await fetch(`${gateway.url}/public/open`);
    expect(answer.status).toBe(403);
    expect(textOf(await answer.text(), 'Code')).toBe('AccessDenied');
  });

  test.each([
    [
      'another secret',
      () => sign({ ...gateway, secretAccessKey: 'other' }, { path: '/' }),
      '403 SignatureDoesNotMatch',
    ],
    [
      'an unknown access key id',
      () => sign({ ...gateway, accessKeyId: `CB${'1'.repeat(18)}${'A'.repeat(16)}` }, { path: '/' }),
      '403 InvalidAccessKeyId',
    ],
    [
      'a malformed access key id',
      () => sign({ ...gateway, accessKeyId: 'AKIA' }, { path: '/' }),
      '403 InvalidAccessKeyId',
    ],
    ['an unsigned header', () => withHeader(sign(gateway, { path: '/' }), 'x-amz-meta-added', '1'), '403 AccessDenied'],
    [
      'another service',
      () => changed(sign(gateway, { path: '/' }), '/s3/aws4', '/ec2/aws4'),
      '400 AuthorizationHeaderMalformed',
    ],
    [
      'an older signature',
      () => changed(sign(gateway, { path: '/' }), /AWS4-HMAC-SHA256 .*/, 'AWS AKIA:c2lnbmF0dXJl'),
      '400 InvalidRequest',
    ],
    [
      'a missing signature',
      () => changed(sign(gateway, { path: '/' }), /, Signature=.*/, ''),
      '400 AuthorizationHeaderMalformed',
    ],
    [
      'a time 16 minutes ago',
      () => sign(gateway, { path: '/', signedAtMs: Date.now() - 16 * 60_000 }),
      '403 RequestTimeTooSkewed',
    ],
  ])('%s', async (_name, wire, expected) => expect(shortOf(await sendWire(gateway, wire()))).toBe(expected));

  test.each(['auto', 'us-east-1', 'eu-central-1', 'anything', ''])('the region "%s" is accepted', async (region) =>
    expect(shortOf(await get(gateway, '/', { region }))).toBe('200'),
  );

  function withHeader(wire: ReturnType<typeof sign>, name: string, value: string): ReturnType<typeof sign> {
    return { ...wire, headers: [...wire.headers, [name, value]] };
  }

  function changed(wire: ReturnType<typeof sign>, from: string | RegExp, to: string): ReturnType<typeof sign> {
    return {
      ...wire,
      headers: wire.headers.map(([name, value]) => [name, name === 'authorization' ? value.replace(from, to) : value]),
    };
  }
});

describe('presigned addresses', () => {
  const ask = (target: string, init: RequestInit = {}) => fetch(gateway.url + target, init);

  test('read and write a file, with the headers in their query', async () => {
    const path = `/private/${encodeKey('pre signed+ü.txt')}`;
    const target = presign(gateway, {
      method: 'PUT',
      path,
      query: {
        'x-amz-meta-from': 'query',
        'x-amz-checksum-crc32': 'AAAAAA==',
        'x-amz-sdk-checksum-algorithm': 'CRC32',
      },
    });
    expect((await ask(target, { method: 'PUT', body: 'hello' })).status).toBe(200);
    const answer = await ask(
      presign(gateway, {
        path,
        query: {
          'response-content-type': 'text/x-other',
          'response-content-disposition': 'attachment; filename="a.txt"',
        },
      }),
    );
    expect(await answer.text()).toBe('hello');
    expect(answer.headers.get('content-type')).toBe('text/x-other');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="a.txt"');
    expect(answer.headers.get('x-amz-meta-from')).toBe('query');
  });

  test('a copy whose source is in the query copies the file', async () => {
    await put(gateway, '/private/origin', 'bytes');
    const target = presign(gateway, {
      method: 'PUT',
      path: '/private/presigned-copy',
      query: { 'x-amz-copy-source': '/private/origin' },
    });
    expect((await ask(target, { method: 'PUT' })).status).toBe(200);
    expect((await get(gateway, '/private/presigned-copy')).text).toBe('bytes');
  });

  test.each([
    [
      'after their expiry',
      () => presign(gateway, { path: '/private/x', expiresSeconds: 60, signedAtMs: Date.now() - 61_000 }),
      '403 AccessDenied',
    ],
    [
      'long before their start',
      () => presign(gateway, { path: '/private/x', signedAtMs: Date.now() + 3_600_000 }),
      '403 AccessDenied',
    ],
    [
      'for more than 7 days',
      () => presign(gateway, { path: '/private/x', expiresSeconds: 604_801 }),
      '400 AuthorizationQueryParametersError',
    ],
    [
      'with another algorithm',
      () => presign(gateway, { path: '/private/x' }).replace('AWS4-HMAC-SHA256', 'AWS4-HMAC-SHA1'),
      '400 AuthorizationQueryParametersError',
    ],
    ['for another method', () => presign(gateway, { method: 'PUT', path: '/private/x' }), '403 SignatureDoesNotMatch'],
    [
      'with another query',
      () => `${presign(gateway, { path: '/private/x' })}&response-content-type=text/html`,
      '403 SignatureDoesNotMatch',
    ],
    [
      'with a parameter twice',
      () => `${presign(gateway, { path: '/private/x' })}&X-Amz-Expires=604800`,
      '400 AuthorizationQueryParametersError',
    ],
  ])('are refused %s', async (_name, target, expected) => {
    const answer = await ask(target());
    expect(`${answer.status} ${textOf(await answer.text(), 'Code')}`).toBe(expected);
  });

  test('are valid for at most 7 days', async () => {
    const week = 604_800_000;
    await put(gateway, '/private/week');
    const target = (ms: number) =>
      presign(gateway, { path: '/private/week', expiresSeconds: 604_800, signedAtMs: Date.now() - ms });
    expect((await ask(target(week - 30_000))).status).toBe(200);
    expect((await ask(target(week + 2_000))).status).toBe(403);
  });
});

describe('paths, hosts and headers', () => {
  test('the bucket can be in the host name', async () => {
    const { port } = new URL(gateway.url);
    const endpoint = { ...gateway, url: `http://private.localhost:${port}` };
    const send = async (request: S3Request) =>
      readAnswer(await sendBytes(gateway.url, bytesOf(sign(endpoint, request))), request.method ?? 'GET');
    expect(shortOf(await send({ method: 'PUT', path: '/dir//virtual', body: 'v' }))).toBe('200');
    expect((await get(gateway, '/private/dir//virtual')).text).toBe('v');
    expect((await send({ path: '/', query: { prefix: 'dir/' } })).text).toContain('<Key>dir//virtual</Key>');
  });

  test.each(['/private/%', '/private/%zz', '/private/%ff'])('the path %s gets InvalidURI', async (path) =>
    expect(shortOf(await get(gateway, path))).toBe('400 InvalidURI'),
  );

  test('user metadata can be any UTF-8, and is returned as encoded words', async () => {
    const wire = sign(gateway, {
      method: 'PUT',
      path: '/private/unicode',
      headers: { 'x-amz-meta-greeting': 'Grüße ☁' },
      body: 'x',
    });
    const asBytes = wire.headers.map(([name, value]) => [name, Buffer.from(value).toString('latin1')] as const);
    expect(shortOf(await sendWire(gateway, { ...wire, headers: asBytes }))).toBe('200');
    expect((await gateway.info('private', 'unicode')).metadata).toEqual({ greeting: 'Grüße ☁' });
    const { headers } = await get(gateway, '/private/unicode');
    expect(headers['x-amz-meta-greeting']).toBe('=?UTF-8?B?R3LDvMOfZSDimIE=?=');
  });

  test('a client that waits for 100 Continue gets it, unless it is refused', async () => {
    const answers = async (wire: ReturnType<typeof sign>) => {
      const { hostname, port } = new URL(gateway.url);
      const socket = connect(Number(port), hostname);
      const head = bytesOf({ ...wire, headers: [...wire.headers, ['expect', '100-continue']], body: Buffer.alloc(0) });
      socket.write(head);
      const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
      socket.destroy();
      return first.toString().split('\r\n')[0];
    };
    expect(await answers(sign(gateway, { method: 'PUT', path: '/private/expected', body: 'body' }))).toBe(
      'HTTP/1.1 100 Continue',
    );
    expect(
      await answers(
        sign({ ...gateway, secretAccessKey: 'other' }, { method: 'PUT', path: '/private/expected', body: 'body' }),
      ),
    ).toBe('HTTP/1.1 403 Forbidden');
  });

  test('responses have a request id and are not cached', async () => {
    const { headers } = await get(gateway, '/private/none');
    expect(headers['x-amz-request-id']).toBe(headers['x-request-id']);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers['cdn-cache-control']).toBe('no-store');
  });

  test('the log has the operation, but neither key nor signature', async () => {
    await put(gateway, '/private/logged-name');
    await fetch(gateway.url + presign(gateway, { path: '/private/logged-name' }));
    const lines = gateway.server.log.filter((line) => line.door === 's3').map((line) => JSON.stringify(line));
    expect(lines.some((line) => line.includes('"s3.PutObject"') && line.includes('/{bucket}/{key}'))).toBe(true);
    for (const line of lines) expect(line).not.toMatch(/logged-name|X-Amz-Signature|AWS4-HMAC/);
  });
});

describe('limits', () => {
  test('30 wrong signatures block the address', async () => {
    const limited = await startGateway({ rateLimits: true });
    try {
      const wrong = { ...limited, secretAccessKey: 'other' };
      for (let tries = 0; tries < 30; tries++) expect(shortOf(await get(wrong, '/'))).toBe('403 SignatureDoesNotMatch');
      expect(shortOf(await get(wrong, '/'))).toBe('503 SlowDown');
      expect(shortOf(await get(limited, '/'))).toBe('503 SlowDown');
    } finally {
      await limited.stop();
    }
  });
});
