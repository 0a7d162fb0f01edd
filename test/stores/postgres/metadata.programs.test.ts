import { describe, expect, it, onTestFinished } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import { together } from '#server/domain/in-sets.ts';
import { MetadataUnavailable, type Transaction } from '#server/domain/ports/metadata.ts';
import { PostgresMetadata } from '#server/stores/postgres/metadata.ts';
import { PostgresPool } from '#server/stores/postgres/pool.ts';
import { parsedUrl } from '#test/support/postgres/migrated.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { bestOfThree, relaxed } from '#test/support/postgres/time-limits.ts';
import { because } from '#test/support/programs.ts';
import { content, record } from '../metadata/rows.ts';
import { openPostgres, type PostgresInTest } from './open-postgres.ts';

const accountId = '204815162342108999';

async function withAccount(options?: Parameters<typeof openPostgres>[0]): Promise<PostgresInTest> {
  const store = await openPostgres(options);
  await store.metadata.atomically((tx) => tx.accounts.add({ id: accountId, name: 'first', plan: 'pro', createdAt: 0 }));
  return store;
}

/** Opens another process's store over the same database. */
function second({ url }: PostgresInTest): PostgresMetadata {
  const metadata = new PostgresMetadata(new PostgresPool(parsedUrl(url), { timeLimitFactor: relaxed }), {
    onFault: () => {},
    onMarkedForDeletion: () => {},
  });
  onTestFinished(() => metadata.close());
  return metadata;
}

describe.skipIf(noPostgres())(`PostgresMetadata${because(noPostgres())}`, () => {
  it('counts what parts of one transaction do at the same time', async () => {
    const { metadata } = await withAccount();
    const add = async (tx: Transaction, at: number) => {
      await tx.contents.add(content(`content-${at}`));
      await tx.accounts.addUsage(accountId, { bytes: at, objects: 1 });
      return recordActivity(tx, {
        ...{ accountId, type: 'object.deleted', object: null, details: {}, actor: systemActor },
      });
    };
    const sequences = await metadata.atomically((tx) => together([...Array(50).keys()], (at) => add(tx, at)), {
      account: accountId,
    });
    expect(sequences).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
    const { usedBytes, usedObjects } = (await metadata.read.accounts.find(accountId))!;
    expect([usedBytes, usedObjects]).toEqual([1225, 50]);
  });

  it('sends nothing of a part of a transaction that has ended before its turn', async () => {
    const { metadata } = await withAccount();
    await metadata.atomically((tx) => tx.contents.add(content('content')), { account: accountId });
    let released: Promise<void> | undefined;
    const work = async (tx: Transaction) => {
      released = tx.contents.release('content');
      released.catch(() => {});
      throw new Error('refused');
    };
    await expect(metadata.atomically(work, { account: accountId })).rejects.toThrow('refused');
    await expect(released).rejects.toThrow('This transaction has ended');
    expect(await metadata.read.contents.find('content')).toBeDefined();
  });

  it.each([undefined, accountId])(
    'runs what decides by its own reads alone, over two processes (account %s)',
    async (account) => {
      const store = await withAccount();
      const stores = [store.metadata, second(store)];
      const limit = 20;
      let runs = 0;
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          stores[at % 2]!.atomically(
            async (tx) => {
              runs++;
              const { usedObjects } = (await tx.accounts.find(accountId))!;
              if (usedObjects >= limit) return false;
              await tx.contents.add(content(`content-${at}`));
              await tx.accounts.addUsage(accountId, { bytes: 1, objects: 1 });
              return true;
            },
            account === undefined ? {} : { account },
          ),
        ),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(limit);
      expect((await store.metadata.read.accounts.find(accountId))!.usedObjects).toBe(limit);
      // The lock of the account leaves nothing to try again.
      if (account !== undefined) expect(runs).toBe(40);
    },
  );

  it('takes the time of a transaction after the lock, so that times follow each other', async () => {
    const store = await withAccount({ now: undefined });
    const stores = [store.metadata, second(store)];
    const inOrder: number[] = [];
    await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        stores[at % 2]!.atomically(
          async (tx) => {
            await tx.accounts.find(accountId);
            inOrder.push(tx.now);
          },
          { account: accountId },
        ),
      ),
    );
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    expect(Math.abs(inOrder[0]! - Date.now())).toBeLessThan(60_000);
  });

  it('meters the usage of an account in one statement as in several, also over days', async () => {
    const { metadata, clock } = await withAccount();
    const other = '204815162342108998';
    await metadata.atomically((tx) => tx.accounts.add({ id: other, name: 'other', plan: 'pro', createdAt: 0 }));
    for (const [bytes, ms] of [
      [5e12, 1000],
      [3, 0],
      [-2, 86_400_000],
      [7, 12_345],
      [0, 3 * 86_400_000],
    ] as const) {
      clock.advance(ms);
      const add = (id: string, account?: string) =>
        metadata.atomically((tx) => tx.accounts.addUsage(id, { bytes, objects: 1 }), account ? { account } : {});
      await add(accountId, accountId);
      await add(other);
    }
    const [locked, common] = await Promise.all([accountId, other].map((id) => metadata.read.accounts.usageOf(id, 0)));
    expect(locked).toEqual(common);
    expect(locked!.days.length).toBeGreaterThan(1);
  });

  it('numbers the activity of a locked account as that of any', async () => {
    const { metadata } = await withAccount();
    const add = (account?: string) =>
      metadata.atomically(
        async (tx) => [await tx.activity.add(record, 1), await tx.activity.add(record, 2)],
        account ? { account } : {},
      );
    expect([await add(), await add(accountId), await add()]).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    const found = await metadata.read.activity.scan({ accountId, limit: 10 });
    expect(found.map(({ sequence }) => sequence)).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('shows the work its own changes of the locked account', async () => {
    const { metadata } = await withAccount();
    const plans = await metadata.atomically(
      async (tx) => {
        const before = await tx.accounts.find(accountId);
        await tx.accounts.setPlan(accountId, 'hobby');
        return [before!.plan, (await tx.accounts.find(accountId))!.plan];
      },
      { account: accountId },
    );
    expect(plans).toEqual(['pro', 'hobby']);
  });

  it('fails with the first error, also where nobody waited for the statement', async () => {
    const store = await withAccount();
    const { metadata } = store;
    await metadata.atomically((tx) => tx.apps.add({ id: 'a', accountId, name: 'a', createdAt: 0, isBuiltIn: false }));
    const twice = metadata.atomically(async (tx) => {
      await tx.apps.add({ id: 'a', accountId, name: 'a', createdAt: 0, isBuiltIn: false });
      await tx.accounts.find(accountId);
    });
    await expect(twice).rejects.toMatchObject({ code: '23505' });
    const last = metadata.atomically((tx) =>
      tx.apps.add({ id: 'a', accountId, name: 'a', createdAt: 0, isBuiltIn: false }),
    );
    await expect(last).rejects.toMatchObject({ code: '23505' });
  });

  it('fails when the work goes on after a failed statement, since nothing of it was kept', async () => {
    const { metadata } = await withAccount();
    const going = metadata.atomically(async (tx) => {
      await tx.accounts.setPlan(accountId, 'none');
      await tx.accounts.setPlan(accountId, 'no plan' as 'none').catch(() => {});
    });
    await expect(going).rejects.toThrow('rolled back');
    expect((await metadata.read.accounts.find(accountId))!.plan).toBe('pro');
  });

  it('calls back after the commit, and reports what a callback throws', async () => {
    const { metadata, faults } = await withAccount();
    const called: string[] = [];
    const fault = new Error('a fault');
    await metadata.atomically(async (tx) => {
      tx.afterCommit(() => void called.push('first'));
      tx.afterCommit(() => {
        throw fault;
      });
      expect(called).toEqual([]);
    });
    await metadata
      .atomically(async (tx) => {
        tx.afterCommit(() => void called.push('never'));
        throw new Error('a refusal');
      })
      .catch(() => {});
    expect([called, faults]).toEqual([['first'], [fault]]);
  });

  it('runs again when its connection is lost before the commit', async () => {
    const { metadata, pool } = await withAccount();
    let runs = 0;
    await metadata.atomically(async (tx) => {
      await tx.accounts.setPlan(accountId, 'hobby');
      if (runs++ > 0) return;
      // The transaction is between two statements, or within one.
      void pool.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state <> ' +
          "'idle' AND pid <> pg_backend_pid()",
      );
      for (;;) await tx.accounts.find(accountId);
    });
    expect((await metadata.read.accounts.find(accountId))!.plan).toBe('hobby');
    expect(runs).toBe(2);
  });

  /** Returns a transaction of the account to run while another session holds its lock, and is kept open for so long. */
  async function behindLock(idleMs?: number) {
    const { pool, metadata } = await withAccount({ timeLimitFactor: 1 });
    const holder = await pool.take();
    onTestFinished(() => holder.destroy());
    await holder.command('BEGIN');
    if (idleMs !== undefined) await holder.command(`SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`);
    await holder.query('SELECT 1 FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
    return () => metadata.atomically(async () => 'done', { account: accountId });
  }

  it(
    'rejects with MetadataUnavailable within five seconds while another session holds the lock',
    bestOfThree,
    async () => {
      const work = await behindLock(30_000);
      const startedAt = performance.now();
      await expect(work()).rejects.toBeInstanceOf(MetadataUnavailable);
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    },
  );

  it('gets the lock within five seconds from a session that says nothing', bestOfThree, async () => {
    const work = await behindLock();
    const startedAt = performance.now();
    expect(await work()).toBe('done');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('rejects with MetadataUnavailable once it is closed, and finishes what is under way', async () => {
    const { metadata } = await withAccount();
    const running = metadata.atomically(async (tx) => {
      await tx.accounts.find(accountId);
      return 'done';
    });
    await metadata.close();
    expect(await running).toBe('done');
    await expect(metadata.atomically(async () => {})).rejects.toBeInstanceOf(MetadataUnavailable);
    await expect(metadata.read.accounts.list()).rejects.toBeInstanceOf(MetadataUnavailable);
  });
});
