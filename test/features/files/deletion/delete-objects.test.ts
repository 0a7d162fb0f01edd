import { describe, expect, it } from 'vitest';

import type { Actor } from '#server/domain/activity/activity.ts';
import { deleteObject, deleteObjects } from '#server/features/files/deletion/delete-objects.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import { overTransactions } from '#server/domain/ports/decorated.ts';
import { MetadataFailed, MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { openTestStores } from '#test/support/stores.ts';
import { store, storeAll } from '../stored.ts';

const actor: Actor = { sourceIp: '203.0.113.7', userAgent: 'curl/8.14.1', auth: 'api_key' };

describe('deleteObject()', () => {
  it('deletes the row, the content and the usage of the account', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const object = await store(stores, { accountId, key: 'a' });
    const before = (await stores.metadata.read.accounts.find(accountId))!.revision;
    await deleteObject(stores, { address: object, actor });
    expect(await stores.metadata.read.objects.find(object)).toBeUndefined();
    expect(await stores.metadata.read.contents.find(object.contentId)).toBeUndefined();
    const after = (await stores.metadata.read.accounts.find(accountId))!;
    expect(after).toMatchObject({ usedBytes: 0, usedObjects: 0 });
    expect(after.revision).toBeGreaterThan(before);
  });

  it('deletes in its own space and account only', async () => {
    const stores = await openTestStores();
    const [{ id: mine }, { id: theirs }] = [await stores.account(), await stores.account()];
    const others = await storeAll(stores, [
      { accountId: mine, key: 'a', space: 'private' },
      { accountId: mine, key: 'a', space: 'legacy' },
      { accountId: theirs, key: 'a' },
    ]);
    await store(stores, { accountId: mine, key: 'a' });
    await deleteObject(stores, { address: { accountId: mine, space: 'public', key: 'a' }, actor });
    for (const other of others) expect(await stores.metadata.read.objects.find(other)).toEqual(other);
  });

  it('throws OBJECT_NOT_FOUND for a missing file, and for a second deletion', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const object = await store(stores, { accountId, key: 'a' });
    await expect(
      deleteObject(stores, { address: { accountId, space: 'public', key: 'b' }, actor }),
    ).rejects.toMatchObject({
      code: 'OBJECT_NOT_FOUND',
    });
    const outcomes = await Promise.allSettled([
      deleteObject(stores, { address: object, actor }),
      deleteObject(stores, { address: object, actor }),
    ]);
    // Over a network either may come first.
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await stores.metadata.read.accounts.find(accountId))!.usedObjects).toBe(0);
  });

  it('throws OBJECT_NOT_FOUND for an expired file, and deletes it', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const object = await store(stores, { accountId, key: 'a', expiresAt: stores.clock.now() });
    await expect(deleteObject(stores, { address: object, actor })).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' });
    expect(await stores.metadata.read.objects.find(object)).toBeUndefined();
    expect((await stores.metadata.read.accounts.find(accountId))!.usedBytes).toBe(0);
  });

  it('throws DELETE_FAILED with its cause when the store is broken, and passes on that it is unavailable', async () => {
    const file = { accountId: '1', space: 'public', key: 'a' } as const;
    const broken = new MetadataFailed('broken', undefined);
    const away = new MetadataUnavailable('away', undefined);
    const failing = (error: Error) => ({ metadata: { atomically: () => Promise.reject(error) } });
    const failed = deleteObject(failing(broken), { address: file, actor });
    await expect(failed).rejects.toMatchObject({ code: 'DELETE_FAILED', cause: broken });
    await expect(deleteObject(failing(away), { address: file, actor })).rejects.toBe(away);
  });
});

describe('deleteObjects()', () => {
  it('reports on each id once, in the order in which they came', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const [a, b, c] = await storeAll(
      stores,
      ['a', 'b', 'c'].map((key) => ({ accountId, key, ...(key === 'c' && { expiresAt: stores.clock.now() }) })),
    );
    const missing = { accountId, space: 'private', key: 'a' } as const;
    const report = await deleteObjects(stores, {
      accountId: a!.accountId,
      addresses: [b!, missing, a!, b!, c!, missing],
      actor,
    });
    expect(report).toEqual({
      deleted: [b!, a!].map(formatObjectId),
      kept: [],
      notFound: [missing, c!].map(formatObjectId),
      failed: [],
    });
  });

  it('continues when one of them fails', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const [a, b, c] = await storeAll(
      stores,
      ['a', 'b', 'c'].map((key) => ({ accountId, key })),
    );
    const broken = new MetadataFailed('broken', undefined);
    const metadata = overTransactions(stores.metadata, ({ objects }) => ({
      objects: {
        ...objects,
        remove: (address) => (address.key === 'b' ? Promise.reject(broken) : objects.remove(address)),
      },
    }));
    expect(await deleteObjects({ metadata }, { accountId: a!.accountId, addresses: [a!, b!, c!], actor })).toEqual({
      deleted: [a!, c!].map(formatObjectId),
      kept: [],
      notFound: [],
      failed: [formatObjectId(b!)],
    });
    expect(await stores.metadata.read.objects.find(b!)).toEqual(b);
  });

  it('reports on files for which the store was unavailable, if it has deleted others', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const files = await storeAll(
      stores,
      Array.from({ length: 51 }, (_, at) => ({ accountId, key: `file-${at}` })),
    );
    let transactions = 0;
    const metadata: Pick<typeof stores.metadata, 'atomically'> = {
      atomically: (work, options) =>
        ++transactions === 2
          ? Promise.reject(new MetadataUnavailable('busy', undefined))
          : stores.metadata.atomically(work, options),
    };
    const ids = files.map(formatObjectId);
    const report = await deleteObjects({ metadata }, { accountId: accountId, addresses: files, actor });
    expect(report).toEqual({ deleted: ids.slice(0, 8), kept: [], notFound: [], failed: ids.slice(8) });
  });

  it('rethrows an unexpected error', async () => {
    const bug = new TypeError('a bug');
    await expect(
      deleteObjects(
        { metadata: { atomically: () => Promise.reject(bug) } },
        { accountId: '1', addresses: [{ accountId: '1', space: 'public', key: 'a' }], actor },
      ),
    ).rejects.toBe(bug);
  });

  it('passes on that the store is unavailable for all of them', async () => {
    const away = new MetadataUnavailable('away', undefined);
    const metadata = { atomically: () => Promise.reject(away) };
    const files = ['a', 'b'].map((key) => ({ accountId: '1', space: 'public', key }) as const);
    await expect(deleteObjects({ metadata }, { accountId: files[0]!.accountId, addresses: files, actor })).rejects.toBe(
      away,
    );
  });
});
