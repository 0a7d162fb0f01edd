import { describe, expect, it } from 'vitest';

import { builtInApp } from '#server/features/apps/app.ts';
import type { LogCheckpoint, NewLogCheckpoint } from '#server/features/edge-errors/log-checkpoint.ts';
import { accountId, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

const [app, otherApp] = [builtInApp(accountId, 1), builtInApp(otherId, 1)];

const begun = (change: Partial<NewLogCheckpoint> = {}): NewLogCheckpoint => ({
  appId: app.id,
  path: '/var/log/ä.log',
  inode: '66306:18446744073709551615',
  offset: 0,
  lines: 0,
  headSha256: 'a'.repeat(64),
  tailSha256: 'a'.repeat(64),
  movedAt: 1000,
  ...change,
});

/** The table of checkpoints in access logs. */
export function edgeLogsConformance(store: StoreInTest): void {
  const { name, write } = store;
  const add = (...checkpoints: NewLogCheckpoint[]) =>
    write(async (tx) => {
      const added: LogCheckpoint[] = [];
      for (const one of checkpoints) added.push(await tx.edgeLogs.add(one));
      return added;
    });
  const listed = () => store.metadata.read.edgeLogs.listOf(app.id);

  describe(`${name}: checkpoints of access logs`, () => {
    it('get an id each, and are returned for one application in the order of their ids', async () => {
      const added = await add(begun(), begun({ appId: otherApp.id }), begun({ path: '/var/log/b.log' }));
      expect(added).toEqual([
        { id: expect.any(Number), ...begun() },
        { id: expect.any(Number), ...begun({ appId: otherApp.id }) },
        { id: expect.any(Number), ...begun({ path: '/var/log/b.log' }) },
      ]);
      expect(new Set(added.map(({ id }) => id)).size).toBe(3);
      expect(await listed()).toEqual([added[0], added[2]]);
    });

    it('move only from where they were read, also when two readers move one', async () => {
      const [from, other] = await add(begun(), begun({ inode: '1:2' }));
      const to = { ...from!, path: '/var/log/ä.log.1', offset: 2 ** 40, lines: 7, tailSha256: 'b', movedAt: 2000 };
      const moved = await Promise.all([1, 2].map(() => write((tx) => tx.edgeLogs.advance(from!, to))));
      expect(moved.toSorted()).toEqual([false, true]);
      expect(await write((tx) => tx.edgeLogs.advance({ ...to, tailSha256: 'c' }, from!))).toBe(false);
      expect(await listed()).toEqual([to, other]);
    });

    it('are removed when they have not moved for long', async () => {
      const added = await add(...[1000, 1999, 2000].map((movedAt) => begun({ movedAt })));
      const forget = (limit: number) => write((tx) => tx.edgeLogs.forgetBefore(2000, limit));
      expect(await forget(1)).toBe(1);
      expect(await listed()).toEqual(added.slice(1));
      expect([await forget(9), await forget(9)]).toEqual([1, 0]);
      expect(await listed()).toEqual(added.slice(2));
    });
  });
}
