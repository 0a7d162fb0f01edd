import { setTimeout } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { startDelayingProxy } from '#test/support/delaying-proxy.ts';
import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { fileBlobs, postgresRows } from '#test/support/stored.ts';
import { startReplicas } from './replicas.ts';
import { expectOrder } from './stored-state.ts';

const missing = noPostgres();

/** How long the accounts of a killed replica may wait, besides the work itself. */
const leaseMs = 5_000;

describe.skipIf(missing)(`a job that replicas share out by account${missing ? ` (skipped: ${missing})` : ''}`, () => {
  it('is taken over within the lease when a replica is killed half way, and each file is deleted once', async () => {
    const database = await freshDatabase(migrated);
    onTestFinished(() => database.drop());
    const link = await startDelayingProxy({ port: Number(new URL(database.url).port) });
    onTestFinished(() => link.close());
    const through = new URL(database.url);
    through.port = String(link.port);
    const replicas = await startReplicas({ databaseUrls: [through.href, database.url] });
    onTestFinished(() => replicas.close());
    const other = replicas.at(1);
    const rows = 400;
    for (let at = 0; at < 4; at++) {
      const { id: accountId } = await other.account();
      await other.fill({ accountId, rows, folders: 0, prefix: 'expired/', expiredMs: 60_000 });
    }
    const count = async (sql: string) => {
      const stored = await postgresRows(database.url);
      return stored
        .all(`SELECT count(*) AS count FROM ${sql}`)
        .then(([row]) => Number(row!.count))
        .finally(() => stored.close());
    };
    const deletions = () => count("activity WHERE type = 'object.deleted'");
    link.delay(20);
    replicas
      .at(0)
      .runJob('delete-expired')
      .catch(() => {});
    await expect.poll(deletions, { timeout: 30_000, interval: 20 }).toBeGreaterThan(0);
    // Stopped first, where it has accounts, until what it sent last has come through the delay.
    const { pid } = replicas.at(0);
    for (;;) {
      process.kill(pid, 'SIGSTOP');
      await setTimeout(200);
      if ((await count('account_leases')) > 0) break;
      expect(await deletions()).toBeLessThan(4 * rows);
      process.kill(pid, 'SIGCONT');
      await setTimeout(20);
    }
    const doneBefore = await deletions();
    expect(doneBefore).toBeLessThan(4 * rows);
    process.kill(pid, 'SIGKILL');
    const killedAt = performance.now();
    // Nobody runs the job: the other replica begins by itself.
    await expect.poll(deletions, { timeout: 30_000, interval: 20 }).toBeGreaterThan(doneBefore);
    const waitedMs = performance.now() - killedAt;
    console.log(`${doneBefore} of ${4 * rows} were deleted; the other replica began after ${Math.round(waitedMs)} ms`);
    expect(waitedMs).toBeLessThan(leaseMs + 500);
    await expect.poll(() => count('objects'), { timeout: 30_000 }).toBe(0);
    expect(await deletions()).toBe(4 * rows);
    await expect.poll(() => count('account_leases')).toBe(0);
    await expectOrder(database.url, fileBlobs(replicas.dataDir));
  });
});
