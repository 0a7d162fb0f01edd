import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { Heartbeat } from '#server/stores/postgres/heartbeat.ts';
import { PostgresMetadata } from '#server/stores/postgres/metadata.ts';
import { PostgresPool } from '#server/stores/postgres/pool.ts';
import { startDelayingProxy, type DelayingProxy } from '#test/support/delaying-proxy.ts';
import { parsedUrl } from '#test/support/postgres/migrated.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { bestOfThree } from '#test/support/postgres/time-limits.ts';
import { because } from '#test/support/programs.ts';
import { openPostgres } from './open-postgres.ts';

const accountId = '204815162342108999';

/** What a replica promises, and what a busy machine adds. */
const heldMs = 2_000 + 500;

interface Watched {
  readonly metadata: PostgresMetadata;
  /** Between that store and its database. */
  readonly proxy: DelayingProxy;
  /** Connections to the same database that do not go through the proxy. */
  readonly direct: PostgresPool;
  /** The address of that database, without the proxy. */
  readonly url: string;
  /** What the heartbeat has said. An answer that follows another one is left out. */
  readonly said: Array<'silence' | 'answer'>;
}

/** Opens a store behind a proxy, with a heartbeat, over a database with one account. */
async function openWatched(): Promise<Watched> {
  const { metadata: near, pool: direct, url } = await openPostgres();
  await near.atomically((tx) => tx.accounts.add({ id: accountId, name: 'first', plan: 'pro', createdAt: 0 }));
  const address = new URL(url);
  const proxy = await startDelayingProxy({ port: Number(address.port) });
  address.port = String(proxy.port);
  const pool = new PostgresPool(parsedUrl(address.href));
  const metadata = new PostgresMetadata(pool, { onFault: () => {}, onMarkedForDeletion: () => {} });
  const said: Watched['said'] = [];
  const heartbeat = new Heartbeat(parsedUrl(address.href), {
    onSilence() {
      said.push('silence');
      pool.cutOff();
    },
    onAnswer() {
      if (said.at(-1) !== 'answer') said.push('answer');
      pool.mend();
    },
    lastAnswerAt: () => pool.answeredAt,
  });
  onTestFinished(async () => {
    proxy.heal();
    await heartbeat.stop();
    await metadata.close();
    await proxy.close();
  });
  await expect.poll(() => said).toEqual(['answer']);
  return { metadata, proxy, direct, url, said };
}

async function msOf(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
}

describe.skipIf(noPostgres())(`a database that says nothing any more${because(noPostgres())}`, () => {
  it('holds nobody for two seconds, then refuses at once, until it answers', bestOfThree, async () => {
    const { metadata, proxy, said } = await openWatched();
    const works: Readonly<Record<string, () => Promise<unknown>>> = {
      'a look-up': () => metadata.read.accounts.list(),
      'a change': () => metadata.atomically((tx) => tx.accounts.setPlan(accountId, 'none'), { account: accountId }),
      'a change without a lock': () => metadata.atomically((tx) => tx.accounts.setPlan(accountId, 'none')),
    };
    for (const work of Object.values(works)) await work();
    const failsWithin = (ms: number) =>
      Promise.all(
        Object.entries(works).map(async ([name, work]) => {
          const took = await msOf(expect(work(), name).rejects.toBeInstanceOf(MetadataUnavailable));
          expect(took, `${name} took ${took} ms`).toBeLessThan(ms);
        }),
      );
    proxy.drop();
    await failsWithin(heldMs);
    await failsWithin(100);
    proxy.heal();
    await expect.poll(() => said, { timeout: 10_000 }).toEqual(['answer', 'silence', 'answer']);
    for (const work of Object.values(works)) await work();
  });

  it.each(['hang', 'drop'] as const)('lets a commit on its way find out what became of it (%s)', async (fault) => {
    const { metadata, proxy, direct, said } = await openWatched();
    await direct.withSession((session) =>
      session.command(`
        CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3); RETURN NULL; END';
        CREATE CONSTRAINT TRIGGER slow AFTER UPDATE ON accounts DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION wait()`),
    );
    let runs = 0;
    const done = metadata.atomically(
      async (tx) => {
        runs += 1;
        await tx.accounts.addUsage(accountId, { bytes: 5, objects: 1 });
        // The COMMIT leaves in the turn after this.
        setTimeout(() => proxy[fault](), 300);
        return 'done';
      },
      { account: accountId },
    );
    await expect.poll(() => said, { timeout: 10_000 }).toEqual(['answer', 'silence']);
    await expect(metadata.read.accounts.list()).rejects.toBeInstanceOf(MetadataUnavailable);
    proxy.heal();
    expect(await done).toBe('done');
    expect(runs).toBe(1);
    const used = await direct.query('SELECT used_bytes FROM accounts WHERE account_id = $1', [accountId]);
    expect(used.rows).toEqual([[5]]);
  });

  it('is not what a slow network is, nor a statement that waits for a lock', async () => {
    const { metadata, proxy, direct, said } = await openWatched();
    proxy.delay(250);
    await direct.withSession(async (session) => {
      await session.command('BEGIN');
      await session.query('SELECT 1 FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
      const waiting = metadata.atomically(async () => 'done', { account: accountId });
      await session.command('SELECT pg_sleep(2.5)');
      await session.command('ROLLBACK');
      expect(await waiting).toBe('done');
    });
    expect(said).toEqual(['answer']);
  });

  it('is not a connection alone that is lost, while others get answers', async () => {
    const { pool: direct, url } = await openPostgres();
    const address = new URL(url);
    const proxy = await startDelayingProxy({ port: Number(address.port) });
    address.port = String(proxy.port);
    const said: string[] = [];
    const heartbeat = new Heartbeat(parsedUrl(address.href), {
      onSilence: () => void said.push('silence'),
      onAnswer: () => void said.push('answer'),
      lastAnswerAt: () => direct.answeredAt,
    });
    onTestFinished(async () => {
      proxy.heal();
      await heartbeat.stop();
      await proxy.close();
    });
    await expect.poll(() => said).toEqual(['answer']);
    proxy.drop();
    const until = performance.now() + 3_000;
    while (performance.now() < until) await direct.query('SELECT pg_sleep(0.1)');
    expect(said).toEqual(['answer']);
    await expect.poll(() => said, { timeout: 10_000 }).toEqual(['answer', 'silence']);
  });

  it('can be stopped at once, while it connects and while it waits for an answer', async () => {
    const { url } = await openPostgres();
    const address = new URL(url);
    const proxy = await startDelayingProxy({ port: Number(address.port) });
    onTestFinished(() => proxy.close());
    address.port = String(proxy.port);
    const said: string[] = [];
    const begin = (to: string) =>
      new Heartbeat(parsedUrl(to), {
        onSilence: () => void said.push('silence'),
        onAnswer: () => void said.push('answer'),
        lastAnswerAt: () => -Infinity,
      });
    await begin(url).stop();
    const heartbeat = begin(address.href);
    await expect.poll(() => said.at(-1)).toBe('answer');
    proxy.drop();
    const before = [...said];
    await sleep(700);
    await heartbeat.stop();
    const hanging = begin(address.href);
    await sleep(100);
    await hanging.stop();
    expect(said).toEqual(before);
  });

  it('is over when it answers that it takes no connections', async () => {
    const { proxy, direct, said, url } = await openWatched();
    const [[name]] = (await direct.query<readonly [string]>('SELECT current_database()')).rows as [[string]];
    const beside = new URL(url);
    beside.pathname = '/postgres';
    const operator = new PostgresPool(parsedUrl(beside.href));
    onTestFinished(() => operator.close());
    const allow = (isAllowed: boolean) =>
      operator.withSession((session) => session.command(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isAllowed}`));
    proxy.drop();
    await expect.poll(() => said, { timeout: 10_000 }).toEqual(['answer', 'silence']);
    await allow(false);
    proxy.heal();
    await expect.poll(() => said, { timeout: 10_000 }).toEqual(['answer', 'silence', 'answer']);
    await allow(true);
  });
});
