import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { policies } from '#generated/policies.ts';
import { yamlOf } from '#server/doors/api/contract-yaml.ts';
import { eventually } from '#test/support/eventually.ts';
import { formWith, someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { exchange } from './raw-request.ts';
import { slowUpload } from './slow-upload.ts';

const root = join(import.meta.dirname, '../..');

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
});
afterAll(() => server.stop());

const send = (path: string, request: Parameters<TestServer['send']>[1] = {}) =>
  server.send(path, { credential: account.credential, ...request });
const requestLines = () => server.log.filter(({ message }) => message === 'request');

/** Returns the log line of the request that got this response. */
async function lineOf(answer: TestAnswer): Promise<Record<string, unknown>> {
  return eventually(() => {
    const line = requestLines().find(({ request_id }) => request_id === answer.headers.get('x-request-id'));
    expect(line).toBeDefined();
    return line!;
  });
}

describe('a request id', () => {
  it('is unique on every response', async () => {
    const answers = [
      await send('/v1/objects'),
      await send('/v1/objects', { credential: 'wrong' }),
      await send('/nothing'),
      await send('/v1/objects', { method: 'PUT' }),
      await send('/v1/account/stats'),
      await send('/livez'),
      await send('/openapi.json'),
      await send('/docs/'),
      await send('/v1/objects', {
        method: 'OPTIONS',
        headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' },
      }),
    ];
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is the one that the client sent, and is logged', async () => {
    const answer = await send('/v1/objects', { headers: { 'X-Request-Id': 'mine-0001' } });
    expect(answer.headers.get('x-request-id')).toBe('mine-0001');
    expect(await lineOf(answer)).toMatchObject({ request_id: 'mine-0001', operation: 'listObjects' });
  });

  it.each(['short', 'a'.repeat(65), 'with space', 'quote"quote', 'tab\tbed', 'é-------'])(
    'is replaced by a new one when the client sends %o',
    async (sent) => {
      expect(
        (await exchange(server, '/livez', { door: 'api', headers: { 'X-Request-Id': sent } })).headers.get(
          'x-request-id',
        ),
      ).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe('CORS of the API door', () => {
  const origin = 'https://app.example.com';

  it.each(['POST', 'GET', 'DELETE', 'PATCH', 'PUT'])('allows a page to send %s', async (method) => {
    const headers = {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,content-type',
    };
    const answer = await send('/v1/objects', { method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')!.split(',')).toContain(method);
    expect(answer.headers.get('access-control-allow-headers')!.toLowerCase().split(',')).toEqual(
      expect.arrayContaining(['authorization', 'content-type']),
    );
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
  });

  it('answers a preflight without a credential, also for an unknown route', async () => {
    const headers = { Origin: origin, 'Access-Control-Request-Method': 'GET' };
    expect((await server.send('/v1/nothing', { method: 'OPTIONS', headers })).status).toBe(204);
  });

  it.each<[string, () => Promise<TestAnswer>, number]>([
    ['a success', () => send('/v1/objects', { headers: { Origin: origin } }), 200],
    ['a 401', () => server.send('/v1/objects', { headers: { Origin: origin } }), 401],
    ['the 404 of an unknown route', () => send('/v1/nothing', { headers: { Origin: origin } }), 404],
    ['a 405', () => send('/v1/objects', { method: 'PUT', headers: { Origin: origin } }), 405],
    ['a 400', () => send('/v1/objects?limit=0', { headers: { Origin: origin } }), 400],
    [
      'the 404 of an unknown file',
      () => send(`/v1/objects/info?object=pub/${account.id}/none.txt`, { headers: { Origin: origin } }),
      404,
    ],
    ['/livez', () => send('/livez', { headers: { Origin: origin } }), 200],
    ['/openapi.json', () => send('/openapi.json', { headers: { Origin: origin } }), 200],
  ])('lets pages of other origins read %s and its headers', async (_name, ask, status) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const exposed = answer.headers.get('access-control-expose-headers')!.toLowerCase().split(/, ?/);
    expect(exposed).toEqual(
      expect.arrayContaining(['x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy', 'allow']),
    );
  });
});

describe('a request that reaches no operation', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v1/objects/',
    '/V1/objects',
    '/v1/Objects',
    '/v1/objects/info/more',
    '/v2/nothing',
    '/favicon.ico',
    '/v1//objects',
    '/v1/objects%2Finfo',
    '/%',
    '/v1/objects;x=1',
    '/%00',
    '/docs/missing.html',
    '/docs/../package.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/openapi.json/',
    '/204815162342108999/photo.png',
    '/d/token',
    '/s/share',
    'http://[::1/v1',
    'http://localhost/v1/nothing',
  ])('gets NOT_FOUND: %s', async (path) => {
    const answer = await exchange(server, path, { door: 'api' });
    expect(answer.status).toBe(404);
    expect(answer.json()).toEqual({ status: 'error', code: 'NOT_FOUND', message: expect.any(String) });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    '/v2/ai',
    '/v2/ai/',
    '/v2/ai?x=1',
    '/v2/ai/nothing',
    '/v2/ai/%',
    '/v2/ai/models/',
    '/v2/ai//models',
    '/v2/ai/chat',
    'http://localhost/v2/ai',
  ])('gets the AI gateway’s not_found: %s', async (path) => {
    for (const method of ['GET', 'POST', 'PROPFIND']) {
      const answer = await exchange(server, path, { door: 'api', method });
      expect([answer.status, answer.json()]).toEqual([
        404,
        { error: { message: expect.any(String), type: 'invalid_request_error', param: null, code: 'not_found' } },
      ]);
    }
  });

  it.each(['/v2/git', '/v2/git/', '/v2/git/webhook'])(
    'gets an error in the form of the git webhook: %s',
    async (path) => {
      expect((await exchange(server, path, { door: 'api', method: 'POST' })).body.toString()).toMatch(
        /^NOT_FOUND.*Nothing was deployed\.$/,
      );
    },
  );

  it.each(['/v2/aid', '/v2/gitea', '/v2'])('gets an error in the envelope: %s', async (path) => {
    expect((await exchange(server, path, { door: 'api' })).json().code).toBe('NOT_FOUND');
  });

  it('gets METHOD_NOT_ALLOWED with the methods of the path, for every path of the contract', async () => {
    const paths = Map.groupBy(
      Object.values(policies).filter(({ door }) => door === 'api'),
      ({ path }) => path,
    );
    for (const [template, operations] of paths) {
      const path = template.replace(/\{[^}]+\}/g, 'x');
      const answer = await exchange(server, path, { door: 'api', method: 'PROPFIND' });
      const allowed = operations.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
      expect(answer.status, template).toBe(405);
      expect(answer.headers.get('allow')!.split(', ').sort(), template).toEqual([...allowed, 'OPTIONS'].sort());
    }
  });

  it('gets Allow when it is an OPTIONS without preflight headers', async () => {
    const answer = await exchange(server, '/v1/objects', { door: 'api', method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, DELETE, PATCH, OPTIONS']);
    expect((await exchange(server, '/nothing', { door: 'api', method: 'OPTIONS' })).status).toBe(404);
  });

  it('is refused before its credential is checked', async () => {
    expect((await server.send('/v1/nothing', { credential: 'wrong' })).status).toBe(404);
    expect((await server.send('/v1/objects', { method: 'PUT', credential: 'wrong' })).status).toBe(405);
  });
});

describe('HEAD', () => {
  it.each([
    '/v1/objects',
    '/v1/objects?limit=0',
    '/livez',
    '/readyz',
    '/v1/account/stats',
    '/nothing',
    '/openapi.json',
  ])('gets the response of GET without the body: %s', async (path) => {
    const options = { door: 'api', headers: { Authorization: account.credential } } as const;
    const [get, head] = [
      await exchange(server, path, options),
      await exchange(server, path, { ...options, method: 'HEAD' }),
    ];
    expect(head.status).toBe(get.status);
    expect(head.body).toHaveLength(0);
    for (const name of ['content-type', 'content-length', 'cache-control'])
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
  });
});

describe('the API', () => {
  it('forbids caching and sniffing of its responses, and does not name the server software', async () => {
    for (const answer of [await send('/v1/objects'), await send('/v1/objects?limit=0'), await send('/nothing')]) {
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      for (const name of ['x-powered-by', 'server', 'etag', 'set-cookie'])
        expect(answer.headers.get(name), name).toBeNull();
    }
  });

  it('accepts a key bare or after Bearer, and after no other scheme', async () => {
    for (const credential of [account.credential, `Bearer ${account.credential}`, `bearer  ${account.credential}`])
      expect((await send('/v1/objects', { credential })).status).toBe(200);
    for (const credential of [
      `Basic ${account.credential}`,
      `${account.credential}x`,
      account.credential.toUpperCase(),
      'Bearer',
      '',
    ]) {
      expect((await send('/v1/objects', { credential })).json().code).toBe('ACCESS_DENIED');
    }
  });
});

describe('the log', () => {
  it('has one line for each request, with operation, status and times, and without secrets', async () => {
    const secret = 'hunter2-hunter2';
    const uploadBody = formWith(someBytes(), `${secret}.png`);
    const ask: Array<() => Promise<TestAnswer>> = [
      () => send(`/v1/objects?prefix=${secret}`),
      () => send(`/v1/objects?limit=${secret}`),
      () => send(`/v1/objects?cursor=${secret}`),
      () =>
        send(`/v1/objects?name=a&metadata=${encodeURIComponent(JSON.stringify({ key: secret }))}`, {
          method: 'POST',
          body: uploadBody,
        }),
      () => send(`/v1/objects?name=${secret}&expire=never`, { method: 'POST', body: formWith(someBytes()) }),
      () =>
        send(`/v1/objects?name=a`, {
          method: 'POST',
          body: secret,
          headers: { 'Content-Type': `multipart/form-data; boundary=${secret}` },
        }),
      () =>
        send('/v1/objects', { method: 'DELETE', body: JSON.stringify({ object: `pub/${account.id}/${secret}.png` }) }),
      () => send('/v1/objects', { method: 'DELETE', body: `{"object": "${secret}"` }),
      () => send(`/v1/objects/info?object=${secret}`),
      () => send('/v1/objects', { credential: `cbk_${secret}` }),
      () => send('/v1/objects', { credential: `Basic ${secret}` }),
      () => send(`/v1/${secret}`),
      () => send(`/v1/account/keys/${secret}`, { method: 'DELETE' }),
      () => send(`/v2/git/webhook/${secret}`, { method: 'POST', body: JSON.stringify({ secret }) }),
      () => send(`/d/${secret}`, { door: 'files' }),
      () => send(`/s/${secret}`, { door: 'files', method: 'POST', body: new URLSearchParams({ password: secret }) }),
      () =>
        send(`/${account.id}/${secret}.png?token=${secret}`, {
          door: 'public',
          headers: { Cookie: secret, Referer: `https://x.example/${secret}`, 'User-Agent': secret },
        }),
    ];
    for (const asked of ask) {
      const answer = await asked();
      const line = await lineOf(answer);
      expect(line).toMatchObject({
        level: 'info',
        message: 'request',
        status: answer.status,
        ms: expect.any(Number),
        address: '127.0.0.1',
        operation: expect.any(String),
        door: expect.any(String),
      });
      expect(new Date(line.at as string).toISOString()).toBe(line.at);
    }
    const text = JSON.stringify(server.log);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(account.credential);
    expect(text).not.toContain(account.credential.slice(4, 20));
    expect(text).not.toMatch(/authorization|cookie/i);
  });

  it('names the account and the key by their ids, and the code of a refusal', async () => {
    expect(await lineOf(await send('/v1/objects'))).toMatchObject({
      account: account.id,
      key: account.keyId,
      path: '/v1/objects',
      method: 'GET',
    });
    const refused = await lineOf(await send(`/v1/objects/info?object=pub/${account.id}/missing.png`));
    expect(refused).toMatchObject({ status: 404, code: 'OBJECT_NOT_FOUND', path: '/v1/objects/info' });
  });

  it('records a client disconnect as aborted and not as a fault', async () => {
    const held = slowUpload({
      baseUrl: server.running.urls.base,
      credential: account.credential,
      dataDir: server.dataDir,
      name: 'gone',
      bytes: someBytes(100_000),
    });
    await held.begun;
    held.request.destroy();
    await eventually(() =>
      expect(requestLines().at(-1)).toMatchObject({ operation: 'uploadObject', outcome: 'aborted' }),
    );
    expect(server.log.filter(({ message }) => message === 'fault')).toEqual([]);
    expect((await send('/v1/objects?prefix=gone')).json().response.objects).toEqual([]);
    await eventually(() =>
      expect(
        readdirSync(join(server.dataDir, 'blobs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
          name.endsWith('.tmp'),
        ),
      ).toEqual([]),
    );
  });
});

describe('the API door', () => {
  it('serves the documentation without references to outside hosts', async () => {
    const answer = await send('/docs/');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    for (const path of ['/docs', '/']) {
      const redirect = await send(path).catch(() => undefined);
      if (redirect) expect([redirect.status, redirect.headers.get('location')], path).toEqual([302, '/docs/']);
    }
  });

  it.each(['openapi.json', 'openapi.yaml'])('serves the contract: /%s', async (name) => {
    const answer = await send(`/${name}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(
      name.endsWith('json') ? /^application\/json/ : /^(application|text)\/yaml/,
    );
    const { api, files, public: publicHost } = server.running.urls;
    const json = await readFile(join(root, 'generated/openapi.json'), 'utf8');
    const written = name.endsWith('json') ? json : yamlOf(JSON.parse(json));
    expect(parse(written)).toEqual(JSON.parse(json));
    const served = written
      .replaceAll('http://localhost:7400', api)
      .replaceAll('http://localhost:7401', files)
      .replaceAll('http://localhost:7402', publicHost);
    expect(served).not.toBe(written);
    expect(answer.body.toString()).toBe(served);
  });

  it('writes the addresses of this server into the contract', async () => {
    const other = await startTestServer({
      env: {
        CUBBY_BASE_URL: 'https://storage.example.com',
        CUBBY_FILES_URL: 'https://links.example.com',
        CUBBY_PUBLIC_URL: 'https://cdn.example.com/files',
      },
    });
    const { body } = await other.send('/openapi.json');
    const { servers, paths } = JSON.parse(body.toString());
    expect(servers[0].variables.api_url.default).toBe(other.running.urls.api);
    expect(paths['/d/{token}'].get.servers[0].variables.files_url.default).toBe('https://links.example.com');
    expect(paths['/{account_id}/{key}'].get.servers[0].variables.public_url.default).toBe(
      'https://cdn.example.com/files',
    );
    expect(body.toString()).not.toContain('http://localhost:740');
  });

  it.each([
    ['/openapi.json', { Range: 'bytes=999999999-' }, 416],
    ['/openapi.json', { Range: 'bytes=0-9' }, 206],
    ['/openapi.json', { 'If-Match': '"other"' }, 412],
    ['/openapi.json', { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 304],
    ['/docs/index.html', { Range: 'bytes=999999999-' }, 416],
    ['/docs/index.html', { 'If-Match': '"other"' }, 412],
    ['/docs/%', {}, 404],
    ['/docs/%00', {}, 404],
    ['/docs/%c0%ae%c0%ae/', {}, 404],
    [`/docs/${'a'.repeat(5_000)}`, {}, 404],
  ])('responds to %s with %o as HTTP requires, and logs no fault', async (path, headers, status) => {
    const answer = await exchange(server, path, { door: 'api', headers });
    expect(answer.status, answer.body.toString().slice(0, 200)).toBe(status);
    expect(server.log.filter(({ message }) => message === 'fault')).toEqual([]);
  });

  it('serves /livez and /readyz without a credential', async () => {
    expect((await server.send('/livez')).json()).toEqual({ status: 'success' });
    expect((await server.send('/readyz')).json()).toEqual({
      status: 'success',
      storage: 'available',
      large_files: 'available',
    });
  });

  it('serves /metrics, which counts requests and names no account, key or file', async () => {
    const labels = 'door="api",operation="getObjectInfo",status="404",code="OBJECT_NOT_FOUND"';
    const counted = async () => {
      const lines = (await server.send('/metrics', { door: 'operator' })).body.toString().split('\n');
      const start = `cubby_requests_total{${labels}} `;
      return Number(lines.find((line) => line.startsWith(start))?.slice(start.length) ?? 0);
    };
    const before = await counted();
    await lineOf(await send(`/v1/objects/info?object=pub/${account.id}/missing.png`));
    expect(await counted()).toBe(before + 1);
    const metrics = await server.send('/metrics', { door: 'operator' });
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
    for (const secret of [account.id, account.keyId, account.credential, 'missing.png'])
      expect(metrics.body.toString()).not.toContain(secret);
  });
});

describe('keep-alive', () => {
  it('serves many requests on one connection, also after refused bodies', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number>();
    agent.on('free', (socket: { localPort: number }) => ports.add(socket.localPort));
    const headers = { Authorization: account.credential };
    for (const path of ['/v1/objects', '/v1/objects?limit=0', '/nothing', '/livez', '/v1/objects'])
      await exchange(server, path, { door: 'api', agent, headers });
    agent.destroy();
    expect(ports.size).toBe(1);
  });
});

describe('stop()', () => {
  it('waits for a running upload and stores it, while /readyz responds NOT_READY', async () => {
    const stopping = await startTestServer();
    const { id, credential } = await stopping.account();
    const { base } = stopping.running.urls;
    const bytes = someBytes(3_000_000);
    const held = slowUpload({ baseUrl: base, credential, dataDir: stopping.dataDir, name: 'late', bytes });
    await held.begun;
    const agent = new Agent({ keepAlive: true });
    await exchange(stopping, '/livez', { door: 'api', agent });

    stopping.running.app.beginStop();
    const ready = await stopping.send('/readyz');
    expect([ready.status, ready.json().code]).toEqual([503, 'NOT_READY']);
    expect((await stopping.send('/livez')).status).toBe(200);

    const stopped = stopping.running.stop();
    await eventually(async () => expect(fetch(`${base}/livez`)).rejects.toThrow());
    held.finish();
    const answer = await held.answer;
    expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
    expect(answer.json.response).toMatchObject({ id: `pub/${id}/late.png`, size: bytes.length });
    expect(await stopped).toBe(true);

    const again = await startTestServer({ dataDir: stopping.dataDir });
    const { pathname } = new URL(answer.json.response.url as string);
    expect((await again.send(pathname, { door: 'public' })).body.equals(bytes)).toBe(true);
    expect((await upload(again, { id, credential, keyId: '' })).status).toBe(200);
    agent.destroy();
  });
});
