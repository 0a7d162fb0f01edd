import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import { removeObject } from '#server/features/files/deletion/delete-objects.ts';
import { listObjects, type ListObjects } from '#server/features/files/listing/list-objects.ts';
import { spaces, type ObjectAddress } from '#server/domain/object-id.ts';
import { MemoryListPages } from '#server/features/files/stores/memory/list-pages.ts';
import { plainPage, type PlainPage } from '#test/support/list-page.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { all, files, pageOf } from './listed.ts';
import { store, storeAll } from '../stored.ts';

/** Returns stores that count how often a list reads from them. */
function counting(stores: TestStores) {
  let count = 0;
  const scan: typeof stores.metadata.read.objects.scan = (step) => (count++, stores.metadata.read.objects.scan(step));
  const metadata = { read: { ...stores.metadata.read, objects: { ...stores.metadata.read.objects, scan } } };
  return { deps: { ...stores, metadata, pages: new MemoryListPages<PlainPage>() }, scans: () => count };
}

describe('listObjects() with its cache', () => {
  let stores: TestStores;

  beforeAll(async () => {
    stores = await openTestStores();
  });
  afterAll(() => stores.close());

  it('reads a repeated page from the cache, for 30 minutes', async () => {
    const { id: accountId } = await stores.account();
    await store(stores, { accountId, key: 'a' });
    const { deps, scans } = counting(stores);
    const list = () => pageOf(deps, { ...all, accountId });
    const first = await list();
    const read = scans();
    expect(await list()).toBe(first);
    stores.clock.advance(30 * 60_000 - 1);
    expect(await list()).toBe(first);
    expect(scans()).toBe(read);
    stores.clock.advance(1);
    expect(await list()).toEqual(first);
    expect(scans()).toBeGreaterThan(read);
  });

  it('never returns a stale page: any change to the files drops all pages of the account, and no others', async () => {
    const [{ id: accountId }, { id: other }] = [await stores.account(), await stores.account()];
    await storeAll(
      stores,
      ['a', 'b', 'c'].map((key) => ({ accountId, key })),
    );
    await store(stores, { accountId: other, key: 'x' });
    const { deps, scans } = counting(stores);
    const list = (of: string, cursor?: string) => pageOf(deps, { ...all, accountId: of, limit: 2, cursor });
    const theirs = await list(other);
    const first = await list(accountId);
    const second = await list(accountId, first.next);
    expect([files(first), files(second)]).toEqual([['public:a', 'public:b'], ['public:c']]);

    await stores.metadata.atomically((tx) => removeObject(tx, { accountId, space: 'public', key: 'c' }, systemActor));
    await store(stores, { accountId, key: 'b2' });
    expect(files(await list(accountId, first.next))).toEqual(['public:b2']);
    expect(files(await list(accountId))).toEqual(['public:a', 'public:b']);
    const read = scans();
    expect(await list(other)).toBe(theirs);
    expect(scans()).toBe(read);
  });

  it('does not cache a page when the files change while it is read', async () => {
    const { id: accountId } = await stores.account();
    await storeAll(
      stores,
      ['a', 'b'].map((key) => ({ accountId, key })),
    );
    const pages = new MemoryListPages<PlainPage>();
    const scan: typeof stores.metadata.read.objects.scan = async (step) => {
      const rows = await stores.metadata.read.objects.scan(step);
      if (step.space === 'public')
        await stores.metadata.atomically((tx) =>
          removeObject(tx, { accountId, space: 'public', key: 'a' }, systemActor),
        );
      return rows;
    };
    const overtaken = {
      ...stores,
      pages,
      metadata: { read: { ...stores.metadata.read, objects: { ...stores.metadata.read.objects, scan } } },
    };
    expect(files(await pageOf(overtaken, { ...all, accountId }))).toEqual(['public:a', 'public:b']);
    expect(files(await pageOf({ ...stores, pages }, { ...all, accountId }))).toEqual(['public:b']);
  });

  it('returns the same bytes from the cache as from the store, also for an empty page', async () => {
    const { id: accountId } = await stores.account();
    const soon = stores.clock.now() + 1000;
    await storeAll(stores, [
      { accountId, key: 'a' },
      { accountId, key: 'b', expiresAt: soon },
      { accountId, key: 'x/é', space: 'private' },
      { accountId, key: 'only-legacy', space: 'legacy' },
    ]);
    const pages = new MemoryListPages<PlainPage>();
    const list = (cache: MemoryListPages<PlainPage>, command: ListObjects) =>
      pageOf({ ...stores, pages: cache }, command);
    for (const change of [{}, { limit: 2 }, { prefix: 'x' }, { prefix: 'none' }, { isPrivate: false }]) {
      const command = { ...all, accountId, ...change };
      const first = await list(pages, command);
      expect(await list(pages, command)).toBe(first);
      expect((await list(new MemoryListPages<PlainPage>(), command)).bytes).toEqual(first.bytes);
    }
  });

  it('does not cache that a legacy file has no URL, because the public file of the same key may expire', async () => {
    const { id: accountId } = await stores.account();
    const pages = new MemoryListPages<PlainPage>();
    await storeAll(stores, [
      { accountId, key: 'a', space: 'legacy' },
      { accountId, key: 'b', space: 'legacy' },
      { accountId, key: 'a', expiresAt: stores.clock.now() + 1000 },
    ]);
    // The second page has only the legacy file, which does not expire.
    const first = await pageOf({ ...stores, pages }, { ...all, accountId, limit: 1 });
    const list = async () =>
      (await pageOf({ ...stores, pages }, { ...all, accountId, limit: 1, cursor: first.next })).hiddenKeys;
    expect(await list()).toEqual(['a']);
    stores.clock.advance(1000);
    expect(await list()).toEqual([]);
  });

  it('looks up only legacy files to see whether their URL serves them', async () => {
    const { id: accountId } = await stores.account();
    await storeAll(
      stores,
      spaces.map((space) => ({ accountId, space, key: space })),
    );
    const found: ObjectAddress[] = [];
    const find: typeof stores.metadata.read.objects.find = (address) => (
      found.push(address),
      stores.metadata.read.objects.find(address)
    );
    const metadata = {
      ...stores.metadata,
      read: { ...stores.metadata.read, objects: { ...stores.metadata.read.objects, find } },
    };
    await listObjects(
      { ...stores, metadata, pages: new MemoryListPages<PlainPage>() },
      { ...all, accountId },
      plainPage,
    );
    expect(found).toEqual([{ accountId, space: 'public', key: 'legacy' }]);
  });

  it('keeps pages of other filters and limits apart', async () => {
    const { id: accountId } = await stores.account();
    await storeAll(stores, [
      { accountId, key: 'a/1' },
      { accountId, key: 'b' },
      { accountId, key: 'c', space: 'private' },
    ]);
    const deps = { ...stores, pages: new MemoryListPages<PlainPage>() };
    const list = async (options: Partial<ListObjects>) => {
      const page = await pageOf(deps, { ...all, accountId, ...options });
      return [...files(page), ...page.folders];
    };
    for (let round = 0; round < 2; round++) {
      expect(await list({})).toEqual(['public:a/1', 'public:b', 'private:c']);
      expect(await list({ prefix: 'b' })).toEqual(['public:b']);
      expect(await list({ isPrivate: true })).toEqual(['private:c']);
      expect(await list({ isPrivate: false })).toEqual(['public:a/1', 'public:b']);
      expect(await list({ delimiter: true })).toEqual(['public:b', 'private:c', 'a/']);
      expect(await list({ limit: 1 })).toEqual(['public:a/1']);
    }
  });
});
