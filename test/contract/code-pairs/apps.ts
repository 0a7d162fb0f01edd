import { createApp } from '#server/features/apps/create-app.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import type { PairsOf, Provocation } from './provocation.ts';

/** An application, and the account that has it. */
export interface OwnApp {
  readonly account: TestAccount;
  readonly appId: string;
}

export async function ownApp(server: TestServer, account?: TestAccount): Promise<OwnApp> {
  const owner = account ?? (await server.account());
  return {
    account: owner,
    appId: (await createApp(server.running.app.stores, { accountId: owner.id, name: 'shop' }))!.id,
  };
}

export type Ask = (server: TestServer, appId: string, credential?: string) => Promise<TestAnswer>;

const apps: Ask = (server, _appId, credential) =>
  server.send('/v2/apps', credential === undefined ? {} : { credential });

/** Runs with an application and a key of its account. */
export const properly =
  (ask: Ask): Provocation =>
  async ({ server }) => {
    const { account, appId } = await ownApp(server);
    return ask(server, appId, account.credential);
  };

/** The codes that all operations on an application share. */
export function ofApps(ask: Ask, scope: 'apps:read' | 'apps:deploy') {
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
      for (let request = 0; request < 5; request++) await apps(limited, appId, account.credential);
      return ask(limited, appId, account.credential);
    },
  } satisfies Record<string, Provocation>;
}

const { RESOURCE_NOT_ALLOWED: _restricted, APP_NOT_FOUND: _foreign, ...ofLists } = ofApps(apps, 'apps:read');

export const listApps: PairsOf<'listApps'> = {
  ...ofLists,
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { account, appId } = await ownApp(server);
    return faults.unexpected('apps.listOf', () => apps(server, appId, account.credential));
  },
};
