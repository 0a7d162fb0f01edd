import { describe, expect, it } from 'vitest';

import { openPublicObject } from '#server/features/files/open-public-object.ts';
import { openSqliteStores, openTestStores } from '#test/support/stores.ts';
import { store } from './stored.ts';

describe('openPublicObject()', () => {
  it('returns a public file with its content', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const object = await store(stores, { accountId, key: 'a' });
    const found = await openPublicObject(stores, { accountId, key: 'a' });
    expect(found).toMatchObject({ object, content: { id: object.contentId, sizeBytes: 3 } });
  });

  it.each(['private', 'expired', 'missing'])('throws FILE_NOT_FOUND for a file that is %s', async (kind) => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    if (kind === 'expired') await store(stores, { accountId, key: 'a', expiresAt: stores.clock.now() });
    if (kind === 'private') await store(stores, { accountId, key: 'a', space: kind });
    await expect(openPublicObject(stores, { accountId, key: 'a' })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  it('returns the legacy file of that name when there is no public one', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const legacy = await store(stores, { accountId, key: 'a', space: 'legacy' });
    expect(await openPublicObject(stores, { accountId, key: 'a' })).toMatchObject({ object: legacy });
    const expired = await store(stores, { accountId, key: 'a', expiresAt: stores.clock.now() });
    expect(await openPublicObject(stores, { accountId, key: 'a' })).toMatchObject({ object: legacy });
    await store(stores, { ...expired, expiresAt: null, etag: 'public' });
    expect(await openPublicObject(stores, { accountId, key: 'a' })).toMatchObject({ object: { etag: 'public' } });
  });

  it('returns the new file when it is replaced between the two reads', async () => {
    // Over PostgreSQL there is nothing between them: one statement reads both.
    const stores = await openSqliteStores();
    const { id: accountId } = await stores.account();
    const old = await store(stores, { accountId, key: 'a' });
    let isReplaced = false;
    const { read } = stores.metadata;
    const find: typeof read.contents.find = async (contentId) => {
      if (!isReplaced) {
        isReplaced = true;
        await store(stores, { accountId, key: 'a', etag: 'new' });
        await stores.metadata.atomically((tx) => tx.contents.release(old.contentId));
      }
      return read.contents.find(contentId);
    };
    const metadata = { read: { ...read, contents: { ...read.contents, find } } };
    expect((await openPublicObject({ ...stores, metadata }, { accountId, key: 'a' })).object.etag).toBe('new');
  });
});
