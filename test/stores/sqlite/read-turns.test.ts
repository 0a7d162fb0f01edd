import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { accountId, content, object } from '#test/stores/metadata/rows.ts';
import { openSqliteStores } from '#test/support/stores.ts';

it('reads that begin together take turns with other work', async () => {
  const stores = await openSqliteStores();
  const { metadata } = stores;
  await metadata.atomically(async (tx) => {
    await tx.accounts.add({ id: accountId, name: 'first', plan: 'pro', createdAt: 1 });
    for (let at = 0; at < 1000; at++) {
      const id = `content-${at}`;
      await tx.contents.add(content(id));
      await tx.objects.put({ ...object, key: `old/${String(at).padStart(4, '0')}`, contentId: id });
    }
  });
  const scan = { accountId, prefix: 'old/', after: undefined, until: object.createdAt, behind: undefined, limit: 1000 };
  const one = performance.now();
  expect((await metadata.read.objects.scanByAge(scan)).files).toHaveLength(1000);
  const readMs = performance.now() - one;
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turns++) await nextTurn();
  })();
  const count = 100;
  await Promise.all(Array.from({ length: count }, () => metadata.read.objects.scanByAge(scan)));
  isDone = true;
  await others;
  // Each turn reads for some 8 ms. All reads together take much longer.
  expect(turns, `${readMs} ms a read`).toBeGreaterThan(Math.min(count, (count * readMs) / 8) / 4);
  await stores.close();
});
