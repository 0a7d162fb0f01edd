import { expect, it } from 'vitest';

import { quotaOfPart } from '#server/features/uploads/quota-of-parts.ts';
import { openTestStores } from '#test/support/stores.ts';
import { store } from '#test/features/files/stored.ts';

it('quotaOfPart() is the quota and the bytes that an upload replaces, or twice if it adds none', async () => {
  const stores = await openTestStores();
  const account = await stores.account({ quotaBytes: 1000 });
  await store(stores, { accountId: account.id, key: 'a', sizeBytes: 600 });
  const of = (key: string, storedBytes: number, { mayReplace = true, usedBytes = 600 } = {}) => {
    const address = { accountId: account.id, space: 'public', key } as const;
    const now = stores.clock.now();
    const upload = { resolved: { address, mayReplace }, storedBytes } as Parameters<typeof quotaOfPart>[2];
    return quotaOfPart(stores.metadata.read, { ...account, usedBytes }, upload, now);
  };
  expect(await of('b', 100)).toBe(1000);
  expect(await of('a', 100, { mayReplace: false })).toBe(1000);
  expect(await of('a', 601)).toBe(1600);
  expect(await of('a', 600)).toBe(2000);
  expect(await of('a', 600, { usedBytes: 1500 })).toBe(3000);
});
