import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { getObjectInfo, listObjects, uploadObject } from 'cubby-server/client';
import { startSandbox, type Sandbox } from 'cubby-server/sandbox';
import { uploadFile } from 'cubby-server/uploader';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { programEnv } from '#test/support/command.ts';
import { someBytes } from '#test/support/files.ts';

const cubby = join(import.meta.dirname, '../../mocks/sandbox/cubby.js');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(async () => {
  expect(await sandbox.wrongAnswers()).toBe(0);
  await sandbox.stop();
});
beforeEach(() => sandbox.reset());

const server = (of: Sandbox = sandbox) => ({ baseUrl: of.urls.api, auth: of.account().credential });
const file = (size = 2000) => new File([someBytes(size)], 'april.pdf');

const store = (name: string, of: Sandbox = sandbox) =>
  uploadObject({ ...server(of), query: { name }, body: { file: file() } });

async function keys(of: Sandbox = sandbox): Promise<string[]> {
  const { data } = await listObjects(server(of));
  return data!.response.objects.map(({ id }) => id.split('/').slice(2).join('/'));
}

describe('startSandbox() of cubby-server/sandbox', () => {
  it('runs several sandboxes side by side, each with its own files', async () => {
    await using other = await startSandbox();
    await store('one');
    await store('two', other);
    expect([await keys(), await keys(other)]).toEqual([['one.pdf'], ['two.pdf']]);
    expect(other.account('hobby')).toEqual(sandbox.account('hobby'));
  });

  it('gives an operator key, which stays after a reset', async () => {
    const ask = async () => {
      const headers = { Authorization: sandbox.operatorKey };
      const answer = await fetch(`${sandbox.urls.operator}/v2/operator/accounts`, { headers });
      return ((await answer.json()) as { response: { accounts: unknown[] } }).response.accounts.length;
    };
    expect(await ask()).toBe(sandbox.accounts.length);
    await sandbox.reset();
    expect(await ask()).toBe(sandbox.accounts.length);
    await using other = await startSandbox();
    expect(other.operatorKey).toBe(sandbox.operatorKey);
  });

  it('listens on the ports that it is given, and says which is taken', async () => {
    const taken = Number(new URL(sandbox.urls.api).port);
    await expect(startSandbox({ ports: { api: taken } })).rejects.toThrow(/The sandbox cannot start: .*EADDRINUSE/);
    await using other = await startSandbox({ env: { CUBBY_AI_MAX_CONCURRENT: '2' } });
    expect(new URL(other.urls.api).port).not.toBe(String(taken));
  });

  it('says which variable of the server is wrong', async () => {
    await expect(startSandbox({ env: { CUBBY_LOGS: 'x' } })).rejects.toThrow(/CUBBY_LOGS/);
  });
});

describe('the control of a sandbox', () => {
  it('reset() deletes everything, and keeps the addresses and the keys', async () => {
    const { urls } = sandbox;
    await store('april');
    await sandbox.failNext({ operation: 'listObjects', code: 'LIST_FAILED' });
    await sandbox.reset();
    expect(await keys()).toEqual([]);
    expect(sandbox.urls).toEqual(urls);
    expect((await sandbox.received()).map(({ operation }) => operation)).toEqual(['listObjects']);
  });

  it('seed() stores files, share links and upload tokens, also from a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cubby-seed-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'beach.png'), someBytes(700));
    const seed = {
      files: [
        { path: 'photos/beach.png', from: 'beach.png' },
        { path: 'notes.txt', text: 'A note. '.repeat(100), private: true },
        { path: 'large.bin', sizeBytes: 4096, plan: 'hobby' },
      ],
      shares: [{ file: 'photos/beach.png', expires_in: 3600 }],
      uploadTokens: [{ max_uses: 1 }],
    };
    await writeFile(join(folder, 'seed.json'), JSON.stringify(seed));
    const seeded = await sandbox.seed(join(folder, 'seed.json'));
    expect(seeded.files.map(({ path }) => path)).toEqual(['photos/beach.png', 'notes.txt', 'large.bin']);
    expect((await keys()).sort()).toEqual([expect.stringMatching(/^notes_.+\.txt$/), 'photos/beach.png']);
    expect((await (await fetch(seeded.files[0]!.url!)).bytes()).length).toBe(700);
    expect((await fetch(seeded.shares[0]!.url)).status).toBe(200);
    const { data } = await uploadObject({
      baseUrl: sandbox.urls.api,
      auth: seeded.uploadTokens[0]!.token,
      query: { name: 'april' },
      body: { file: file() },
    });
    expect(data!.response.name).toBe('april');
  });

  it('seed() says which entry is refused, and why', async () => {
    await expect(sandbox.seed({ files: [{ path: 'a.txt', text: 'small' }] })).rejects.toThrow(
      'files[0] (a.txt): the server answered FILE_TOO_SMALL: A file takes at least 512 bytes. Got 5.',
    );
    await expect(sandbox.seed({ files: [{ path: 'a.txt' }] })).rejects.toThrow(
      'files[0] (a.txt): give its bytes as "from", "base64", "text" or "sizeBytes".',
    );
    await expect(sandbox.seed('no-such-seed.json')).rejects.toThrow(/no-such-seed\.json/);
  });

  it('setClock() and advanceClock() set the time of the server', async () => {
    await sandbox.setClock('2030-01-01T00:00:00.000Z', { isStopped: true });
    const query = { name: 'april', expire: '7d' };
    const { data } = await uploadObject({ ...server(), query, body: { file: file() } });
    expect(data!.response.expires_at).toBe('2030-01-08T00:00:00.000Z');
    const object = { ...server(), query: { object: data!.response.id } };
    expect((await getObjectInfo(object)).response?.status).toBe(200);
    await sandbox.advanceClock(7 * 86_400_000);
    expect((await getObjectInfo(object)).error?.code).toBe('OBJECT_NOT_FOUND');
    await expect(sandbox.setClock('tomorrow')).rejects.toThrow(/"now" must be a time such as/);
  });

  it('failNext() fails the next requests of an operation with a code', async () => {
    await sandbox.failNext({ operation: 'listObjects', code: 'RATE_LIMITED', times: 2, retryAfterSeconds: 7 });
    await sandbox.failNext({ operation: 'listObjects', code: 'LIST_FAILED' });
    const outcomes: unknown[] = [];
    for (let count = 0; count < 4; count++) {
      const { error, response } = await listObjects(server());
      outcomes.push([response?.status, error?.code, response?.headers.get('retry-after')]);
    }
    expect(outcomes).toEqual([
      [429, 'RATE_LIMITED', '7'],
      [429, 'RATE_LIMITED', '7'],
      [400, 'LIST_FAILED', null],
      [200, undefined, null],
    ]);
    await expect(sandbox.failNext({ operation: 'listObjects', code: 'UPLOAD_FAILED' })).rejects.toThrow(
      /listObjects has no error with the code "UPLOAD_FAILED"\. It has INVALID_OBJECT_PREFIX, /,
    );
  });

  it('failNext() cuts the connection before the server acts, or after it', async () => {
    await sandbox.failNext({ operation: 'uploadObject', cut: 'request' });
    await sandbox.failNext({ operation: 'uploadObject', cut: 'response' });
    const upload = (name: string) =>
      fetch(`${sandbox.urls.api}/v1/objects?name=${name}`, {
        method: 'POST',
        headers: { Authorization: sandbox.account().credential },
        body: (() => {
          const form = new FormData();
          form.append('file', file());
          return form;
        })(),
      });
    await expect(upload('unseen')).rejects.toThrow(/fetch failed/);
    await expect(upload('stored')).rejects.toThrow(/fetch failed/);
    expect(await keys()).toEqual(['stored.pdf']);
    expect((await sandbox.received('uploadObject')).map(({ status, isPlanned }) => [status, isPlanned])).toEqual([
      [null, true],
      [null, true],
    ]);
  });

  it('lets the uploader show that it retries', async () => {
    await sandbox.failNext({ operation: 'putChunkedPart', code: 'UPLOAD_FAILED' });
    await sandbox.failNext({ operation: 'putChunkedPart', cut: 'request' });
    const options = { baseUrl: sandbox.urls.api, credential: sandbox.account().credential };
    const uploaded = await uploadFile(file(11 * 1_048_576), {
      ...options,
      singleUpToBytes: 1_048_576,
      chunkSizeBytes: 5 * 1_048_576,
      retry: { firstWaitMs: 5, tries: 4 },
    }).done;
    expect(uploaded.sizeBytes).toBe(11 * 1_048_576);
    expect((await sandbox.received('putChunkedPart')).filter(({ isPlanned }) => isPlanned)).toHaveLength(2);
  });

  it('slowLine() slows requests and bytes', async () => {
    const took = async (work: () => Promise<unknown>) => {
      const begunAt = performance.now();
      await work();
      return performance.now() - begunAt;
    };
    await sandbox.slowLine({ latencyMs: 200 });
    expect(await took(() => keys())).toBeGreaterThanOrEqual(199);
    await sandbox.slowLine({ bytesPerSecond: 40_000 });
    expect(
      await took(() => uploadObject({ ...server(), query: { name: 'a' }, body: { file: file(20_000) } })),
    ).toBeGreaterThan(450);
    await sandbox.slowLine();
    await expect(sandbox.slowLine({ latencyMs: -1 })).rejects.toThrow(/"latencyMs" must be a number from 0/);
  });

  it('received() shows requests without their credentials', async () => {
    await store('april');
    await fetch(`${sandbox.urls.api}/v1/objects`, {
      method: 'DELETE',
      headers: { Authorization: sandbox.account().credential },
      body: JSON.stringify({ object: `pub/${sandbox.account().accountId}/april.pdf` }),
    });
    await fetch(`${sandbox.urls.api}/nothing`);
    const [upload, deletion, nothing] = await sandbox.received();
    expect(upload).toMatchObject({ operation: 'uploadObject', query: 'name=april', status: 200, door: 'api' });
    expect(upload!.bodyBytes).toBeGreaterThan(2000);
    expect(upload!.headers.authorization).toBe(`…${sandbox.account().credential.slice(-4)}`);
    expect(deletion).toMatchObject({ operation: 'deleteObjects', body: { object: expect.stringContaining('april') } });
    expect(nothing).toMatchObject({ operation: null, status: 404 });
  });

  it('is refused to pages, and answers unknown paths with those that there are', async () => {
    const reset = `${sandbox.controlUrl}/reset`;
    expect((await fetch(reset, { method: 'POST', headers: { Origin: 'https://evil.example' } })).status).toBe(403);
    expect(await statusWithHost(reset, 'evil.example')).toBe(403);
    const unknown = await fetch(`${sandbox.controlUrl}/nothing`);
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { status: 'error', message: expect.stringContaining('POST /reset') },
    ]);
    const broken = await fetch(`${sandbox.controlUrl}/failures`, { method: 'POST', body: '{' });
    expect([broken.status, await broken.json()]).toEqual([
      400,
      { status: 'error', message: 'The body must be a JSON object.' },
    ]);
  });
});

function statusWithHost(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const req = request(url, { method: 'POST', headers: { Host: host } }, (res) => {
      res.resume();
      resolve(res.statusCode!);
    });
    req.once('error', reject).end();
  });
}

describe('npx cubby sandbox', () => {
  it('prints its addresses, and stops at a signal', async () => {
    const child = spawn(process.execPath, [cubby, 'sandbox', '--json'], {
      env: programEnv,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const { urls, accounts, differences, controlUrl } = JSON.parse(line);
    expect(differences).toContain('CUBBY_RATE_LIMITS is off (a server without it: on)');
    expect(Object.keys(urls)).toEqual(['api', 'files', 'public', 's3', 'operator']);
    expect(accounts).toHaveLength(5);
    expect((await fetch(`${urls.api}/livez`)).status).toBe(200);
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
    await expect(fetch(controlUrl)).rejects.toThrow(/fetch failed/);
  });

  it('says in what it differs from a server without settings', async () => {
    const child = spawn(process.execPath, [cubby, 'sandbox'], {
      env: programEnv,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    for (const line of sandbox.differences.filter((said) => !/_(DIR|URL) is/.test(said)))
      expect(text).toContain(`\n  ${line}\n`);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it('refuses a port that is none, and passes other commands to the operator', async () => {
    const run = async (...args: string[]) => {
      const child = spawn(process.execPath, [cubby, ...args], { env: programEnv, stdio: ['ignore', 'pipe', 'pipe'] });
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (more: string) => (text += more));
      const [code] = await once(child, 'close');
      return { code, text };
    };
    expect(await run('sandbox', '--port', 'x')).toEqual({
      code: 1,
      text: '--port must be a port from 0 to 65535. Got "x".\n',
    });
    expect((await run('sandbox', '--help')).text).toContain('--control-port');
    expect((await run('help')).text).toContain('account');
  });
});

describe('npx cubby', () => {
  it('starts a server, and stops it at a signal', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cubby-npx-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const ports = Object.fromEntries(['API', 'FILES', 'PUBLIC', 'S3'].map((door) => [`CUBBY_${door}_PORT`, '0']));
    const child = spawn(process.execPath, [cubby], {
      env: { ...programEnv, ...ports, CUBBY_DATA_DIR: folder, CUBBY_LOG: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let told = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
    await expect.poll(() => told, { timeout: 30_000 }).toContain('here is your first account');
    const [, api] = /"(http:\/\/localhost:\d+)\/v1/.exec(told)!;
    expect((await fetch(`${api}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
    await expect(fetch(`${api}/livez`)).rejects.toThrow(/fetch failed/);
  });
});
