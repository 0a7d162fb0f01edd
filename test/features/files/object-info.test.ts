import { describe, expect, it } from 'vitest';

import { objectInfo } from '#server/features/files/object-info.ts';
import { openTestStores } from '#test/support/stores.ts';
import { store } from './stored.ts';

describe('objectInfo()', () => {
  it('returns the row, until the millisecond of its expiry', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const object = await store(stores, { accountId, key: 'a', expiresAt: stores.clock.now() + 10 });
    stores.clock.advance(9);
    expect(await objectInfo(stores, object)).toEqual(object);
    stores.clock.advance(1);
    await expect(objectInfo(stores, object)).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' });
  });

  it('throws OBJECT_NOT_FOUND for the same key in another space', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    await store(stores, { accountId, key: 'a', space: 'private' });
    await expect(objectInfo(stores, { accountId, space: 'public', key: 'a' })).rejects.toMatchObject({
      code: 'OBJECT_NOT_FOUND',
    });
  });
});
