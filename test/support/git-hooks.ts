import { afterAll, beforeAll } from 'vitest';

import type { Deployment } from '#generated/types.ts';
import { createApp } from '#server/features/apps/create-app.ts';
import type { Delivery } from './git-deliveries.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from './server.ts';

/** An application with a webhook. */
export interface Hooked {
  readonly appId: string;
  /** The path of its webhook. */
  readonly hook: string;
}

export interface GitHooks {
  /** Creates an application and its webhook. */
  newHook(options?: { readonly secret?: string }): Promise<Hooked>;
  /** Sets, or removes, an application's webhook. */
  set(appId: string, body: unknown): Promise<TestAnswer>;
  deliver(hooked: Pick<Hooked, 'hook'>, delivery: Delivery): Promise<TestAnswer>;
  /** Returns the deployments, newest first. */
  deploysOf(hooked: Pick<Hooked, 'appId'>): Promise<Deployment[]>;
  currentOf(
    hooked: Pick<Hooked, 'appId'>,
  ): Promise<{ readonly webhook: string | null; readonly last: Deployment | null }>;
}

/** Returns functions for tests of git pushes to a server, for one account. */
export function gitHooks(server: TestServer, { id: accountId, credential }: TestAccount): GitHooks {
  const get = async (path: string) => (await server.send(path, { credential })).json().response;
  const set: GitHooks['set'] = (appId, body) =>
    server.send(`/v2/apps/${appId}/deploy/webhook`, {
      method: 'POST',
      credential,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
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

/** A server with the webhooks of an account. */
export interface HookedServer extends GitHooks {
  /** Available once the hooks of the file have run. */
  readonly server: TestServer;
  /** Moves the clock, so that the webhook accepts the next push. */
  later(): void;
}

/** Starts a server with an account before the tests of a file, and stops it after them. Call it at the top level. */
export function hookedServer(env: Readonly<Record<string, string>> = {}): HookedServer {
  let server: TestServer;
  let hooks: GitHooks;
  beforeAll(async () => {
    server = await startTestServer({ env });
    hooks = gitHooks(server, await server.account());
  });
  afterAll(() => server.stop());
  return {
    get server() {
      return server;
    },
    newHook: (options) => hooks.newHook(options),
    set: (appId, body) => hooks.set(appId, body),
    deliver: (hooked, delivery) => hooks.deliver(hooked, delivery),
    deploysOf: (hooked) => hooks.deploysOf(hooked),
    currentOf: (hooked) => hooks.currentOf(hooked),
    later: () => server.clock.advance(15_000),
  };
}

/** Returns the body of a response as text. */
export const textOf = (answer: TestAnswer): string => answer.body.toString();
