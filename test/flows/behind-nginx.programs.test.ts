import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sign, type Endpoint, type S3Request } from '#test/s3/signed-request.ts';
import { TestClock } from '#test/support/clock.ts';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { because, noProgram } from '#test/support/programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

const domain = 'cubby.test';
const missing = noProgram('nginx', 'openssl');

/** The recipe of docs/operating/proxy.md. */
const recipe = /```nginx\n([^]*?)```/.exec(
  readFileSync(new URL('../../docs/operating/proxy.md', import.meta.url), 'utf8'),
)![1]!;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  json(): any;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

describe.skipIf(missing)(`all doors on one port behind nginx, over TLS${because(missing)}`, () => {
  let folder: string;
  let nginx: ChildProcess;
  let server: TestServer;
  let account: TestAccount;
  let s3: Endpoint;
  let ca: Buffer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cubby-nginx-'));
    const [port, upstream] = [await freePort(), await freePort()];
    const urls = Object.fromEntries(
      ['api', 'files', 'public', 's3'].map((door) => [
        `CUBBY_${door.toUpperCase()}_URL`,
        `https://${door}.${domain}:${port}`,
      ]),
    );
    const ports = Object.fromEntries(
      ['API', 'FILES', 'PUBLIC', 'S3'].map((door) => [`CUBBY_${door}_PORT`, String(upstream)]),
    );
    server = await startTestServer({
      clock: new RunningClock(0),
      env: { ...urls, ...ports, CUBBY_TRUSTED_PROXIES: 'loopback', CUBBY_PUBLIC_METRICS: 'on' },
    });
    account = await server.account();
    makeCertificate(folder);
    ca = readFileSync(join(folder, 'cubby.crt'));
    nginx = startNginx(folder, { port, upstream });
    await eventually(() => ask(`https://api.${domain}:${port}/livez`));
    const pair = (
      await ask(`${server.running.urls.base}/v1/s3/credentials`, { headers: { Authorization: account.credential } })
    ).json().response;
    s3 = { url: server.running.urls.s3, accessKeyId: pair.access_key_id, secretAccessKey: pair.secret_access_key };
  });
  afterAll(async () => {
    if (nginx?.exitCode === null) {
      nginx.kill('SIGTERM');
      await once(nginx, 'exit');
    }
    await server?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Connects without a name look-up, because all names are on this machine. */
  async function ask(url: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
    const { hostname, host, port, pathname, search } = new URL(url);
    const all = { Host: host, ...headers, ...(body && { 'Content-Length': String(body.length) }) };
    const outgoing = request({
      host: '127.0.0.1',
      port,
      servername: hostname,
      ca,
      method,
      path: pathname + search,
      headers: all,
      agent: false,
    });
    outgoing.end(body);
    const [incoming] = await once(outgoing, 'response');
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    return {
      status: incoming.statusCode,
      headers: incoming.headers,
      body: bytes,
      json: () => JSON.parse(bytes.toString()),
    };
  }

  async function uploaded(name: string, bytes: Uint8Array, query = ''): Promise<any> {
    const form = new Response(formWith(bytes));
    const type = form.headers.get('content-type')!;
    const { base } = server.running.urls;
    const answer = await ask(`${base}/v1/objects?name=${name}${query}`, {
      method: 'POST',
      headers: { Authorization: account.credential, 'Content-Type': type },
      body: Buffer.from(await form.arrayBuffer()),
    });
    expect(answer.status, answer.body.toString()).toBe(200);
    return answer.json().response;
  }

  async function asS3(wish: S3Request, endpoint = s3): Promise<Answer> {
    const { method, target, headers, body } = sign(endpoint, wish);
    return ask(endpoint.url + target, {
      method,
      headers: Object.fromEntries(headers),
      ...(body.length > 0 && { body }),
    });
  }

  it('are the REST API and the public host', async () => {
    const bytes = someBytes(3_000_000);
    const { url } = await uploaded('large', bytes);
    expect(url).toBe(`${server.running.urls.public}/${account.id}/large.png`);
    expect((await ask(url)).body.equals(bytes)).toBe(true);
    const part = await ask(url, { headers: { Range: 'bytes=10-19' } });
    expect({ status: part.status, bytes: part.body }).toEqual({
      status: 206,
      bytes: Buffer.from(bytes.subarray(10, 20)),
    });
  });

  it('are the temporary links and the share links', async () => {
    const bytes = someBytes(100_000);
    const { id } = await uploaded('private', bytes, '&private=true');
    const { base } = server.running.urls;
    const link = await ask(`${base}/v1/objects/download?object=${encodeURIComponent(id)}&redirect=false`, {
      headers: { Authorization: account.credential },
    });
    const target = link.headers.location ?? link.json().response.url;
    expect((await ask(String(target))).body.equals(bytes)).toBe(true);
    const share = await ask(`${base}/v1/shares`, {
      method: 'POST',
      headers: { Authorization: account.credential, 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify({ object: id, expires_in: 86_400 })),
    });
    expect(share.status, share.body.toString()).toBe(201);
    expect((await ask(share.json().response.url)).body.equals(bytes)).toBe(true);
  });

  it('are the S3 gateway, whose signatures cover host and port', async () => {
    const bytes = someBytes(2_000_000);
    for (const [payload, path] of [
      ['signed', '/private/a%20b%2Bc.bin'],
      ['chunks-trailer', '/private/x/%C3%BC.bin'],
    ] as const) {
      const put = await asS3({
        method: 'PUT',
        path,
        body: bytes,
        payload,
        headers: { 'x-amz-meta-with_underscore': 'kept' },
      });
      expect(put.status, put.body.toString()).toBe(200);
      const got = await asS3({ path });
      expect(got.body.equals(bytes)).toBe(true);
      expect(got.headers['x-amz-meta-with_underscore']).toBe('kept');
    }
    const { status, body } = await asS3({ path: '/private', query: { 'list-type': '2' } });
    expect({ status, body: body.toString() }).toEqual({
      status: 200,
      body: expect.stringContaining('<Key>a b+c.bin</Key>'),
    });
    const virtual = { ...s3, url: s3.url.replace('://s3.', '://private.s3.') };
    expect((await asS3({ path: '/a%20b%2Bc.bin' }, virtual)).body.equals(bytes)).toBe(true);
  });

  it('distinguish visitors by the address from nginx, and do not expose the metrics', async () => {
    const { base } = server.running.urls;
    await ask(`${base}/v1/objects`, {
      headers: { Authorization: account.credential, 'X-Forwarded-For': '203.0.113.9' },
    });
    expect(server.log).toContainEqual(expect.objectContaining({ operation: 'listObjects', address: '203.0.113.9' }));
    expect((await ask(`${base}/metrics`)).status).toBe(403);
  });
});

class RunningClock extends TestClock {
  override now(): number {
    return Date.now() + super.now();
  }
}

function makeCertificate(folder: string): void {
  const names = ['api', 'files', 'public', 's3', '*.s3'].map((name) => `DNS:${name}.${domain}`).join(',');
  const args = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-keyout',
    'cubby.key',
    '-out',
    'cubby.crt',
    '-subj',
    `/CN=${domain}`,
    '-addext',
    `subjectAltName=${names}`,
  ];
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

/** Runs the recipe of the documentation with other names and ports, and with another path of the certificate. */
function startNginx(
  folder: string,
  { port, upstream }: { readonly port: number; readonly upstream: number },
): ChildProcess {
  const block = recipe
    .replaceAll('example.com', domain)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('http://127.0.0.1:7400', `http://127.0.0.1:${upstream}`)
    .replaceAll(/\/etc\/ssl\/[\w.]+\.(crt|key)/g, `${folder}/cubby.$1`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const conf =
    `daemon off; ${user} worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;\nevents ` +
    `{}\nhttp {\naccess_log off; ${temporary}\n${block}\n}\n`;
  writeFileSync(join(folder, 'nginx.conf'), conf);
  return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  });
}
