import { expect, it } from 'vitest';

import { confirmClock } from '#server/domain/jobs/confirm-clock.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';

const day = 86_400_000;

it('the jobs delete the rows and bytes of expired files', async () => {
  const server = await startTestServer();
  const account = await server.account();
  await upload(server, account, { bytes: Buffer.alloc(50_000, 7), query: { expire: '1h' } });
  await server.running.app.jobs.runNow();
  expect(await server.running.app.stores.metadata.read.accounts.find(account.id)).toMatchObject({ usedObjects: 1 });
  server.clock.advance(3_600_000);
  await server.running.app.jobs.runNow();
  expect(await server.running.app.stores.metadata.read.accounts.find(account.id)).toMatchObject({
    usedObjects: 0,
    usedBytes: 0,
  });
  expect(await Array.fromAsync(server.running.app.stores.blobs.ids())).toEqual([]);
  expect(server.log).toContainEqual(expect.objectContaining({ job: 'delete-expired', count: 1 }));
});

it('a clock that jumps by over a day stops automatic deletion and logs errors, until it is confirmed', async () => {
  const monotonicMs = () => 0;
  const first = await startTestServer({ monotonicMs });
  const account = await first.account();
  await upload(first, account, { query: { expire: '7d' } });
  first.clock.advance(8 * day);
  const { stores, jobs } = first.running.app;
  await jobs.runNow();
  await jobs.runNow();
  expect(await stores.metadata.read.accounts.find(account.id)).toMatchObject({ usedObjects: 1 });
  const loud = first.log.filter(({ message }) => String(message).startsWith('THE CLOCK HAS JUMPED'));
  expect(loud).toHaveLength(2);
  expect(loud[0]).toMatchObject({ level: 'error', jumped_by_hours: 192 });

  await confirmClock(stores);
  await jobs.runNow();
  expect(await stores.metadata.read.accounts.find(account.id)).toMatchObject({ usedObjects: 0 });
});

it('a job that goes through all rows runs once a day', async () => {
  const server = await startTestServer();
  const { jobs, stores } = server.running.app;
  const ranAt = async () =>
    (await stores.metadata.read.jobRuns.list()).find(({ job }) => job === 'forget-edge-errors')!.startedAt;
  await jobs.runNow();
  const first = await ranAt();
  server.clock.advance(day / 2);
  await jobs.runNow();
  expect(await ranAt()).toBe(first);
  server.clock.advance(day / 2);
  await jobs.runNow();
  expect(await ranAt()).toBe(first + day);
});
