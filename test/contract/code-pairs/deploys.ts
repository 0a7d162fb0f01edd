import { createApp } from '#server/domain/apps/create-app.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import type { PairsOf, Provocation } from './provocation.ts';

interface OwnApp {
  readonly account: TestAccount;
  readonly appId: string;
}

async function ownApp(server: TestServer, account?: TestAccount): Promise<OwnApp> {
  const owner = account ?? (await server.account());
  return {
    account: owner,
    appId: (await createApp(server.running.app.stores, { accountId: owner.id, name: 'shop' }))!.id,
  };
}

type Ask = (server: TestServer, appId: string, credential?: string) => Promise<TestAnswer>;

const setWith =
  (body: string): Ask =>
  (server, appId, credential) =>
    server.send(`/v2/apps/${appId}/deploy/webhook`, {
      method: 'POST',
      body,
      ...(credential !== undefined && { credential }),
    });
const set = setWith('{"access_token": "token", "secret": "secret"}');
const current: Ask = (server, appId, credential) =>
  server.send(`/v2/apps/${appId}/deployments/current`, credential === undefined ? {} : { credential });
const listWith =
  (query: string): Ask =>
  (server, appId, credential) =>
    server.send(`/v2/apps/${appId}/deployments?${query}`, credential === undefined ? {} : { credential });
const list = listWith('');

/** Runs with an application and a key of its account. */
const properly =
  (ask: Ask): Provocation =>
  async ({ server }) => {
    const { account, appId } = await ownApp(server);
    return ask(server, appId, account.credential);
  };

/** The codes that all operations on an application share. */
function ofApps(ask: Ask, scope: 'apps:read' | 'apps:deploy') {
  return {
    ACCESS_DENIED: ({ server }) => ask(server, 'app_1'),
    async MISSING_SCOPE({ server }) {
      const { account, appId } = await ownApp(server);
      return ask(server, appId, await server.key(account, { scopes: ['apps:write', 'blob:read'] }));
    },
    async RESOURCE_NOT_ALLOWED({ server }) {
      const { account, appId } = await ownApp(server);
      const { appId: other } = await ownApp(server, account);
      return ask(server, other, await server.key(account, { scopes: [scope], resources: [appId] }));
    },
    async APP_NOT_FOUND({ server }) {
      const [{ appId }, { account }] = [await ownApp(server), await ownApp(server)];
      return ask(server, appId, account.credential);
    },
    async RATE_LIMITED({ limited }) {
      // Without a plan there are five requests a minute.
      const { account, appId } = await ownApp(limited, await limited.account('none'));
      for (let request = 0; request < 5; request++) await current(limited, appId, account.credential);
      return ask(limited, appId, account.credential);
    },
  } satisfies Record<string, Provocation>;
}

export const setGitWebhook: PairsOf<'setGitWebhook'> = {
  ...ofApps(set, 'apps:deploy'),
  INVALID_BODY: properly(setWith('[]')),
  INVALID_ACCESS_TOKEN: properly(setWith('{"access_token": ""}')),
  INVALID_SECRET: properly(setWith('{"access_token": "token", "secret": ""}')),
  BODY_TOO_LARGE: properly(setWith(' '.repeat(1_048_577))),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { account, appId } = await ownApp(server);
    // The first use of a key is written as well.
    await current(server, appId, account.credential);
    return faults.unexpected('atomically', () => set(server, appId, account.credential));
  },
};

const whileReadsBreak =
  (ask: Ask): Provocation =>
  async ({ server, faults }) => {
    const { account, appId } = await ownApp(server);
    return faults.unexpected('deploys.listOf', () => ask(server, appId, account.credential));
  };

export const getCurrentDeployment: PairsOf<'getCurrentDeployment'> = {
  ...ofApps(current, 'apps:read'),
  INTERNAL_SERVER_ERROR: whileReadsBreak(current),
};

export const listDeployments: PairsOf<'listDeployments'> = {
  ...ofApps(list, 'apps:read'),
  INVALID_LIMIT: properly(listWith('limit=101')),
  INVALID_CONTINUATION_TOKEN: properly(listWith('cursor=made-up')),
  INTERNAL_SERVER_ERROR: whileReadsBreak(list),
};

/** The path of a new webhook. */
async function newHook(server: TestServer): Promise<string> {
  const { account, appId } = await ownApp(server);
  return new URL((await set(server, appId, account.credential)).json().response.webhook).pathname;
}

const push = (server: TestServer, hook: string, secret = 'secret', commit = 'a'.repeat(40)) =>
  server.send(hook, { method: 'POST', ...deliveryOf('github', 'push', { secret, commit }) });

export const receiveGitPush: PairsOf<'receiveGitPush'> = {
  async INVALID_PAYLOAD({ server }) {
    const hook = await newHook(server);
    return server.send(hook, {
      method: 'POST',
      ...deliveryOf('github', 'push', { secret: 'secret', commit: 'no commit' }),
    });
  },
  INVALID_SIGNATURE: async ({ server }) => push(server, await newHook(server), 'another'),
  WEBHOOK_NOT_FOUND: ({ server }) => push(server, '/v2/git/webhook/made-up'),
  BODY_TOO_LARGE: async ({ server }) =>
    server.send(await newHook(server), { method: 'POST', body: ' '.repeat(3_145_729) }),
  async KEEP_CALM({ server }) {
    const hook = await newHook(server);
    await push(server, hook);
    return push(server, hook, 'secret', 'b'.repeat(40));
  },
  async DEPLOY_QUEUE_UNAVAILABLE({ server, faults }) {
    const hook = await newHook(server);
    return faults.unavailable('atomically', () => push(server, hook));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const hook = await newHook(server);
    return faults.unexpected('atomically', () => push(server, hook));
  },
};
