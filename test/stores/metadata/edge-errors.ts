import { describe, expect, it } from 'vitest';
import type { StoreInTest } from './store-in-test.ts';

import type { App } from '#server/features/apps/app.ts';
import type { EdgeErrorCount } from '#server/features/edge-errors/edge-error.ts';
import type { NewLogCheckpoint } from '#server/features/edge-errors/log-checkpoint.ts';
import { resolutionsMs, type Span } from '#server/features/edge-errors/resolution.ts';
import { storedErrors } from '#test/support/edge-errors.ts';

/** The first of the two accounts of the suite. */
const accountId = '204815162342108999';

const app: App = {
  id: 'app_4x7k2m9q3v8n6tbw',
  accountId,
  name: 'web ☁',
  createdAt: 1_776_763_800_123,
  isBuiltIn: false,
};
const other: App = { id: 'app_other', accountId, name: 'web ☁', createdAt: 5, isBuiltIn: false };

const dayMs = 86_400_000;
const today = 20_000 * dayMs;

const error = (change: Partial<EdgeErrorCount> = {}): EdgeErrorCount => ({
  at: today,
  status: 404,
  method: 'GET',
  path: '/a',
  count: 1,
  ...change,
});

const log: NewLogCheckpoint = {
  appId: app.id,
  path: '/var/log/ä.log',
  inode: '2049:18446744073709551615',
  offset: 10_737_418_240,
  lines: 7,
  headSha256: 'a'.repeat(64),
  tailSha256: 'b'.repeat(64),
  movedAt: 1000,
};

/** The tables of applications, errors at the edge and log checkpoints. */
export function edgeErrorsConformance(store: StoreInTest): void {
  const { name } = store;
  const opened = () => store.metadata;
  const withApps = async () => {
    const metadata = opened();
    await metadata.atomically(async (tx) => {
      for (const one of [app, other]) await tx.apps.add(one);
    });
    const { edgeErrors } = metadata.read;
    const whole = (resolution: number): Span => ({ resolution, from: 0, until: Number.MAX_SAFE_INTEGER });
    const add = (counts: readonly EdgeErrorCount[], appId = app.id) =>
      metadata.atomically((tx) => tx.edgeErrors.add(appId, counts));
    const byPath = async (span: Span, { appId = app.id, minStatus = 400 } = {}) => {
      const rows = await storedErrors(metadata, appId, span, minStatus);
      return rows.map(({ pathId: _, ...row }) => row).sort((a, b) => (a.path! < b.path! ? -1 : 1));
    };
    return { metadata, edgeErrors, whole, add, byPath };
  };

  describe(`${name}: errors at the edge`, () => {
    it.each(resolutionsMs.map((unitMs, resolution) => ({ unitMs, resolution })))(
      'are added up in units of $unitMs ms',
      async ({ unitMs, resolution }) => {
        const { edgeErrors, add, byPath, whole } = await withApps();
        await add([
          error({ count: 2 }),
          error({ at: today + unitMs, status: 503, method: 'OTHER' }),
          error({ at: today + unitMs - 1000, path: '/b' }),
        ]);
        await add([error({ count: 40 })]);
        const first = Math.floor(today / unitMs);
        const span = { resolution, from: first, until: first + 1 };
        expect(await byPath(span)).toEqual([
          { path: '/a', method: 'GET', status: 404, count: 42 },
          { path: '/b', method: 'GET', status: 404, count: 1 },
        ]);
        const buckets = { widthMs: dayMs * 7, originMs: 4 * dayMs };
        expect(await edgeErrors.byBucket({ appId: app.id, span: whole(resolution), minStatus: 400 }, buckets)).toEqual([
          { bucket: Math.floor((today - 4 * dayMs) / (7 * dayMs)), status: 404, method: 'GET', count: 43 },
          { bucket: Math.floor((today - 4 * dayMs) / (7 * dayMs)), status: 503, method: 'OTHER', count: 1 },
        ]);
        expect(await byPath(whole(resolution), { minStatus: 500 })).toEqual([
          { path: '/a', method: 'OTHER', status: 503, count: 1 },
        ]);
      },
    );

    it('are put into buckets of a grid, also before the first Monday of 1970', async () => {
      const { edgeErrors, add, whole } = await withApps();
      await add([error({ at: 0 }), error({ at: 4 * dayMs }), error({ at: 4 * dayMs - 1000 })]);
      const rows = await edgeErrors.byBucket(
        { appId: app.id, span: whole(3), minStatus: 400 },
        { widthMs: 7 * dayMs, originMs: 4 * dayMs },
      );
      expect(rows.map(({ bucket, count }) => [bucket, count])).toEqual([
        [-1, 2],
        [0, 1],
      ]);
    });

    it('increase the revision of their own application only', async () => {
      const { edgeErrors, add, byPath, whole } = await withApps();
      expect(await edgeErrors.revision(app.id)).toBe(0);
      await add([error()]);
      await add([error()]);
      expect([await edgeErrors.revision(app.id), await edgeErrors.revision(other.id)]).toEqual([2, 0]);
      expect(await byPath(whole(3), { appId: other.id })).toEqual([]);
    });

    it('keep the names of a thousand paths a day and application, and count the others together', async () => {
      const { add, byPath, whole } = await withApps();
      await add(Array.from({ length: 990 }, (_, index) => error({ path: `/${index}` })));
      await add(Array.from({ length: 20 }, (_, index) => error({ path: `/more/${index}` })));
      await add([
        error({ path: '/more/15', count: 5 }),
        error({ path: '/0', count: 3 }),
        error({ path: '/late', at: today + dayMs }),
      ]);
      await add([error({ path: '/more/15' })], other.id);
      const rows = await byPath(whole(3));
      expect(rows).toHaveLength(1002);
      expect(rows.find(({ path }) => path === '__other__')).toMatchObject({ count: 15 });
      expect(rows.find(({ path }) => path === '/0')).toMatchObject({ count: 4 });
      expect(rows.map(({ path }) => path)).toEqual(expect.arrayContaining(['/more/9', '/late']));
      expect(rows.map(({ path }) => path)).not.toContain('/more/10');
      expect(await byPath(whole(3), { appId: other.id })).toEqual([
        { path: '/more/15', method: 'GET', status: 404, count: 1 },
      ]);
    });

    it('are removed after their days have ended, in portions, with paths that are no longer used', async () => {
      const { metadata, edgeErrors, add, byPath, whole } = await withApps();
      await add([error({ at: today - 1000, path: '/old' }), error({ at: today - 1000, path: '/a' }), error()]);
      const oldId = (await storedErrors(metadata, app.id)).find(({ path }) => path === '/old')!.pathId;
      const revision = await edgeErrors.revision(app.id);
      const apps = (await edgeErrors.nextApps(0, 500))!;
      const forget = () => metadata.atomically((tx) => tx.edgeErrors.forgetBefore(today + 5000, apps, 3));
      const portions: number[] = [];
      while (portions.at(-1) !== 0) portions.push(await forget());
      expect(Math.max(...portions)).toBe(3);
      for (const resolution of [0, 1, 2, 3])
        expect(await byPath(whole(resolution))).toEqual([{ path: '/a', method: 'GET', status: 404, count: 1 }]);
      expect(await edgeErrors.revision(app.id)).toBeGreaterThan(revision);
      const paths = (await edgeErrors.nextPaths(0, 500))!;
      const forgetPaths = (range = paths) => metadata.atomically((tx) => tx.edgeErrors.forgetUnusedPaths(range));
      expect(await forgetPaths({ after: oldId, until: paths.until })).toBe(0);
      expect(await edgeErrors.pathOf(oldId)).toBe('/old');
      expect([await forgetPaths(), await forgetPaths()]).toEqual([1, 0]);
      expect(await edgeErrors.pathOf(oldId)).toBeUndefined();
    });

    it('are removed only from the applications of a range', async () => {
      const { metadata, edgeErrors, add, byPath, whole } = await withApps();
      await add([error({ at: today - 1000 })]);
      await add([error({ at: today - 1000 })], other.id);
      const first = (await edgeErrors.nextApps(0, 1))!;
      const second = (await edgeErrors.nextApps(first.until, 1))!;
      expect([first.after, second.after]).toEqual([0, first.until]);
      expect(await edgeErrors.nextApps(second.until, 1)).toBeUndefined();
      const revision = await edgeErrors.revision(app.id);
      await metadata.atomically((tx) => tx.edgeErrors.forgetBefore(today + 5000, second, 500));
      expect([await byPath(whole(0)), await byPath(whole(0), { appId: other.id })]).toMatchObject([[{ count: 1 }], []]);
      expect(await edgeErrors.revision(app.id)).toBe(revision);
    });
  });

  describe(`${name}: access logs`, () => {
    it('return every field, and advance only from their current position', async () => {
      const { metadata } = await withApps();
      const added = await metadata.atomically((tx) => tx.edgeLogs.add(log));
      expect(await metadata.read.edgeLogs.listOf(app.id)).toEqual([{ ...log, id: added.id }]);
      expect(await metadata.read.edgeLogs.listOf(other.id)).toEqual([]);
      const moved = {
        ...added,
        path: '/b',
        inode: '1:2',
        offset: 10_737_418_241,
        lines: 8,
        headSha256: 'c'.repeat(64),
        tailSha256: 'd'.repeat(64),
        movedAt: 2000,
      };
      const advance = () => metadata.atomically((tx) => tx.edgeLogs.advance(added, moved));
      // A different log of the same length.
      expect(
        await metadata.atomically((tx) => tx.edgeLogs.advance({ ...added, tailSha256: 'e'.repeat(64) }, moved)),
      ).toBe(false);
      expect([await advance(), await advance()]).toEqual([true, false]);
      expect(await metadata.read.edgeLogs.listOf(app.id)).toEqual([moved]);
    });

    it('are removed when they have not advanced for long', async () => {
      const { metadata } = await withApps();
      await metadata.atomically(async (tx) => {
        for (const movedAt of [5, 6, 7]) await tx.edgeLogs.add({ ...log, movedAt });
      });
      expect(await metadata.atomically((tx) => tx.edgeLogs.forgetBefore(7, 1))).toBe(1);
      expect(await metadata.atomically((tx) => tx.edgeLogs.forgetBefore(7, 5))).toBe(1);
      expect((await metadata.read.edgeLogs.listOf(app.id)).map(({ movedAt }) => movedAt)).toEqual([7]);
    });
  });
}
