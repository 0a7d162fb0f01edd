import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import { deleteExpired } from '#server/features/files/deletion/delete-expired.ts';
import { removeFiles } from '#server/features/files/deletion/remove-files.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import { SetSize } from '#server/domain/set-size.ts';
import { runFolderStep } from '#server/features/folders/run-folder-job.ts';
import type { FolderJob } from '#server/features/folders/folder-job.ts';
import type { Prefix } from '#server/domain/prefixes.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import { emptyTrash } from '#server/features/trash/purge-trash.ts';
import { storeAll } from '#test/features/files/stored.ts';
import { startDelayingProxy, type DelayingProxy } from '#test/support/delaying-proxy.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { exchange } from '#test/s3/exchange.ts';
import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase, type TestDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { startCountingProxy, type CountingProxy } from './counting-proxy.ts';

/** How long the network takes to the database and back. */
const roundTripMs = 20;

/** A file must not cost a round trip: over a network, a batch of a thousand would take seconds. */
describe.skipIf(noPostgres())(`many files over PostgreSQL${because(noPostgres())}`, () => {
  let database: TestDatabase;
  let network: DelayingProxy;
  let proxy: CountingProxy;
  let gateway: Gateway;
  let dataDir: string;

  beforeAll(async () => {
    database = await freshDatabase(migrated);
    const url = new URL(database.url);
    network = await startDelayingProxy({ port: Number(url.port) });
    proxy = await startCountingProxy(network.port);
    url.port = String(proxy.port);
    dataDir = await mkdtemp(join(tmpdir(), 'cubby-many-files-'));
    gateway = await startGateway({ dataDir, env: { CUBBY_DATABASE_URL: url.href } });
  });
  afterAll(async () => {
    await gateway.stop();
    await proxy.close();
    await network.close();
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  const stores = () => gateway.server.running.app.stores;

  /**
   * Returns how many round trips followed each other while the work was done: no more than were made, over all
   * connections, and no more than fit into its time, which a busy machine makes longer.
   */
  async function measured(work: () => Promise<unknown>): Promise<number> {
    network.delay(roundTripMs / 2);
    try {
      proxy.take();
      const startedAt = performance.now();
      await work();
      return Math.min(proxy.take(), Math.ceil((performance.now() - startedAt) / roundTripMs));
    } finally {
      network.delay(0);
    }
  }

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
    const trips = await measured(() => work(files));
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
    ['a REST request', 100, deleteOverRest, {}],
    ['DeleteObjects', 500, deleteOverS3, {}],
    [
      'their expiry',
      500,
      async () => expect(await deleteExpired(stores(), Date.now() + 1)).toBe(500),
      { expiresAt: 1 },
    ],
    ['the removal of their account', 500, () => removeFiles(stores(), gateway.account.id), {}],
  ] as const)('%s deletes %i of them in fewer round trips', async (_, count, work, more) => {
    const trips = await tripsOf(count, work, more);
    console.log(`${count} files: ${trips} round trips`);
    expect(trips).toBeLessThan(count);
  });

  it('a list of 500 folders in two spaces takes fewer than 100 round trips', async () => {
    const { account, server } = gateway;
    const at = (index: number) => ({ accountId: account.id, key: `folder-${index}/a`, space: 'public' as const });
    const files = Array.from({ length: 500 }, (_, index) => at(index));
    // Folders that both have are looked for again.
    await storeAll(stores(), [...files, ...files.map((file) => ({ ...file, space: 'private' as const }))]);
    const { credential } = account;
    const list = async () => (await server.send('/v1/objects?delimiter=/&limit=1000', { credential })).json();
    const query = { 'list-type': '2', delimiter: '/' };
    const listOverS3 = async () =>
      (await exchange(gateway, { path: '/public', query })).text.match(/<CommonPrefixes>/g);
    const trips = [await measured(list), await measured(listOverS3)];
    expect([(await list()).response.folders.length, (await listOverS3())!.length]).toEqual([500, 500]);
    await removeFiles(stores(), account.id);
    console.log(`500 folders: ${trips[0]} round trips over REST, ${trips[1]} over S3`);
    expect(Math.max(...trips)).toBeLessThan(100);
  });

  it('a purge of the trash takes 500 of them in fewer round trips', async () => {
    await gateway.keepDeleted('many/');
    let trips = Infinity;
    await tripsOf(500, async (files) => {
      await deleteOverS3(files);
      trips = await measured(() => emptyTrash(stores(), gateway.account.id));
      expect(await stores().metadata.read.trash.someOf(gateway.account.id, 1)).toEqual([]);
    });
    console.log(`500 versions: ${trips} round trips`);
    expect(trips).toBeLessThan(500);
  });

  /** Stores files, and changes them. Returns the round trips of the change. */
  async function tripsOfChange(
    count: number,
    change: (files: readonly StoredObject[]) => Promise<unknown>,
    prepare = async (_files: readonly StoredObject[]) => {},
  ): Promise<number> {
    const accountId = gateway.account.id;
    const named = Array.from({ length: count }, (_, at) => ({ accountId, key: `many/photo_${at}.txt` }));
    const files = await storeAll(stores(), named);
    await prepare(files);
    const trips = await measured(() => change(files));
    await removeFiles(stores(), accountId);
    await emptyTrash(stores(), accountId);
    return trips;
  }

  async function askRest(method: string, path: string, body: object): Promise<any> {
    const { server, account } = gateway;
    return (await server.send(path, { method, credential: account.credential, body: JSON.stringify(body) })).json();
  }

  const updateOverRest = (change: object) => async (files: readonly StoredObject[]) => {
    const { response } = await askRest('PATCH', '/v1/objects', { objects: files.map(formatObjectId), ...change });
    expect(response.results.filter(({ ok }: { ok: boolean }) => ok).length).toBe(files.length);
  };

  const versionsOverRest = (method: string, path: string, report: string) => async (files: readonly StoredObject[]) => {
    const scan = { accountId: gateway.account.id, space: 'public', prefix: 'many/', behind: undefined } as const;
    const versions = await stores().metadata.read.trash.scan({ ...scan, limit: 1000 });
    const { response } = await askRest(method, path, { versions: versions.map(({ versionId }) => versionId) });
    expect(response[report].length).toBe(files.length);
  };

  /** Runs a job to its end. It is not due, so that the server does not take it. */
  const inJob = (action: FolderJob['action']) => async (files: readonly StoredObject[]) => {
    const started = await stores().metadata.atomically(async (tx) => {
      const job: FolderJob = {
        ...{ id: stores().ids.opaqueId(), accountId: gateway.account.id, action, prefix: 'many' as Prefix },
        destination: action === 'copy' || action === 'move' ? ('others' as Prefix) : null,
        choices: { overwrite: false, actor: systemActor, ...(action === 'update' && { isPrivate: true }) },
        ...{ isDryRun: false, state: 'running', place: null, total: files.length, done: 0, failed: 0 },
        ...{ createdAt: tx.now, endedAt: null, dueAt: tx.now + 60_000 },
      };
      await tx.folderJobs.put(job);
      return job;
    });
    const deps = {
      ...stores(),
      clock: { now: () => Date.now() },
      cdn: { purge: async () => {} },
      publicUrl: () => null,
    };
    const sizes = new SetSize();
    let job: FolderJob | undefined = started;
    while (job?.endedAt === null) job = await runFolderStep(deps, job, sizes);
    expect(job).toMatchObject({ done: files.length, failed: 0 });
  };

  it.each([
    ['a REST request hides', 50, updateOverRest({ private: true })],
    ['a REST request gives other headers to', 50, updateOverRest({ disposition: 'attachment' })],
    ['a job hides', 250, inJob('update')],
    ['a job moves', 250, inJob('move')],
    ['a job copies', 250, inJob('copy')],
  ] as const)('%s %i of them in fewer round trips', async (_, count, change) => {
    const trips = await tripsOfChange(count, change);
    console.log(`${count} files: ${trips} round trips`);
    expect(trips).toBeLessThan(count);
  });

  it.each([
    ['a REST request restores', 100, versionsOverRest('POST', '/v1/trash/restore', 'restored')],
    ['a REST request purges', 100, versionsOverRest('DELETE', '/v1/trash', 'purged')],
    ['a job restores', 250, inJob('restore')],
    ['a job purges', 250, inJob('purge')],
  ] as const)('%s %i of them in fewer round trips', async (_, count, change) => {
    await gateway.keepDeleted('many/');
    const trips = await tripsOfChange(count, change, deleteOverS3);
    console.log(`${count} versions: ${trips} round trips`);
    expect(trips).toBeLessThan(count);
  });
});
