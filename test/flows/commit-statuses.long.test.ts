import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { endDeploy } from '#server/features/deploys/end-deploy.ts';
import { statusRequest, type StatusToken } from '#server/features/deploys/commit-status.ts';
import { takeDeploy } from '#server/features/deploys/take-deploy.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';
import { gitHooks, type GitHooks, type Hooked } from '#test/support/git-hooks.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let account: TestAccount;
let hooks: GitHooks;
beforeAll(async () => {
  server = await startTestServer({ env: { CUBBY_WEBHOOK_ALLOW_PRIVATE: 'on' } });
  account = await server.account();
  hooks = gitHooks(server, account);
});
afterAll(() => server.stop());

interface Report {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** A git host that takes reports, or answers as it is told. */
async function fakeHost(answer: (res: ServerResponse, count: number) => void = (res) => res.writeHead(201).end('{}')) {
  const reports: Report[] = [];
  const host = createServer((req, res) => {
    let text = '';
    req.on('data', (piece) => (text += piece));
    req.on('end', () => {
      reports.push({ method: req.method!, path: req.url!, headers: req.headers, body: JSON.parse(text) });
      answer(res, reports.length);
    });
  });
  await new Promise<void>((ready) => host.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    host.closeAllConnections();
    host.close();
  });
  return { origin: `http://127.0.0.1:${(host.address() as AddressInfo).port}`, reports };
}

const ask = (method: string, { appId }: Pick<Hooked, 'appId'>, body?: unknown, credential = account.credential) =>
  server.send(`/v2/apps/${appId}/deploy/status`, {
    method,
    credential,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function reporting(origin: string, more: object = {}): Promise<Hooked> {
  const hooked = await hooks.newHook();
  const answer = await ask('PUT', hooked, { access_token: 'status-token-7', origin, ...more });
  expect(answer.status, answer.body.toString()).toBe(200);
  return hooked;
}

const push = async (hooked: Hooked, repository: string) => {
  expect((await hooks.deliver(hooked, deliveryOf('github', 'push', { repository }))).status).toBe(200);
  server.clock.advance(15_000);
};

async function runAll(outcome: 'success' | 'failure'): Promise<void> {
  const { stores } = server.running.app;
  for (let next = await takeDeploy(stores); next.deploy; next = await takeDeploy(stores))
    await endDeploy(stores, next.deploy, outcome);
}

const wait = { timeout: 15_000, interval: 50 };

describe('replaceCommitStatus()', () => {
  it('stores the settings without ever showing the token, for the owner alone', async () => {
    const hooked = await reporting('https://github.com', { target_url: 'https://shop.invalid/{deploy_id}' });
    const shown = {
      origin: 'https://github.com',
      host: 'github',
      context: 'cubby',
      target_url: 'https://shop.invalid/{deploy_id}',
      sent_at: null,
      error: null,
    };
    expect((await ask('GET', hooked)).json().response).toEqual(shown);
    const row = await server.running.app.stores.metadata.read.commitStatuses.tokenOf(hooked.appId);
    expect(JSON.stringify(row) + JSON.stringify(server.log)).not.toContain('status-token-7');
    const stranger = await server.account();
    for (const [method, body] of [['GET'], ['PUT', { access_token: 'x', origin: 'https://a.b' }], ['DELETE']] as const)
      expect((await ask(method, hooked, body, stranger.credential)).json().code).toBe('APP_NOT_FOUND');
    expect((await ask('DELETE', hooked)).json()).toEqual({ status: 'success' });
    for (const method of ['GET', 'DELETE'])
      expect((await ask(method, hooked)).json().code).toBe('COMMIT_STATUS_NOT_FOUND');
  });

  it('refuses private origins unless the operator allows them', async () => {
    const strict = await startTestServer();
    const owner = await strict.account();
    const { appId } = await gitHooks(strict, owner).newHook();
    for (const origin of ['http://127.0.0.1', 'http://10.0.0.1:8080', 'http://[::1]', 'http://localhost:3000']) {
      const body = JSON.stringify({ access_token: 'x', origin });
      const path = `/v2/apps/${appId}/deploy/status`;
      const answer = await strict.send(path, { method: 'PUT', credential: owner.credential, body });
      expect(answer.json().code, origin).toBe('INVALID_STATUS_ORIGIN');
    }
  });
});

describe('reports of deploys', () => {
  it.each([
    ['github', '/api/v3/repos/acme/shop/statuses/', 'authorization', 'Bearer status-token-7', 'context', 'success'],
    ['gitlab', '/api/v4/projects/acme%2Fshop/statuses/', 'private-token', 'status-token-7', 'name', 'success'],
    ['gitea', '/api/v1/repos/acme/shop/statuses/', 'authorization', 'token status-token-7', 'context', 'success'],
    ['forgejo', '/api/v1/repos/acme/shop/statuses/', 'authorization', 'token status-token-7', 'context', 'success'],
  ])('reach %s in the form of its API', async (host, path, header, value, name, state) => {
    const fake = await fakeHost();
    const hooked = await reporting(fake.origin, {
      host,
      context: 'deploy',
      target_url: 'https://shop.invalid/{deploy_id}',
    });
    await push(hooked, `${fake.origin}/acme/shop.git`);
    await expect.poll(() => fake.reports.length, wait).toBe(1);
    await runAll('success');
    await expect.poll(() => fake.reports.at(-1)?.body.state, wait).toBe(state);
    const [deploy] = await hooks.deploysOf(hooked);
    for (const report of fake.reports) {
      expect([report.method, report.path]).toEqual(['POST', `${path}${deploy!.commit}`]);
      expect(report.headers[header]).toBe(value);
      expect(report.headers['content-type']).toBe('application/json');
      expect(report.body).toMatchObject({ [name]: 'deploy', target_url: `https://shop.invalid/${deploy!.id}` });
    }
    expect(fake.reports[0]!.body.state).toBe('pending');
    await expect.poll(async () => (await ask('GET', hooked)).json().response.error, wait).toBeNull();
  });

  it('say that a deploy has failed', async () => {
    const fake = await fakeHost();
    const hooked = await reporting(fake.origin);
    await push(hooked, `${fake.origin}/acme/shop.git`);
    await runAll('failure');
    await expect.poll(() => fake.reports.at(-1)?.body.state, wait).toBe('failure');
  });

  it('send the token to no other origin', async () => {
    const [fake, other] = [await fakeHost(), await fakeHost()];
    const hooked = await reporting(fake.origin);
    await push(hooked, `${other.origin}/acme/shop.git`);
    await push(hooked, `${fake.origin}/acme/shop.git`);
    await expect.poll(() => fake.reports.length, wait).toBe(1);
    expect(other.reports).toEqual([]);
  });

  it('are tried again after a failure, and show why it failed', async () => {
    const fake = await fakeHost((res, count) => res.writeHead(count === 1 ? 500 : 201).end());
    const hooked = await reporting(fake.origin);
    await push(hooked, `${fake.origin}/acme/shop.git`);
    await expect
      .poll(async () => (await ask('GET', hooked)).json().response.error, wait)
      .toBe('The endpoint answered 500.');
    server.clock.advance(5_000);
    await expect.poll(async () => (await ask('GET', hooked)).json().response.error, wait).toBeNull();
    expect(fake.reports.map(({ body }) => body.state)).toEqual(['pending', 'pending']);
  });

  it('end at a status that would come again, and follow no redirect', async () => {
    const elsewhere = await fakeHost();
    for (const [status, words] of [
      [401, /answered 401/],
      [302, /a redirect, which is not followed/],
    ] as const) {
      const fake = await fakeHost((res) => res.writeHead(status, { location: elsewhere.origin }).end());
      const hooked = await reporting(fake.origin);
      await push(hooked, `${fake.origin}/acme/shop.git`);
      await expect.poll(async () => (await ask('GET', hooked)).json().response.error, wait).toMatch(words);
      if (status !== 401) continue;
      const { read } = server.running.app.stores.metadata;
      expect(await read.commitStatuses.dueOrigins('', Number.MAX_SAFE_INTEGER, 100)).not.toContain(fake.origin);
    }
    expect(elsewhere.reports).toEqual([]);
  });

  it('of one application are not held up by those of another that the host rejects', async () => {
    const fake = await fakeHost((res, count) => res.writeHead(count <= 8 ? 404 : 201).end('{}'));
    const [wrong, right] = [await reporting(fake.origin), await reporting(fake.origin)];
    for (let round = 0; round < 8; round++) await push(wrong, `${fake.origin}/acme/missing.git`);
    await push(right, `${fake.origin}/acme/shop.git`);
    await expect.poll(() => fake.reports.some(({ path }) => path.includes('/shop/')), wait).toBe(true);
  });

  it('of other hosts are not held up by a dead one', async () => {
    const dead = await fakeHost(() => {});
    const fake = await fakeHost();
    for (let app = 0; app < 5; app++) await push(await reporting(dead.origin), `${dead.origin}/acme/shop.git`);
    await push(await reporting(fake.origin), `${fake.origin}/acme/shop.git`);
    await expect.poll(() => fake.reports.length, { ...wait, timeout: 8000 }).toBe(1);
    expect(dead.reports.length).toBeLessThanOrEqual(2);
  });
});

describe('statusRequest()', () => {
  const token: StatusToken = {
    appId: 'app_1',
    sealedToken: '',
    origin: 'https://github.com',
    host: 'github',
    context: 'cubby',
    targetUrl: null,
    sentAt: null,
    error: null,
  };
  const deploy = { id: 'dep_1', commit: 'a'.repeat(40), branch: 'main' };

  it('asks the API of github.com at its own host', () => {
    const { url } = statusRequest(token, { ...deploy, repository: 'https://github.com/acme/shop.git' }, 'error', 't')!;
    expect(url).toBe(`https://api.github.com/repos/acme/shop/statuses/${deploy.commit}`);
  });

  it.each([
    'https://github.com/',
    'https://github.com/acme',
    'https://github.com/a/b/c',
    'https://github.com/a/..%2fb',
  ])('makes none for %s', (repository) => {
    expect(statusRequest(token, { ...deploy, repository }, 'error', 't')).toBeUndefined();
  });

  it.each([
    ['superseded', 'error', 'canceled'],
    ['cancelled', 'error', 'canceled'],
    ['running', 'pending', 'running'],
    ['error', 'failure', 'failed'],
  ] as const)('reports %s as %s, and to GitLab as %s', (state, elsewhere, gitlab) => {
    const stateOf = (host: 'gitea' | 'gitlab') => {
      const named = { ...deploy, repository: 'https://github.com/a/b.git' };
      return JSON.parse(statusRequest({ ...token, host }, named, state, 't')!.body).state;
    };
    expect([stateOf('gitea'), stateOf('gitlab')]).toEqual([elsewhere, gitlab]);
  });
});
