import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { dayMs } from '#server/domain/day.ts';
import { removeAccounts } from '#server/domain/jobs/remove-accounts.ts';
import { accountEmptiers } from '#server/feature-parts.ts';
import { deleteByRule } from '#server/features/files/deletion/delete-by-rule.ts';
import { deleteExpired } from '#server/features/files/deletion/delete-expired.ts';
import { storeAll } from '#test/features/files/stored.ts';
import { ruleWith, saveRules } from '#test/features/rules/rules.ts';
import type { EdgeErrorCount } from '#server/features/edge-errors/edge-error.ts';
import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase, type TestDatabase } from '#test/support/postgres/postgres.ts';
import { isOnBucket } from '#test/support/chosen-store.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { startCountingProxy, type CountingProxy } from './counting-proxy.ts';

/** What a request costs in round trips to the database. A network multiplies each by its delay. */
describe.skipIf(noPostgres())(`round trips to PostgreSQL${because(noPostgres())}`, () => {
  let database: TestDatabase;
  let proxy: CountingProxy;
  let server: TestServer;
  let account: TestAccount;
  let dataDir: string;

  beforeAll(async () => {
    database = await freshDatabase(migrated);
    const url = new URL(database.url);
    proxy = await startCountingProxy(Number(url.port));
    url.port = String(proxy.port);
    dataDir = await mkdtemp(join(tmpdir(), 'cubby-round-trips-'));
    server = await startTestServer({ dataDir, rateLimits: true, env: { CUBBY_DATABASE_URL: url.href } });
    account = await server.account();
  });
  afterAll(async () => {
    await server.stop();
    await proxy.close();
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  /**
   * Returns the least of several rounds: connections are opened and jobs run meanwhile. Eight rounds show what is the
   * rule. More follow only while none took as few as `expected`: on a busy machine a request may take so long that the
   * look for webhooks, which begins with its commit, counts in each of eight. What a response has left to do in the
   * background is waited for, so that it does not count for the next one.
   */
  async function least(expected: number, request: (round: number) => Promise<unknown>): Promise<number> {
    let fewest = Infinity;
    for (let round = 0; round < 8 || (fewest > expected && round < 400); round++) {
      await quiet();
      await request(round);
      fewest = Math.min(fewest, proxy.take());
    }
    return fewest;
  }

  /** Waits until nothing is asked of the database for a while. A job that runs on and on does not keep it waiting. */
  async function quiet(): Promise<void> {
    let look = 0;
    do await sleep(20);
    while (proxy.take() > 0 && ++look < 20);
  }

  async function upload(name: string, bytes: number): Promise<void> {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(bytes).fill(7)]), `${name}.bin`);
    const { status } = await server.send(`/v1/objects?name=${name}`, {
      method: 'POST',
      credential: account.credential,
      body,
    });
    expect(status).toBe(200);
  }

  async function chat(): Promise<void> {
    const { status } = await server.send('/v2/ai/chat/completions', {
      method: 'POST',
      credential: account.credential,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect(status).toBe(200);
  }

  it('are few for the hot requests', async () => {
    await upload('warm', 4096);
    // Two statements that travel together when the bytes are here go apart while a bucket takes them.
    const expected = {
      smallUpload: 4,
      // They travel together if the disk has taken the bytes in time, which a busy one rarely does.
      largeUpload: isOnBucket ? 10 : 9,
      publicDownload: 1,
      chatCompletion: 4,
      list: 3,
    };
    const requests: Readonly<Record<keyof typeof expected, (round: number) => Promise<unknown>>> = {
      smallUpload: (round) => upload(`small-${round}`, 4096),
      largeUpload: (round) => upload(`large-${round}`, 1_000_000),
      publicDownload: () => server.send(`/${account.id}/warm.bin`, { door: 'public' }),
      chatCompletion: chat,
      list: () => server.send('/v1/objects', { credential: account.credential }),
    };
    const found: Partial<Record<keyof typeof expected, number>> = {};
    for (const name of Object.keys(expected) as Array<keyof typeof expected>)
      found[name] = await least(expected[name], requests[name]);
    expect(found).toEqual(expected);
  });

  it('are one for expiry and for the removal of accounts if nothing is due, however much is stored', async () => {
    const { stores } = server.running.app;
    const now = Date.now();
    await storeAll(
      stores,
      Array.from({ length: 300 }, (_, at) => ({ accountId: account.id, key: `later/${at}`, expiresAt: now + dayMs })),
    );
    const found = {
      expiry: await least(1, () => deleteExpired(stores, now)),
      removal: await least(1, () => removeAccounts({ ...stores, accountEmptiers }, now)),
    };
    expect(found).toEqual({ expiry: 1, removal: 1 });
  });

  it('are as many for five rules that match nothing as for one, however much is stored', async () => {
    const { stores } = server.running.app;
    const { id } = await server.account();
    const now = Date.now();
    await storeAll(
      stores,
      Array.from({ length: 2_500 }, (_, at) => ({ accountId: id, key: `kept/${at}`, createdAt: now - 100 * dayMs })),
    );
    const save = (count: number) =>
      saveRules(
        stores,
        id,
        ...Array.from({ length: count }, (_, at) =>
          ruleWith({ prefix: `logs-${at}/`, createdAt: now - 2 * dayMs, deleteAfterDays: 30 }),
        ),
      );
    const found: Record<string, number> = {};
    for (const rules of [1, 5]) {
      await save(rules);
      // Each day reads all old files once.
      found[`${rules} at the first run of a day`] = await least(6, (round) =>
        deleteByRule(stores, now + round * dayMs),
      );
      const later = now + 500 * dayMs;
      await deleteByRule(stores, later);
      found[`${rules} at the others`] = await least(4, () => deleteByRule(stores, later + 60_000));
    }
    // The accounts, the rules, how far each was swept, the files; and a transaction that notes it.
    expect(found).toEqual({
      '1 at the first run of a day': 6,
      '5 at the first run of a day': 6,
      '1 at the others': 4,
      '5 at the others': 4,
    });
    expect(await stores.metadata.read.accounts.find(id)).toMatchObject({ usedObjects: 2_500 });
  });

  it('are one for a batch of errors at the edge, and two with new paths', async () => {
    const { metadata } = server.running.app.stores;
    const app = { id: 'app_roundtrips', accountId: account.id, name: 'web', createdAt: 1, isBuiltIn: false };
    await metadata.atomically((tx) => tx.apps.add(app));
    const at = 1_776_763_800_000;
    // 200 kinds of errors, in 60 seconds of two days.
    const batch = (prefix: string): EdgeErrorCount[] =>
      Array.from({ length: 200 }, (_, index) => ({
        at: at + (index % 60) * 1000 + (index % 2) * 86_400_000,
        status: 404,
        method: 'GET',
        path: `/${prefix}/${index % 100}`,
        count: 1,
      }));
    const add = (prefix: string) => metadata.atomically((tx) => tx.edgeErrors.add(app.id, batch(prefix)));
    const nothing = await least(2, () => metadata.atomically((tx) => tx.apps.find(app.id)));
    await add('known');
    const found = {
      known: (await least(nothing + 1, () => add('known'))) - nothing,
      added: (await least(nothing + 2, (round) => add(`added-${round}`))) - nothing,
    };
    // Besides the begin, with which that look-up travels, and the commit.
    expect(found).toEqual({ known: 1, added: 2 });
  });
});
