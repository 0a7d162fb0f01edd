import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '#test/support/eventually.ts';
import { because, noProgram } from '#test/support/programs.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { freePort } from '#test/support/free-port.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

const root = join(import.meta.dirname, '../..');
const missing = noProgram('caddy');
const domain = 'cubby.test';

it('the configuration of nginx is the one of the documentation, which another test runs', async () => {
  const [, recipe] = /```nginx\n([^]*?)```/.exec(await readFile(join(root, 'docs/operating/proxy.md'), 'utf8'))!;
  expect(await readFile(join(root, 'deploy/nginx/cubby.conf'), 'utf8')).toContain(recipe);
});

describe.skipIf(missing)(`all doors on one port behind Caddy${because(missing)}`, () => {
  let folder: string;
  let proxy: ChildProcess;
  let server: TestServer;
  let account: TestAccount;
  let port: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cubby-caddy-'));
    port = await freePort();
    const upstream = await freePort();
    const doors = ['api', 'files', 'public', 's3'];
    const settings = doors.flatMap((door) => [
      [`CUBBY_${door.toUpperCase()}_URL`, `http://${door}.${domain}:${port}`],
      [`CUBBY_${door.toUpperCase()}_PORT`, String(upstream)],
    ]);
    server = await startTestServer({ env: { ...Object.fromEntries(settings), CUBBY_TRUSTED_PROXIES: 'loopback' } });
    account = await server.account();
    const recipe = await readFile(join(root, 'deploy/caddy/Caddyfile'), 'utf8');
    // Without TLS: names of this test have no certificates.
    const local = recipe.replaceAll(/\b(api|files|public|s3)\.example\.com(?=[ ,{])/g, `http://$1.${domain}:${port}`);
    await writeFile(
      join(folder, 'Caddyfile'),
      `{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}\n${local}`,
    );
    proxy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
      env: {
        ...process.env,
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
        UPSTREAM: `127.0.0.1:${upstream}`,
      },
      stdio: 'ignore',
    });
    await eventually(() => ask('api', '/livez'));
  });
  afterAll(async () => {
    if (proxy?.exitCode === null && proxy.kill('SIGTERM')) await once(proxy, 'exit');
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function ask(door: string, path: string, { method = 'GET', headers = {}, body = new Uint8Array() } = {}) {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...headers, Host: `${door}.${domain}:${port}`, 'Content-Length': body.length },
    });
    outgoing.end(body);
    const [response] = await once(outgoing, 'response');
    return { status: response.statusCode as number, headers: response.headers, text: await text(response) };
  }

  it('uploads through the API, and serves the file at the address that it got', async () => {
    const form = new Response(formWith(someBytes(700)));
    const stored = await ask('api', '/v1/objects?name=through-caddy', {
      method: 'POST',
      headers: { Authorization: account.credential, 'Content-Type': form.headers.get('content-type')! },
      body: new Uint8Array(await form.arrayBuffer()),
    });
    const { url } = JSON.parse(stored.text).response;
    expect(url).toBe(`http://public.${domain}:${port}/${account.id}/through-caddy.png`);
    expect((await ask('public', new URL(url).pathname)).headers['content-length']).toBe('700');
  });

  it('reaches the other doors by their names, and shows nobody the metrics', async () => {
    expect((await ask('s3', '/private')).text).toContain('<Code>AccessDenied</Code>');
    expect((await ask('files', '/s/nothing')).status).toBe(404);
    expect((await ask('api', '/metrics')).status).toBe(403);
  });
});
