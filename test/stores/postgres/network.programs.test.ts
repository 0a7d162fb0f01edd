import { describe, expect, it, onTestFinished } from 'vitest';

import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { PostgresMetadata } from '#server/stores/postgres/metadata.ts';
import { PostgresPool } from '#server/stores/postgres/pool.ts';
import { startDelayingProxy, type DelayingProxy } from '#test/support/delaying-proxy.ts';
import { parsedUrl } from '#test/support/postgres/migrated.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { bestOfThree } from '#test/support/postgres/time-limits.ts';
import { because } from '#test/support/programs.ts';
import { openPostgres } from './open-postgres.ts';

const accountId = '204815162342108999';

interface Behind {
  readonly metadata: PostgresMetadata;
  readonly proxy: DelayingProxy;
  /** Connections to the same database that do not go through the proxy. */
  readonly direct: PostgresMetadata;
  readonly pool: PostgresPool;
}

/** Opens a store whose connections go through a proxy, over a database with one account. */
async function openBehind(): Promise<Behind> {
  const { metadata: direct, pool, url } = await openPostgres();
  await direct.atomically((tx) => tx.accounts.add({ id: accountId, name: 'first', plan: 'pro', createdAt: 0 }));
  const address = new URL(url);
  const proxy = await startDelayingProxy({ port: Number(address.port) });
  address.port = String(proxy.port);
  const metadata = new PostgresMetadata(new PostgresPool(parsedUrl(address.href)), {
    onFault: () => {},
    onMarkedForDeletion: () => {},
  });
  onTestFinished(async () => {
    proxy.heal();
    await metadata.close();
    await proxy.close();
  });
  return { metadata, proxy, direct, pool };
}

async function secondsOf(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return (performance.now() - startedAt) / 1000;
}

describe.skipIf(noPostgres())(`a network that fails${because(noPostgres())}`, () => {
  it(
    'answers MetadataUnavailable within five seconds when nothing arrives, and works again when it is back',
    bestOfThree,
    async () => {
      const { metadata, proxy } = await openBehind();
      await metadata.read.accounts.list();
      proxy.drop();
      const failing = [
        metadata.read.accounts.list(),
        metadata.atomically((tx) => tx.accounts.setPlan(accountId, 'none'), { account: accountId }),
        metadata.atomically((tx) => tx.accounts.setPlan(accountId, 'none')),
      ].map((work) => expect(work).rejects.toBeInstanceOf(MetadataUnavailable));
      expect(await secondsOf(Promise.all(failing))).toBeLessThan(5);
      proxy.heal();
      expect((await metadata.read.accounts.find(accountId))!.plan).toBe('pro');
    },
  );

  it('frees the locks of a server that was cut off within five seconds', bestOfThree, async () => {
    const { metadata, proxy, direct } = await openBehind();
    const held = Promise.withResolvers<void>();
    const cut = metadata.atomically(
      async (tx) => {
        await tx.accounts.setPlan(accountId, 'none');
        held.resolve();
        for (;;) await tx.accounts.list();
      },
      { account: accountId },
    );
    const failed = expect(cut).rejects.toBeInstanceOf(MetadataUnavailable);
    await held.promise;
    proxy.drop();
    const startedAt = performance.now();
    const setPlan = (): Promise<boolean> =>
      direct.atomically((tx) => tx.accounts.setPlan(accountId, 'hobby'), { account: accountId }).catch(setPlan);
    await setPlan();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await failed;
    expect((await direct.read.accounts.find(accountId))!.plan).toBe('hobby');
  });

  it('resolves a transaction whose COMMIT arrived and whose answer did not, without running it again', async () => {
    const { metadata, proxy, pool, direct } = await openBehind();
    const session = await pool.take();
    // The COMMIT takes a while, so that the connection can be cut meanwhile.
    await session.command(`
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER slow AFTER UPDATE ON accounts DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION wait()`);
    pool.release(session);
    let runs = 0;
    let calls = 0;
    const done = metadata.atomically(
      async (tx) => {
        runs += 1;
        tx.afterCommit(() => void (calls += 1));
        await tx.accounts.addUsage(accountId, { bytes: 5, objects: 1 });
        // The COMMIT leaves in the turn after this.
        setTimeout(() => proxy.cut(), 400);
        return 'done';
      },
      { account: accountId },
    );
    expect(await done).toBe('done');
    expect([runs, calls]).toEqual([1, 1]);
    expect((await direct.read.accounts.find(accountId))!.usedBytes).toBe(5);
  });

  it('goes on with the next host when the first one refuses, and skips one that takes no writes', async () => {
    const { metadata: direct, pool, url } = await openPostgres();
    await direct.atomically((tx) => tx.accounts.add({ id: accountId, name: 'first', plan: 'pro', createdAt: 0 }));
    const { port } = new URL(url);
    const first = await startDelayingProxy({ port: Number(port) });
    const two = url.replace(`127.0.0.1:${port}`, `127.0.0.1:${first.port},127.0.0.1:${port}`);
    const metadata = new PostgresMetadata(new PostgresPool(parsedUrl(two)), {
      onFault: () => {},
      onMarkedForDeletion: () => {},
    });
    onTestFinished(() => metadata.close().then(() => first.close()));
    await metadata.read.accounts.list();
    expect(first.connections).toBeGreaterThan(0);
    first.refuse();
    first.cut();
    expect(await metadata.atomically((tx) => tx.accounts.setPlan(accountId, 'hobby'))).toBe(true);
    expect(first.connections).toBe(0);
    const session = await pool.take();
    await session.command(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
    pool.release(session);
    const readOnly = new PostgresPool(parsedUrl(two));
    onTestFinished(() => readOnly.close());
    await expect(readOnly.query('SELECT 1')).rejects.toThrow('it takes no writes');
  });
});
