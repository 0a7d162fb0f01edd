import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deleteExpired } from '#server/features/files/delete-expired.ts';
import { removeFiles } from '#server/features/files/remove-files.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import { emptyTrash } from '#server/features/trash/purge-trash.ts';
import { storeAll } from '#test/features/files/stored.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { exchange } from '#test/s3/exchange.ts';
import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase, type TestDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { startCountingProxy, type CountingProxy } from './counting-proxy.ts';

/**
 * A file must not cost a round trip: over a network, a batch of a thousand would take seconds. Statements that travel
 * together are counted several times if their answers come bit by bit.
 */
describe.skipIf(noPostgres())(`many files over PostgreSQL${because(noPostgres())}`, () => {
  let database: TestDatabase;
  let proxy: CountingProxy;
  let gateway: Gateway;
  let dataDir: string;

  beforeAll(async () => {
    database = await freshDatabase(migrated);
    const url = new URL(database.url);
    proxy = await startCountingProxy(Number(url.port));
    url.port = String(proxy.port);
    dataDir = await mkdtemp(join(tmpdir(), 'cubby-many-files-'));
    gateway = await startGateway({ dataDir, env: { CUBBY_DATABASE_URL: url.href } });
  });
  afterAll(async () => {
    await gateway.stop();
    await proxy.close();
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  const stores = () => gateway.server.running.app.stores;

  /** Returns the round trips of some work on files that are stored before it. */
  async function tripsOf(
    count: number,
    work: (files: readonly StoredObject[]) => Promise<unknown>,
    more: Partial<StoredObject> = {},
  ): Promise<number> {
    const accountId = gateway.account.id;
    const files = await storeAll(
      stores(),
      Array.from({ length: count }, (_, at) => ({ accountId, key: `many/${at}.txt`, ...more })),
    );
    await sleep(200);
    proxy.take();
    await work(files);
    const trips = proxy.take();
    for (const file of files) expect(await stores().metadata.read.objects.find(file)).toBeUndefined();
    const { usedBytes, usedObjects } = (await stores().metadata.read.accounts.find(accountId))!;
    expect([usedBytes, usedObjects]).toEqual([0, 0]);
    return trips;
  }

  async function deleteOverRest(files: readonly StoredObject[]): Promise<void> {
    const answer = await gateway.server.send('/v1/objects', {
      method: 'DELETE',
      credential: gateway.account.credential,
      body: JSON.stringify({ objects: files.map(formatObjectId) }),
    });
    expect([answer.status, answer.json().response.deleted.length]).toEqual([200, files.length]);
  }

  async function deleteOverS3(files: readonly StoredObject[]): Promise<void> {
    const keys = files.map(({ key }) => `<Object><Key>${key}</Key></Object>`);
    const body = `<Delete>${keys.join('')}</Delete>`;
    const { status, text } = await exchange(gateway, { method: 'POST', path: '/public', query: { delete: '' }, body });
    expect([status, text.match(/<Deleted>/g)?.length]).toEqual([200, files.length]);
  }

  it.each([
    ['a REST request', 100, 60, deleteOverRest, {}],
    ['DeleteObjects', 1000, 600, deleteOverS3, {}],
    ['their expiry', 500, 300, () => deleteExpired(stores(), Date.now() + 1), { expiresAt: 1 }],
    ['the removal of their account', 500, 300, () => removeFiles(stores(), gateway.account.id), {}],
  ] as const)('%s deletes %i of them in fewer than %i round trips', async (_, count, most, work, more) => {
    const trips = await tripsOf(count, work, more);
    console.log(`${count} files: ${trips} round trips`);
    expect(trips).toBeLessThan(most);
  });

  it('a purge of the trash takes 500 of them in fewer than 300 round trips', async () => {
    await gateway.keepDeleted('many/');
    await tripsOf(500, async (files) => {
      await deleteOverS3(files);
      proxy.take();
      await emptyTrash(stores(), gateway.account.id);
      expect(await stores().metadata.read.trash.someOf(gateway.account.id, 1)).toEqual([]);
    }).then((trips) => {
      console.log(`500 versions: ${trips} round trips`);
      expect(trips).toBeLessThan(300);
    });
  });
});
