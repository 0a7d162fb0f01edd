import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import { createApp } from '#server/domain/apps/create-app.ts';
import { openLog } from '#server/log.ts';
import { openStores } from '#server/stores/open.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';
import type { TestAccount } from '#test/support/server.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const rounds = isLong ? 200 : 5;
/** Each takes one push in 15 seconds, so a round needs its own. */
const webhooks = 400;
const parallel = 16;

/** Makes applications beside the server, as an operator's command does; answers their ids. */
async function appsOf(account: TestAccount, dataDir: string): Promise<string[]> {
  const stores = await openStores(parseConfig({ CUBBY_DATA_DIR: dataDir }), openLog('silent'), { sync: false });
  try {
    const made = Array.from({ length: webhooks }, (_, count) =>
      createApp(stores, { accountId: account.id, name: `a${count}` }),
    );
    return (await Promise.all(made)).map((app) => app!.id);
  } finally {
    await stores.close();
  }
}

/** Webhooks of one application each, by their paths. */
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
    return [
      appId,
      new URL(((await answer.json()) as { response: { webhook: string } }).response.webhook).pathname,
    ] as const;
  };
  return new Map(await Promise.all(apps.map(hookOf)));
}

/** Forgets the pushes of the rounds before, so that no round waits 15 seconds for its webhooks. */
function clear(dataDir: string): void {
  const db = new DatabaseSync(join(dataDir, 'cubby.db'));
  db.exec('DELETE FROM deploys; DELETE FROM git_deliveries; UPDATE git_webhooks SET pushed_at = NULL');
  db.close();
}

interface StoredPush {
  readonly app_id: string;
  readonly commit_id: string;
}

function storedPushes(dataDir: string): StoredPush[] {
  const db = new DatabaseSync(join(dataDir, 'cubby.db'), { readOnly: true });
  const rows = db.prepare('SELECT app_id, commit_id FROM deploys ORDER BY sequence').all() as unknown as StoredPush[];
  db.close();
  return rows;
}

describe(`a server that is killed during pushes to many webhooks (${rounds} rounds)`, () => {
  let first: SpawnedServer | undefined;
  let server: SpawnedServer | undefined;
  afterAll(async () => {
    await server?.kill();
    await first?.remove();
  });

  it(
    'has every push that it answered 200 exactly once, and answers it 200 again',
    { timeout: 90_000 + rounds * 12_000 },
    async () => {
      first = server = await spawnServer();
      const { dataDir } = first;
      const account = await server.account();
      const hooks = await hooksOf(server, account, await appsOf(account, dataDir));
      let answered = 0;
      let inDoubt = 0;
      for (let round = 0; round < rounds; round++) {
        const { api } = server.urls;
        const todo = [...hooks];
        const deliveries = new Map(
          todo.map(([appId], index) => [
            appId,
            deliveryOf('github', 'push', { commit: (round * webhooks + index + 1).toString(16).padStart(40, '0') }),
          ]),
        );
        const taken = new Set<string>();
        const enough = Promise.withResolvers<void>();
        const killAfter = 6 + randomInt(60);
        const push = async () => {
          for (let next = todo.pop(); next; next = todo.pop()) {
            const { headers, body } = deliveries.get(next[0])!;
            const answer = await fetch(api + next[1], { method: 'POST', headers, body }).catch(() => undefined);
            if (!answer) return;
            expect(answer.status).toBe(200);
            taken.add(next[0]);
            if (taken.size >= killAfter) enough.resolve();
          }
        };
        const pushing = Promise.all(Array.from({ length: parallel }, push));
        // After a number and not after a time, so that as much is under way on a slow machine.
        await Promise.race([enough.promise, pushing]);
        await sleep(randomInt(20));
        await server.kill();
        await pushing;

        server = await spawnServer({ dataDir });
        const stored = storedPushes(dataDir);
        expect(new Set(stored.map(({ app_id: appId }) => appId)).size, `round ${round}: none twice`).toBe(
          stored.length,
        );
        expect(
          [...taken].filter((appId) => !stored.some(({ app_id: one }) => one === appId)),
          `round ${round}: none lost`,
        ).toEqual([]);
        answered += taken.size;
        inDoubt += stored.length - taken.size;
        // What its host delivers again, because it got no answer or by somebody's hand, is there once all the same.
        for (const [appId, hook] of [...hooks].filter((_, index) => index % 20 === 0)) {
          const { headers, body } = deliveries.get(appId)!;
          expect((await fetch(server.urls.api + hook, { method: 'POST', headers, body })).status).toBe(200);
        }
        const again = storedPushes(dataDir);
        expect(new Set(again.map(({ app_id: appId }) => appId)).size).toBe(again.length);
        clear(dataDir);
      }
      console.log(
        `${rounds} kills: ${answered} pushes answered 200 are there once each; ${inDoubt} more were stored whose answer was cut off`,
      );
      expect(answered).toBeGreaterThan(rounds * 5);
    },
  );
});
