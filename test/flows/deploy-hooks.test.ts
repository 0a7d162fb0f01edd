import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createApp } from '#server/features/apps/create-app.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
});
afterAll(() => server.stop());

const repository = 'https://git.invalid/acme/shop.git';
const newApp = async () => (await createApp(server.running.app.stores, { accountId: account.id, name: 'shop' }))!.id;

const manage = (method: string, appId: string, body?: unknown, credential = account.credential) =>
  server.send(`/v2/apps/${appId}/deploy/hook`, {
    method,
    credential,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Creates a hook. Returns its path. */
async function created(appId: string, more: object = {}): Promise<string> {
  const answer = await manage('POST', appId, { repository, ...more });
  expect(answer.status, answer.body.toString()).toBe(200);
  return new URL(answer.json().response.url).pathname;
}

const use = (path: string, body?: unknown) =>
  server.send(path, { method: 'POST', ...(body !== undefined && { body: JSON.stringify(body) }) });
const later = () => server.clock.advance(15_000);

describe('createDeployHook()', () => {
  it('creates an address, and a new one in its place, which ends the former at once', async () => {
    const appId = await newApp();
    const first = await created(appId);
    const second = await created(appId, { branch: 'refs/heads/next', host: 'gitlab' });
    expect(second).not.toBe(first);
    expect((await use(first)).json().code).toBe('DEPLOY_HOOK_NOT_FOUND');
    expect((await use(second)).json().response).toMatchObject({ state: 'pending', branch: 'next' });
    expect((await manage('GET', appId)).json().response).toEqual({
      repository,
      branch: 'next',
      host: 'gitlab',
      created_at: expect.any(String),
      used_at: expect.any(String),
    });
    expect((await manage('DELETE', appId)).json()).toEqual({ status: 'success' });
    later();
    expect((await use(second)).json().code).toBe('DEPLOY_HOOK_NOT_FOUND');
    for (const method of ['GET', 'DELETE'])
      expect((await manage(method, appId)).json().code).toBe('DEPLOY_HOOK_NOT_FOUND');
  });

  it.each([
    'git@git.invalid:acme/shop.git',
    'https://user@git.invalid/shop.git',
    'https://user:password@git.invalid/shop.git',
    'https://git.invalid/shop.git?token=1',
    'https://git.invalid/shop.git#a',
    'ftp://git.invalid/shop.git',
    'shop',
  ])('rejects %s as a repository', async (text) => {
    expect((await manage('POST', await newApp(), { repository: text })).json().code).toBe('INVALID_REPOSITORY');
  });

  it('shows nothing of another account, and stores and logs no address', async () => {
    const appId = await newApp();
    const code = (await created(appId)).split('/').at(-1)!;
    await use(`/v2/deploy/hook/${code}`);
    const stranger = await server.account();
    for (const [method, body] of [['GET'], ['POST', { repository }], ['DELETE']] as const)
      expect((await manage(method, appId, body, stranger.credential)).json().code).toBe('APP_NOT_FOUND');
    const row = await server.running.app.stores.metadata.read.deployHooks.find(appId);
    expect(JSON.stringify(row) + JSON.stringify(server.log)).not.toContain(code);
  });
});

describe('startHookDeploy()', () => {
  it('deploys the newest commit of the branch of the hook without a body, or what the body names', async () => {
    const hook = await created(await newApp());
    const newest = (await use(hook)).json().response;
    expect(newest).toMatchObject({ branch: 'main', commit: '0'.repeat(40), message: null });
    later();
    const commit = 'a'.repeat(40);
    expect((await use(hook, { ref: 'refs/heads/next', commit })).json().response).toMatchObject({
      branch: 'next',
      commit,
    });
    later();
    for (const [body, code] of [
      [{ ref: 'refs/tags/v1' }, 'INVALID_REF'],
      [{ ref: '-x' }, 'INVALID_REF'],
      ...[null, 7, true, [], {}, '', ' ', 'a b', 'a\nb', 'a..b', '\ud83d', 'a'.repeat(1025)].map(
        (ref) => [{ ref }, 'INVALID_REF'] as const,
      ),
      ...[null, 7, true, [], {}, '', 'abc', 'A'.repeat(40), 'a'.repeat(41), `${'a'.repeat(40)}\n`, 'main'].map(
        (wrong) => [{ commit: wrong }, 'INVALID_COMMIT'] as const,
      ),
      [[], 'INVALID_BODY'],
    ] as const)
      expect((await use(hook, body)).json().code).toBe(code);
    expect((await use(hook, {})).status, 'refused uses do not count').toBe(200);
  });

  it('takes one use in 15 seconds, also of parallel ones and after a rotation', async () => {
    const appId = await newApp();
    const hook = await created(appId);
    const answers = await Promise.all(Array.from({ length: 8 }, () => use(hook)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(429)]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.json().code).toBe('KEEP_CALM');
    expect(refused.headers.get('retry-after')).toBe('15');
    expect((await use(await created(appId))).status).toBe(429);
    later();
    expect((await use(await created(appId))).status).toBe(200);
  });
});
