import { describe, expect, it } from 'vitest';

import { builtInApp, type App } from '#server/features/apps/app.ts';
import { accountId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The table of applications. */
export function appsConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: applications`, () => {
    it('are returned unchanged, those of one account, the built-in one first and the others oldest first', async () => {
      const app = (id: string, createdAt: number): App => ({
        id,
        accountId,
        name: 'Shop ☁',
        createdAt,
        isBuiltIn: false,
      });
      const apps = [app('app_b', 5), app('app_c', 4), app('app_a', 5)];
      await write(async (tx) => {
        for (const one of apps) await tx.apps.add(one);
      });
      const { read } = store.metadata;
      expect(await read.apps.listOf(accountId)).toEqual([builtInApp(accountId, 2000), apps[1], apps[2], apps[0]]);
      expect([await read.apps.find('app_a'), await read.apps.find('app_none')]).toEqual([apps[2], undefined]);
    });

    it('refuse a second use of an id, a second built-in application, and an unknown account', async () => {
      const app = { id: 'app_a', accountId, name: 'Shop', createdAt: 5, isBuiltIn: false };
      await write((tx) => tx.apps.add(app));
      const second = { ...builtInApp(accountId, 2000), id: 'app_second' };
      for (const wrong of [app, second, { ...app, id: 'app_b', accountId: '1' }])
        await expect(write((tx) => tx.apps.add(wrong))).rejects.toThrow();
    });
  });
}
