import { describe, expect, it } from 'vitest';
import type { StoreInTest } from './store-in-test.ts';

import type { Deploy } from '#server/features/deploys/deploy.ts';
import type { GitWebhook } from '#server/features/deploys/webhook.ts';

/** The first of the two accounts of the suite. */
const accountId = '204815162342108999';
const appId = 'app_deploying';
const otherId = 'app_deploying_too';

const webhook = (change: Partial<GitWebhook> = {}): GitWebhook => ({
  appId,
  codeHash: Buffer.alloc(32, 1),
  sealedCode: 'code',
  sealedToken: 'token',
  sealedSecret: null,
  tokenOrigin: null,
  pushedAt: null,
  pushes: 0,
  ...change,
});

const deploy = (change: Partial<Deploy> = {}): Omit<Deploy, 'sequence'> => ({
  id: 'dep_1',
  appId,
  state: 'pending',
  branch: 'main ☁',
  commit: 'a'.repeat(40),
  message: null,
  repository: null,
  host: 'gitea',
  createdAt: 1,
  updatedAt: 2,
  tries: 0,
  dueAt: 10,
  lease: null,
  cancelRequestedAt: null,
  ...change,
});

/** The tables of webhooks, deploys and deliveries. */
export function deploysConformance(store: StoreInTest): void {
  const { name } = store;
  const opened = () => store.metadata;
  const withApps = async () => {
    const metadata = opened();
    await metadata.atomically(async (tx) => {
      for (const id of [appId, otherId])
        await tx.apps.add({ id, accountId, name: 'shop', createdAt: 1, isBuiltIn: false });
    });
    return metadata;
  };

  describe(`${name}: git webhooks`, () => {
    it('are returned as they were stored, by application and by code, until they are replaced or removed', async () => {
      const metadata = await withApps();
      const { read } = metadata;
      await metadata.atomically((tx) => tx.gitWebhooks.put(webhook()));
      const plain = (found: GitWebhook | undefined) => found && { ...found, codeHash: Buffer.from(found.codeHash) };
      expect(plain(await read.gitWebhooks.find(appId))).toEqual(webhook());
      expect(plain(await read.gitWebhooks.findByCode(Buffer.alloc(32, 1)))).toEqual(webhook());
      const replaced = webhook({
        codeHash: Buffer.alloc(32, 2),
        sealedSecret: 'secret',
        tokenOrigin: 'https://git.invalid',
        pushedAt: 5,
        pushes: 3,
      });
      await metadata.atomically((tx) => tx.gitWebhooks.put(replaced));
      expect(await read.gitWebhooks.findByCode(Buffer.alloc(32, 1))).toBeUndefined();
      expect(plain(await read.gitWebhooks.find(appId))).toEqual(replaced);
      await metadata.atomically((tx) => tx.gitWebhooks.remove(appId));
      expect(await read.gitWebhooks.find(appId)).toBeUndefined();
      expect(await read.deploys.revision(appId)).toBe(3);
    });

    it("accept one push in a window, also when the clock goes back, and keep the token's first origin", async () => {
      const metadata = await withApps();
      await metadata.atomically(async (tx) => {
        await tx.gitWebhooks.put(webhook());
        const spent: boolean[] = [];
        for (const at of [1000, 1000, 1099, 1100, 1050, 1000])
          spent.push(await tx.gitWebhooks.spendPush(appId, at, 100, 1));
        expect(spent).toEqual([true, false, false, true, false, true]);
        expect(await tx.gitWebhooks.spendPush(otherId, 1, 100, 1)).toBe(false);
        const several: boolean[] = [];
        for (const at of [5000, 5050, 5099, 5099, 5100, 5100, 5100, 5100])
          several.push(await tx.gitWebhooks.spendPush(appId, at, 100, 3));
        expect(several).toEqual([true, true, true, false, true, true, true, false]);
        expect(await tx.gitWebhooks.find(appId)).toMatchObject({ pushedAt: 5100, pushes: 3 });
        for (const origin of ['https://first.invalid', 'https://second.invalid'])
          await tx.gitWebhooks.settleTokenOrigin(appId, origin);
        expect((await tx.gitWebhooks.find(appId))!.tokenOrigin).toBe('https://first.invalid');
      });
    });
  });

  describe(`${name}: deploys`, () => {
    it('are returned as they were added, newest first, for one application', async () => {
      const metadata = await withApps();
      await metadata.atomically(async (tx) => {
        for (const [id, branch, app] of [
          ['dep_1', 'a', appId],
          ['dep_2', 'b', appId],
          ['dep_3', 'a', otherId],
          ['dep_4', 'c', appId],
        ] as const)
          await tx.deploys.add(deploy({ id, branch, appId: app, message: 'é', repository: 'https://git.invalid/x' }));
      });
      const { read } = metadata;
      expect(await read.deploys.find('dep_1')).toEqual({
        ...deploy({ branch: 'a', message: 'é', repository: 'https://git.invalid/x' }),
        sequence: expect.any(Number),
      });
      const all = await read.deploys.listOf({ appId, limit: 10 });
      expect(all.map(({ id }) => id)).toEqual(['dep_4', 'dep_2', 'dep_1']);
      expect((await read.deploys.listOf({ appId, limit: 1, before: all[0]!.sequence })).map(({ id }) => id)).toEqual([
        'dep_2',
      ]);
      expect([
        await read.deploys.revision(appId),
        await read.deploys.revision(otherId),
        await read.deploys.revision('app_none'),
      ]).toEqual([3, 1, 0]);
    });

    it('can have one waiting and one running deploy of a branch, and change only if they are as read', async () => {
      const metadata = await withApps();
      await metadata.atomically((tx) => tx.deploys.add(deploy()));
      await expect(metadata.atomically((tx) => tx.deploys.add(deploy({ id: 'dep_2' })))).rejects.toThrow();
      await metadata.atomically(async (tx) => {
        expect(await tx.deploys.nextDue(9)).toBeUndefined();
        const waiting = (await tx.deploys.nextDue(10))!;
        expect(await tx.deploys.waiting(appId, 'main ☁')).toEqual(waiting);
        const running: Deploy = { ...waiting, state: 'running', tries: 1, lease: { id: 'mine', until: 50 } };
        expect(await tx.deploys.change(waiting, running)).toBe(true);
        expect(await tx.deploys.change(waiting, { ...running, lease: { id: 'theirs', until: 60 } })).toBe(false);
        expect(await tx.deploys.find('dep_1')).toEqual(running);
        await tx.deploys.add(deploy({ id: 'dep_2' }));
        expect(await tx.deploys.nextDue(99), 'its branch runs').toBeUndefined();
        expect((await tx.deploys.newestOfBranch(appId, 'main ☁'))!.id).toBe('dep_2');
        expect([
          await tx.deploys.renewLease('dep_1', 'theirs', 70),
          await tx.deploys.renewLease('dep_1', 'mine', 70),
        ]).toEqual([false, true]);
        expect([await tx.deploys.leaseEnded(70), (await tx.deploys.leaseEnded(71)).map(({ id }) => id)]).toEqual([
          [],
          ['dep_1'],
        ]);
        expect(
          await tx.deploys.change(
            { ...running, lease: { id: 'theirs', until: 70 } },
            { ...running, state: 'error', lease: null },
          ),
        ).toBe(false);
        expect(
          await tx.deploys.change(running, { ...running, state: 'success', lease: null, message: 'now known' }),
        ).toBe(true);
        expect(await tx.deploys.find('dep_1')).toMatchObject({ state: 'success', message: 'now known' });
        expect((await tx.deploys.nextDue(99))!.id).toBe('dep_2');
      });
    });
  });

  describe(`${name}: cancelled deploys`, () => {
    it('are those that somebody asked to cancel before they ended without a result', async () => {
      const metadata = await withApps();
      await metadata.atomically(async (tx) => {
        await tx.deploys.add(deploy());
        expect([await tx.deploys.askCancel('dep_1', 5), await tx.deploys.askCancel('dep_1', 6)]).toEqual([true, true]);
        const waiting = (await tx.deploys.find('dep_1'))!;
        expect(waiting).toMatchObject({ state: 'pending', cancelRequestedAt: 5 });
        expect(await tx.deploys.change(waiting, { ...waiting, state: 'cancelled' })).toBe(true);
        expect((await tx.deploys.find('dep_1'))!.state).toBe('cancelled');
        expect(await tx.deploys.askCancel('dep_1', 7)).toBe(false);
        expect(await tx.deploys.askCancel('dep_none', 7)).toBe(false);
        await tx.deploys.add(deploy({ id: 'dep_2' }));
        const other = (await tx.deploys.find('dep_2'))!;
        await tx.deploys.change(other, { ...other, state: 'superseded' });
        expect((await tx.deploys.find('dep_2'))!.state).toBe('superseded');
      });
    });
  });

  describe(`${name}: git deliveries`, () => {
    it('are found by application and hash, and removed oldest first', async () => {
      const metadata = await withApps();
      await metadata.atomically(async (tx) => {
        for (const at of [1, 2, 3])
          await tx.gitDeliveries.put(appId, Buffer.alloc(32, at), { deployIds: [`dep_${at}`], at });
        await tx.gitDeliveries.put(appId, Buffer.alloc(32, 3), { deployIds: ['dep_4', 'dep_5'], at: 4 });
        expect(await tx.gitDeliveries.find(appId, Buffer.alloc(32, 3))).toEqual({
          deployIds: ['dep_4', 'dep_5'],
          at: 4,
        });
        expect(await tx.gitDeliveries.find(otherId, Buffer.alloc(32, 3))).toBeUndefined();
        expect([await tx.gitDeliveries.forgetBefore(3, 1), await tx.gitDeliveries.forgetBefore(3, 9)]).toEqual([1, 1]);
        expect(await tx.gitDeliveries.find(appId, Buffer.alloc(32, 1))).toBeUndefined();
        expect(await tx.gitDeliveries.find(appId, Buffer.alloc(32, 3))).toBeDefined();
      });
    });
  });
}
