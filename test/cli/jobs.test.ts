import { describe, expect, it } from 'vitest';

import type { Feature } from '#server/feature.ts';
import { features } from '#server/features.ts';
import { fileClockBaselines } from '#server/stores/system/clock-baselines.ts';
import { systemMonotonic } from '#server/stores/system/clock.ts';
import { TestClock } from '#test/support/clock.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';
import { cubbyHere, cubbyOver, temporaryFolder } from './cubby.ts';

/** The jobs of features that remove rows, in the order of the features. */
const rowsOfFeatures = features.flatMap(({ jobs = {} }: Feature) =>
  Object.entries(jobs).flatMap(([name, { stage }]) => (stage === 'rows' ? [name] : [])),
);

describe('cubby jobs', () => {
  it('run does the work that is due at --now, beside the server, and prints how much it did', async () => {
    const server = await startTestServer();
    const account = await server.account();
    await upload(server, account, { query: { expire: '7d' } });
    const cubby = cubbyHere(server.dataDir);
    expect(await cubby.json('jobs', 'run', 'delete-expired', '--now', '2026-04-28T09:29:59.999Z')).toEqual([
      { job: 'delete-expired', count: 0 },
    ]);
    const done = await cubby.json('jobs', 'run', '--all', '--now', '2026-04-28T11:30:00+02:00');
    const names = [
      'delete-expired',
      'delete-by-rule',
      'abort-idle-uploads',
      'forget-closed-uploads',
      'purge-trash',
      ...rowsOfFeatures,
      'forget-activity',
      'forget-events',
      'forget-traffic',
      'finish-key-rotation',
      'remove-accounts',
      'sweep-orphans',
      'reap-blobs',
      'hash-contents',
      'scrub',
    ];
    expect(done).toEqual(names.map((job) => ({ job, count: job === 'delete-expired' ? 1 : expect.any(Number) })));
    expect(await server.running.app.stores.metadata.read.accounts.find(account.id)).toMatchObject({ usedObjects: 0 });
    expect((await cubby('jobs', 'run', 'reap-blobs')).stdout).toMatch(/^JOB +DONE\nreap-blobs +0\n$/);
  });

  it('run with --now counts usage by the real time, and keeps its history', async () => {
    const dayMs = 86_400_000;
    const server = await startTestServer({ clock: new TestClock(Date.now() - 3 * dayMs) });
    const account = await server.account();
    await upload(server, account, { query: { expire: '7d' } });
    await upload(server, account, { query: { name: 'kept' } });
    const cubby = cubbyHere(server.dataDir);
    const usage = () => server.running.app.stores.metadata.read.accounts.usageOf(account.id, 0);
    const startedAt = Date.now();
    // In two years every day of today would have been forgotten.
    const now = new Date(startedAt + 730 * dayMs).toISOString();
    const done = await cubby.json('jobs', 'run', 'delete-expired', '--now', now);
    expect(done).toEqual([{ job: 'delete-expired', count: 1 }]);
    const { settledAt, usedObjects, days } = (await usage())!;
    expect(usedObjects).toBe(1);
    expect(settledAt).toBeGreaterThanOrEqual(startedAt);
    expect(settledAt).toBeLessThanOrEqual(Date.now());
    // Both files of 3,000 bytes, from their upload to the deletion.
    const byteMs = days.reduce((sum, one) => sum + one.byteMs, 0n);
    expect(byteMs).toBe(BigInt(settledAt - server.clock.now()) * 6000n);
    expect(days.map(({ day }) => day)).toEqual(
      Array.from({ length: days.length }, (_, at) => Math.floor(settledAt / dayMs + 1 - days.length + at) * dayMs),
    );
  });

  it('run records its work at the time of --now', async () => {
    const server = await startTestServer();
    const account = await server.account();
    await upload(server, account, { query: { expire: '7d' } });
    await cubbyHere(server.dataDir).json('jobs', 'run', '--all', '--now', '2026-04-29T12:00:00Z');
    const { stores } = server.running.app;
    const [newest] = await stores.metadata.read.activity.scan({ accountId: account.id, limit: 1 });
    expect(newest).toMatchObject({ type: 'object.deleted', at: Date.parse('2026-04-29T12:00:00Z') });
  });

  it('run --all fails after a jump of the clock until confirm-clock, unless --now is given', async () => {
    const server = await startTestServer();
    const cubby = cubbyHere(server.dataDir);
    await server.running.app.stores.metadata.atomically((tx) => tx.clockJump.save({ noticedAt: 1, byMs: 2e8 }));
    expect(await cubby('jobs', 'run', '--all')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('cubby jobs confirm-clock'),
    });
    expect(await cubby('jobs', 'run', 'reap-blobs')).toMatchObject({ code: 0 });
    expect(await cubby('jobs', 'run', '--all', '--now', '2026-04-21')).toMatchObject({ code: 0 });
    expect(await cubby.json('jobs', 'confirm-clock')).toEqual({ was_waiting: true });
    expect(await cubby.json('jobs', 'confirm-clock')).toEqual({ was_waiting: false });
    expect(await cubby('jobs', 'run', '--all')).toMatchObject({ code: 0 });
  });

  it('run notices a jump before the server does, and confirm-clock lets both continue', async () => {
    const server = await startTestServer();
    const [cubby, real] = [cubbyHere(server.dataDir), cubbyOver(server.dataDir)];
    const baselines = fileClockBaselines(server.dataDir);
    const believed = () => Math.round(Date.now() - systemMonotonic.nowMs());
    await baselines.save({ origin: systemMonotonic.origin, offsetMs: believed() });
    expect(await cubby('jobs', 'run', '--all')).toMatchObject({ code: 0 });

    await baselines.save({ origin: systemMonotonic.origin, offsetMs: believed() - 2 * 86_400_000 });
    for (const run of [real, cubby])
      expect(await run('jobs', 'run', '--all')).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('The clock has jumped'),
      });
    expect(await real.json('jobs', 'confirm-clock')).toEqual({ was_waiting: true });
    expect(await cubby('jobs', 'run', '--all')).toMatchObject({ code: 0 });

    await baselines.save({ origin: systemMonotonic.origin, offsetMs: believed() + 2 * 86_400_000 });
    expect(await cubby.json('jobs', 'confirm-clock')).toEqual({ was_waiting: true });
    expect(await cubby('jobs', 'run', '--all')).toMatchObject({ code: 0 });
  });

  it.each([
    '2026-02-31',
    '2026-02-29',
    '2026-04-31T00:00:00Z',
    '2026-04-31T00:00:00+02:00',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-32',
  ])('run refuses --now %s, a day that does not exist', async (now) => {
    const outcome = await cubbyHere(await temporaryFolder())('jobs', 'run', '--all', '--now', now);
    expect(outcome).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/not a day of the calendar|ISO 8601/),
    });
  });

  it('run accepts the leap day as --now', async () => {
    const server = await startTestServer();
    expect(await cubbyHere(server.dataDir)('jobs', 'run', 'reap-blobs', '--now', '2024-02-29')).toMatchObject({
      code: 0,
    });
  });
});
