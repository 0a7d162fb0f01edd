import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { cubbyHere } from '#test/cli/cubby.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';
import type { TestAccount } from '#test/support/server.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const rounds = isLong ? 200 : 5;
/** Each takes one push in 15 seconds, so a round needs its own. */
const webhooks = 400;
const parallel = 16;

/** Webhooks of one application each, by their paths. */
async function hooksOf(server: SpawnedServer, account: TestAccount, apps: readonly string[]): Promise<Map<string, string>> {
  const hooks = new Map<string, string>();
  for (const appId of apps) {
    const answer = await fetch(`${server.urls.api}/v2/apps/${appId}/deploy/webhook`, { method: 'POST', headers: { Authorization: account.credential }, body: '{"access_token":"token"}' });
    hooks.set(appId, new URL(((await answer.json()) as { response: { webhook: string } }).response.webhook).pathname);
  }
  return hooks;
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

  it('has every push that it answered 200 exactly once, and answers it 200 again', { timeout: 90_000 + rounds * 12_000 }, async () => {
    first = server = await spawnServer();
    const { dataDir } = first;
    const account = await server.account();
    const cubby = cubbyHere(dataDir);
    const apps: string[] = [];
    for (let count = 0; count < webhooks; count++) apps.push((await cubby.json('app', 'create', '--account', account.id, '--name', `a${count}`)).app_id);
    const hooks = await hooksOf(server, account, apps);
    let answered = 0;
    let inDoubt = 0;
    for (let round = 0; round < rounds; round++) {
      const { api } = server.urls;
      const todo = [...hooks];
      const deliveries = new Map(todo.map(([appId], index) => [appId, deliveryOf('github', 'push', { commit: (round * webhooks + index + 1).toString(16).padStart(40, '0') })]));
      const taken = new Set<string>();
      const push = async () => {
        for (let next = todo.pop(); next; next = todo.pop()) {
          const { headers, body } = deliveries.get(next[0])!;
          const answer = await fetch(api + next[1], { method: 'POST', headers, body }).catch(() => undefined);
          if (!answer) return;
          expect(answer.status).toBe(200);
          taken.add(next[0]);
        }
      };
      const pushing = Promise.all(Array.from({ length: parallel }, push));
      await sleep(20 + randomInt(250));
      await server.kill();
      await pushing;

      server = await spawnServer({ dataDir });
      const stored = storedPushes(dataDir);
      expect(new Set(stored.map(({ app_id: appId }) => appId)).size, `round ${round}: none twice`).toBe(stored.length);
      expect([...taken].filter((appId) => !stored.some(({ app_id: one }) => one === appId)), `round ${round}: none lost`).toEqual([]);
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
    console.log(`${rounds} kills: ${answered} pushes answered 200 are there once each; ${inDoubt} more were stored whose answer was cut off`);
    expect(answered).toBeGreaterThan(rounds * 5);
  });
});
