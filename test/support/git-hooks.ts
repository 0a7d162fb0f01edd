import type { Deployment } from '#generated/types.ts';
import { createApp } from '#server/domain/apps/create-app.ts';
import type { Delivery } from './git-deliveries.ts';
import type { TestAccount, TestAnswer, TestServer } from './server.ts';

/** An application with a webhook. */
export interface Hooked {
  readonly appId: string;
  /** The path of its webhook. */
  readonly hook: string;
}

export interface GitHooks {
  /** Makes an application and its webhook. */
  newHook(options?: { readonly secret?: string }): Promise<Hooked>;
  /** Sets, or removes, an application's webhook. */
  set(appId: string, body: unknown): Promise<TestAnswer>;
  deliver(hooked: Pick<Hooked, 'hook'>, delivery: Delivery): Promise<TestAnswer>;
  /** Newest first. */
  deploysOf(hooked: Pick<Hooked, 'appId'>): Promise<Deployment[]>;
  currentOf(hooked: Pick<Hooked, 'appId'>): Promise<{ readonly webhook: string | null; readonly last: Deployment | null }>;
}

/** What tests of git pushes do with a server, for an account. */
export function gitHooks(server: TestServer, { id: accountId, credential }: TestAccount): GitHooks {
  const get = async (path: string) => (await server.send(path, { credential })).json().response;
  const set: GitHooks['set'] = (appId, body) =>
    server.send(`/v2/apps/${appId}/deploy/webhook`, { method: 'POST', credential, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  return {
    set,
    async newHook({ secret } = {}) {
      const { id: appId } = (await createApp(server.running.app.stores, { accountId, name: 'shop' }))!;
      const answer = await set(appId, { access_token: 'token-of-the-host', ...(secret !== undefined && { secret }) });
      return { appId, hook: new URL(answer.json().response.webhook).pathname };
    },
    deliver: ({ hook }, { headers, body }) => server.send(hook, { method: 'POST', headers, body }),
    deploysOf: async ({ appId }) => (await get(`/v2/apps/${appId}/deployments`)).deployments,
    currentOf: ({ appId }) => get(`/v2/apps/${appId}/deployments/current`),
  };
}
