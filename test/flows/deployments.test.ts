import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Deployment } from '#generated/types.ts';
import { createApp } from '#server/features/apps/create-app.ts';
import type { Deploy } from '#server/features/deploys/deploy.ts';
import { endDeploy } from '#server/features/deploys/end-deploy.ts';
import { takeDeploy } from '#server/features/deploys/take-deploy.ts';
import { after, before, deliveryOf } from '#test/support/git-deliveries.ts';
import { gitHooks, type GitHooks } from '#test/support/git-hooks.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

const secret = 'a secret of the host';
const other = 'b'.repeat(40);

let server: TestServer;
let account: TestAccount;
let newHook: GitHooks['newHook'];
let set: GitHooks['set'];
let deliver: GitHooks['deliver'];
let currentOf: GitHooks['currentOf'];
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
  ({ newHook, set, deliver, currentOf } = gitHooks(server, account));
});
afterAll(() => server.stop());

/** Advances the clock, so that the next push is accepted. */
const later = () => server.clock.advance(15_000);

describe('listApps()', () => {
  it('lists the applications of the account, the built-in one first, and those of no other', async () => {
    const owner = await server.account();
    await server.account();
    const made = await createApp(server.running.app.stores, { accountId: owner.id, name: '<b>Shop</b>' });
    const { apps } = (await server.send('/v2/apps', { credential: owner.credential })).json().response;
    expect(apps).toEqual([
      expect.objectContaining({ id: `app_${owner.id}`, built_in: true }),
      { id: made!.id, name: '<b>Shop</b>', created_at: expect.any(String), built_in: false },
    ]);
  });

  it('lists for a restricted key only the applications that it may use', async () => {
    const owner = await server.account();
    const made = await createApp(server.running.app.stores, { accountId: owner.id, name: 'Shop' });
    const credential = await server.key(owner, { scopes: ['apps:read'], resources: [made!.id] });
    const { apps } = (await server.send('/v2/apps', { credential })).json().response;
    expect(apps.map(({ id }: { id: string }) => id)).toEqual([made!.id]);
    const another = await server.key(owner, { scopes: ['apps:read'], resources: ['app_4x7k2m9q3v8n6tbw'] });
    expect((await server.send('/v2/apps', { credential: another })).json().response).toEqual({ apps: [] });
  });
});

describe('setGitWebhook()', () => {
  it('returns the same address again, and replaces the secret, also by none', async () => {
    const hooked = await newHook({ secret });
    const signed = (change: Parameters<typeof deliveryOf>[2]) =>
      deliver(hooked, deliveryOf('github', 'push', { commit: other, ...change }));
    const again = await set(hooked.appId, { access_token: 'x', secret: 'new' });
    expect(new URL(again.json().response.webhook).pathname).toBe(hooked.hook);
    expect((await signed({ secret })).status).toBe(401);
    expect((await signed({ secret: 'new' })).status).toBe(200);
    await set(hooked.appId, { access_token: 'x' });
    later();
    expect((await signed({ commit: before })).status).toBe(200);
  });

  it('removes the webhook with @, once and again, and makes a new address afterwards', async () => {
    const hooked = await newHook();
    for (let round = 0; round < 2; round++)
      expect((await set(hooked.appId, { access_token: '@' })).json()).toEqual({ status: 'success' });
    expect((await deliver(hooked, deliveryOf('github'))).status).toBe(404);
    expect((await currentOf(hooked)).webhook).toBeNull();
    const anew = (await set(hooked.appId, { access_token: 'x' })).json().response.webhook;
    expect(anew).not.toContain(hooked.hook);
  });

  it('stores token, secret and address so that they are readable neither in the database nor in the log', async () => {
    const hooked = await newHook({ secret: 'hidden-secret-9' });
    await set(hooked.appId, { access_token: 'hidden-token-8', secret: 'hidden-secret-9' });
    const row = await server.running.app.stores.metadata.read.gitWebhooks.find(hooked.appId);
    const kept = JSON.stringify(row) + Buffer.from(row!.codeHash).toString('latin1') + JSON.stringify(server.log);
    for (const text of ['hidden-token-8', 'hidden-secret-9', hooked.hook.split('/').at(-1)!])
      expect(kept).not.toContain(text);
    const { secrets } = server.running.app.stores;
    expect(secrets.unseal('git-access-token', row!.sealedToken, hooked.appId)).toBe('hidden-token-8');
    expect(secrets.unseal('git-access-token', row!.sealedToken, 'app_another')).toBeUndefined();
    expect(secrets.unseal('git-webhook-secret', row!.sealedToken, hooked.appId)).toBeUndefined();
  });
});

describe('getCurrentDeployment()', () => {
  it('returns the webhook and the newest deploy, and every change of them at once', async () => {
    const hooked = await newHook();
    const { webhook, last } = await currentOf(hooked);
    expect([new URL(webhook!).pathname, last]).toEqual([hooked.hook, null]);
    await deliver(hooked, deliveryOf('github'));
    expect((await currentOf(hooked)).last).toMatchObject({ state: 'pending', commit: after });
    later();
    await deliver(hooked, deliveryOf('github', 'push', { commit: other }));
    expect((await currentOf(hooked)).last).toMatchObject({ commit: other });
    await set(hooked.appId, { access_token: '@' });
    expect(await currentOf(hooked)).toMatchObject({ webhook: null, last: { commit: other, state: 'pending' } });
    const { stores } = server.running.app;
    // Pushes of other tests are in the queue too.
    const taken: Deploy[] = [];
    for (let next = (await takeDeploy(stores)).deploy; next; next = (await takeDeploy(stores)).deploy) taken.push(next);
    expect((await currentOf(hooked)).last).toMatchObject({ state: 'running' });
    for (const deploy of taken) await endDeploy(stores, deploy, 'success');
    expect((await currentOf(hooked)).last).toMatchObject({ state: 'success' });
  });
});

describe('listDeployments()', () => {
  it('returns page after page, newest first, without gaps or duplicates', async () => {
    const hooked = await newHook();
    for (let index = 0; index < 7; index++) {
      await deliver(hooked, deliveryOf('github', 'push', { branch: `b${index}` }));
      later();
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query: string = cursor === undefined ? 'limit=3' : `limit=3&cursor=${encodeURIComponent(cursor)}`;
      const page = (
        await server.send(`/v2/apps/${hooked.appId}/deployments?${query}`, { credential: account.credential })
      ).json().response;
      seen.push(...page.deployments.map(({ branch }: Deployment) => branch));
      cursor = page.continuationToken;
    } while (cursor !== undefined);
    expect(seen).toEqual(['b6', 'b5', 'b4', 'b3', 'b2', 'b1', 'b0']);
  });
});
