import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { answerChecker } from '#mocks/answer-check.ts';
import { capturing, type CapturedAnswer } from '#mocks/answer-capture.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '#mocks/sandbox.ts';
import { credentialKind } from '#server/domain/access/credential.ts';
import { programEnv } from '#test/support/command.ts';
import { eventually } from '#test/support/eventually.ts';
import { formWith, someBytes } from '#test/support/files.ts';

const freePorts = {
  CUBBY_API_PORT: '0',
  CUBBY_FILES_PORT: '0',
  CUBBY_PUBLIC_PORT: '0',
  CUBBY_S3_PORT: '0',
  CUBBY_OPERATOR_PORT: '0',
};

/** The fixed keys, which users' scripts rely on. */
const keys = {
  none: ['100000000000000001', 'cbk_Sandboxnone000000000000000000000000000002chCem'],
  hobby: ['100000000000000002', 'cbk_Sandboxhobby00000000000000000000000000002GHAf9'],
  standard: ['100000000000000003', 'cbk_Sandboxstandard00000000000000000000000000jw7yG'],
  pro: ['100000000000000004', 'cbk_Sandboxpro0000000000000000000000000000001dc7SI'],
  enterprise: ['100000000000000005', 'cbk_Sandboxenterprise000000000000000000000002ZWRIk'],
} as const;

/** Compiled once, because each sandbox compiles its own. */
const check = answerChecker(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../generated/openapi.json'), 'utf8')),
);

async function sandboxFor(
  options: SandboxOptions = {},
): Promise<{ readonly sandbox: Sandbox; readonly reports: string[] }> {
  const reports: string[] = [];
  const sandbox = await startSandbox({
    env: { ...freePorts, CUBBY_LOG: 'silent' },
    report: (text) => void reports.push(text),
    ...options,
  });
  onTestFinished(() => sandbox.stop());
  return { sandbox, reports };
}

function upload(sandbox: Sandbox, credential: string, size = 3000): Promise<Response> {
  return fetch(`${sandbox.urls.base}/v1/objects?name=photo`, {
    method: 'POST',
    headers: { Authorization: credential },
    body: formWith(someBytes(size)),
  });
}

describe('startSandbox()', () => {
  it('is the real server with the same account for each plan on every start, and leaves no folder behind', async () => {
    const { sandbox, reports } = await sandboxFor();
    expect(
      Object.fromEntries(sandbox.accounts.map(({ plan, accountId, credential }) => [plan, [accountId, credential]])),
    ).toEqual(keys);

    for (const [plan, [accountId, credential]] of Object.entries(keys)) {
      expect(credentialKind(credential)).toBe('apiKey');
      const answer = (await (await upload(sandbox, credential)).json()) as {
        code?: string;
        response?: { id: string; url: string };
      };
      if (plan === 'none') {
        expect(answer.code).toBe('PERMISSION_DENIED');
        continue;
      }
      expect(answer.response!.id).toBe(`pub/${accountId}/photo.png`);
      expect((await fetch(answer.response!.url)).status).toBe(200);
    }
    // Rate limits are off: Hobby may upload once a second, list 30 times in 30.
    for (let count = 0; count < 35; count++)
      expect(
        (await fetch(`${sandbox.urls.base}/v1/objects`, { headers: { Authorization: keys.hobby[1] } })).status,
      ).toBe(200);
    for (const path of [
      '/',
      '/docs',
      '/openapi.json',
      '/nothing',
      '/v1/shares',
      '/v2/ai/nothing',
      '/metrics',
      '/livez',
    ])
      await fetch(sandbox.urls.api + path, { redirect: 'manual' });
    for (const door of ['files', 'public', 's3'] as const) await fetch(`${sandbox.urls[door]}/nothing`);

    expect({ reports, wrong: sandbox.wrongAnswers }).toEqual({ reports: [], wrong: [] });
    expect(existsSync(join(sandbox.dataDir, 'cubby.db'))).toBe(true);
    await sandbox.stop();
    expect(existsSync(sandbox.dataDir)).toBe(false);
  });

  it('reports a response that the contract does not declare, counts it, and still sends it', async () => {
    const wrong: RequestListener = (_req, res) =>
      res
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end('{"status":"success","response":{"objects":"none"}}');
    const door: SandboxOptions['door'] = (name, real) =>
      name === 'api' ? (req, res) => (req.url === '/v1/objects' ? wrong : real)(req, res) : real;
    const { sandbox, reports } = await sandboxFor({ door, check });

    const response = await fetch(`${sandbox.urls.base}/v1/objects`);
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 200,
      body: { status: 'success', response: { objects: 'none' } },
    });
    await fetch(`${sandbox.urls.base}/livez`);
    await fetch(`${sandbox.urls.base}/v1/objects`);

    await eventually(() => expect(sandbox.wrongAnswers).toHaveLength(2));
    expect(sandbox.wrongAnswers[0]).toMatchObject({
      door: 'api',
      answer: { method: 'GET', path: '/v1/objects', status: 200 },
    });
    expect(reports[1]).toContain('!!! WRONG ANSWER (2 so far): GET /v1/objects at the api door answered 200');
    expect(reports[1]).toContain('!!!   - listObjects: header X-Request-Id is missing');
    expect(reports[1]).toContain('must be array (is "none")');
  });

  it('checks status and headers of a large file against the contract, and passes its bytes on', async () => {
    const door: SandboxOptions['door'] = (name, real) => (req, res) => {
      const set = res.setHeader;
      if (name === 'public' && req.headers['x-spoil'])
        res.setHeader = (header, value) => (header === 'ETag' ? res : set.call(res, header, value));
      return real(req, res);
    };
    const { sandbox, reports } = await sandboxFor({ door, check });
    const { response } = (await (await upload(sandbox, keys.pro[1], 2_000_000)).json()) as {
      response: { url: string };
    };
    expect((await (await fetch(response.url)).bytes()).length).toBe(2_000_000);
    expect(reports).toEqual([]);
    await (await fetch(response.url, { headers: { 'X-Spoil': '1' } })).bytes();
    await eventually(() => expect(reports.join('')).toContain('getPublicFile: header ETag is missing'));
  });

  it('leaves nothing behind when it cannot start', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void blocker.close());
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    const exits = process.listenerCount('exit');
    await expect(
      startSandbox({ env: { ...freePorts, CUBBY_API_PORT: String(port), CUBBY_LOG: 'silent' } }),
    ).rejects.toThrow(`Port ${port} (api) is taken`);
    await expect(startSandbox({ env: { CUBBY_API_PORT: 'x' } })).rejects.toThrow('CUBBY_API_PORT is "x"');
    expect(process.listenerCount('exit')).toBe(exits);
  });
});

// The timeout leaves room for a slow start on a busy machine.
describe('npm run sandbox', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints keys and curl lines, and removes its folder on %s',
    async (signal) => {
      const child = spawn(process.execPath, [join(import.meta.dirname, '../../mocks/sandbox/main.js')], {
        env: { ...programEnv, ...freePorts },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      let printed = '';
      let complained = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text));
      while (!printed.includes('Ctrl+C') && child.exitCode === null) await sleep(20);

      for (const [plan, [accountId, credential]] of Object.entries(keys))
        expect(printed).toMatch(new RegExp(`^ {2}${plan} +${accountId} +${credential}$`, 'm'));
      for (const line of [
        'CUBBY_RATE_LIMITS is off (a server without it: on)',
        'CUBBY_LOG is warn (a server without it: info)',
      ])
        expect(printed).toContain(`\n  ${line}\n`);
      const [, list] = /^ {2}curl -H "Authorization: \S+" "(http\S+)"$/m.exec(printed)!;
      expect((await fetch(list!, { headers: { Authorization: keys.pro[1] } })).status).toBe(200);
      expect(printed).toMatch(/^ {2}curl -H "Authorization: \S+" \\\n {4}-d '/m);
      const [, completions] = /^ {4}-d '\S.*' "(http\S+\/v2\/ai\/\S+)"$/m.exec(printed)!;
      const answer = await fetch(completions!, {
        method: 'POST',
        headers: { Authorization: keys.pro[1] },
        body: '{"messages":[{"role":"user","content":"hello"}]}',
      });
      expect([answer.status, answer.headers.get('x-cubby-responder')]).toEqual([200, 'development']);
      const [folder] = /\S+cubby-sandbox-\w+/.exec(printed)!;
      expect(existsSync(folder)).toBe(true);

      child.kill(signal);
      const [code] = await once(child, 'exit');
      expect({ code, complained }).toEqual({ code: 0, complained: '' });
      expect(existsSync(folder)).toBe(false);
    },
  );
});

describe('capturing()', () => {
  async function captured(listener: RequestListener, init?: RequestInit): Promise<CapturedAnswer[]> {
    const answers: CapturedAnswer[] = [];
    const server = createServer(capturing(listener, (answer) => void answers.push(answer))).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a%20b?c=d`;
    await fetch(url, init)
      .then((response) => response.bytes())
      .catch(() => {});
    server.closeAllConnections();
    return answers;
  }

  it('captures the written bytes, for every way of writing', async () => {
    const [answer] = await captured((req, res) => {
      req.url = '/rewritten';
      res.setHeader('X-One', ['1', '2']);
      res.writeHead(201, 'Made', { 'X-Two': 3 });
      res.write('é');
      res.write(Buffer.from([0xff]), () => {});
      res.write('w6k=', 'base64');
      res.end('!', () => {});
    });
    expect(answer).toMatchObject({
      method: 'GET',
      path: '/a%20b',
      status: 201,
      headers: { 'x-one': '1, 2', 'x-two': '3' },
      isBodyKept: true,
    });
    expect([...answer!.body]).toEqual([...Buffer.from('é'), 0xff, ...Buffer.from('é'), 0x21]);
  });

  it('omits the body of responses that have none, whatever is written', async () => {
    const listener: RequestListener = (_req, res) =>
      void res.writeHead(200, { 'Content-Type': 'text/plain' }).end('text');
    expect((await captured(listener, { method: 'HEAD' }))[0]!.body).toHaveLength(0);
    expect((await captured((_req, res) => void res.writeHead(304).end('text')))[0]!.body).toHaveLength(0);
  });

  it('keeps no body over 1 MiB, and does not report interrupted responses', async () => {
    const [large] = await captured((_req, res) => {
      for (let count = 0; count < 9; count++) res.write(Buffer.alloc(131_072));
      res.end();
    });
    expect(large).toMatchObject({ status: 200, isBodyKept: false });
    expect(large!.body).toHaveLength(0);
    expect(await captured((_req, res) => void res.write('half', () => res.destroy()))).toEqual([]);
  });
});
