import { randomInt } from 'node:crypto';

import { expect } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import { createApp } from '#server/features/apps/create-app.ts';
import { openLog } from '#server/log.ts';
import { openStores } from '#server/stores/open.ts';
import { settingsOfOpened } from '#test/support/chosen-store.ts';
import { changeStored, storedRows } from '#test/support/chosen-store.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';
import type { TestAccount } from '#test/support/server.ts';
import { allEnded, clients, type CrashWork } from './crash-work.ts';
import type { SpawnedServer } from './spawned-server.ts';

/**
 * Each webhook accepts one push in 15 seconds, so each round needs new webhooks: one for each answered push and one for
 * each push in flight.
 */
const webhooks = 160;
const parallel = clients(16);

/**
 * The number of answered pushes that is enough. It is a number and not a time, so that as many pushes are in flight on
 * a slow machine.
 */
const killAfter = () => clients(6 + randomInt(60));

/** Delivers pushes to many webhooks. Each push that was answered 200 must be stored once, and be answered 200 again. */
export async function pushWork(server: SpawnedServer, account: TestAccount): Promise<CrashWork> {
  const { dataDir } = server;
  const hooks = await hooksOf(server, account, await appsOf(account, dataDir));
  let pushes = 0;
  let deliveries: Map<string, ReturnType<typeof deliveryOf>>;
  let taken: Set<string>;
  const counts = { answered: 0, inDoubt: 0 };
  const send = ({ urls }: SpawnedServer, appId: string) => {
    const { headers, body } = deliveries.get(appId)!;
    return fetch(urls.api + hooks.get(appId)!, { method: 'POST', headers, body });
  };
  return {
    async begin(current) {
      const deliver = (appId: string) =>
        [appId, deliveryOf('github', 'push', { commit: (++pushes).toString(16).padStart(40, '0') })] as const;
      deliveries = new Map([...hooks.keys()].map(deliver));
      taken = new Set();
      const todo = [...hooks.keys()];
      const enough = Promise.withResolvers<void>();
      const wanted = killAfter();
      const push = async () => {
        for (let next = todo.pop(); next; next = todo.pop()) {
          const answer = await send(current, next).catch(() => undefined);
          if (!answer) return;
          expect(answer.status).toBe(200);
          taken.add(next);
          if (taken.size >= wanted) enough.resolve();
        }
      };
      return { enough: enough.promise, ended: allEnded(Array.from({ length: parallel }, push)) };
    },
    async check(next) {
      const stored = await storedPushes(dataDir);
      const has = new Set(stored);
      const wrong = [...taken].filter((appId) => !has.has(appId)).map((appId) => `${appId} has lost its push`);
      counts.answered += taken.size;
      counts.inDoubt += stored.length - taken.size;
      // A redelivery, automatic or by hand, must not store the push twice.
      for (const appId of [...hooks.keys()].filter((_, index) => index % 32 === 0)) {
        expect((await send(next, appId)).status).toBe(200);
      }
      for (const rows of [stored, await storedPushes(dataDir)]) {
        if (new Set(rows).size !== rows.length) wrong.push('a push is stored twice');
      }
      await clear(dataDir);
      return wrong;
    },
    summary: () =>
      `${counts.answered} acknowledged pushes are there once each, ${counts.inDoubt} more were stored whose ` +
      'answer was cut off',
  };
}

/** Makes applications beside the server, as an operator's command does. Returns their ids. */
async function appsOf(account: TestAccount, dataDir: string): Promise<string[]> {
  const config = parseConfig({ CUBBY_DATA_DIR: dataDir, ...(await settingsOfOpened(dataDir)) });
  const stores = await openStores(config, openLog('silent'), { sync: false });
  try {
    const made = Array.from({ length: webhooks }, (_, count) =>
      createApp(stores, { accountId: account.id, name: `a${count}` }),
    );
    return (await Promise.all(made)).map((app) => app!.id);
  } finally {
    await stores.close();
  }
}

/** Makes webhooks of one application each. Returns their paths. */
async function hooksOf(
  server: SpawnedServer,
  account: TestAccount,
  apps: readonly string[],
): Promise<Map<string, string>> {
  const hookOf = async (appId: string) => {
    const answer = await fetch(`${server.urls.api}/v2/apps/${appId}/deploy/webhook`, {
      method: 'POST',
      headers: { Authorization: account.credential },
      body: '{"access_token":"token"}',
    });
    const { response } = (await answer.json()) as { response: { webhook: string } };
    return [appId, new URL(response.webhook).pathname] as const;
  };
  return new Map(await Promise.all(apps.map(hookOf)));
}

/** Deletes the pushes of earlier rounds, so that no round waits 15 seconds for its webhooks. */
async function clear(dataDir: string): Promise<void> {
  const statements = ['DELETE FROM deploys', 'DELETE FROM git_deliveries', 'UPDATE git_webhooks SET pushed_at = NULL'];
  for (const sql of statements) await changeStored(dataDir, sql);
}

/** Returns the applications of all stored pushes. */
async function storedPushes(dataDir: string): Promise<string[]> {
  const stored = await storedRows(dataDir);
  try {
    return (await stored.all('SELECT app_id FROM deploys ORDER BY sequence')).map(({ app_id: appId }) => String(appId));
  } finally {
    await stored.close();
  }
}
