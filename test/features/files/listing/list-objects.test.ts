import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import { removeObject } from '#server/features/files/deletion/delete-objects.ts';
import { type ListObjects } from '#server/features/files/listing/list-objects.ts';
import type { ListPage, ListPages } from '#server/features/files/listing/list-pages.ts';
import { spaces, type Space } from '#server/domain/object-id.ts';
import { MetadataFailed, MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { MemoryListPages } from '#server/features/files/stores/memory/list-pages.ts';
import { type PlainPage } from '#test/support/list-page.ts';
import { shortestHoldMs } from '#test/support/loop-hold.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { all, files, pageOf } from './listed.ts';
import { store, storeAll } from '../stored.ts';

interface Named {
  readonly space: Space;
  readonly key: string;
}

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Returns the expected list, in the simplest way. A folder is named with the first space in which it has files. */
function expectedOf(
  some: readonly Named[],
  { prefix, isPrivate, delimiter }: Pick<ListObjects, 'prefix' | 'isPrivate' | 'delimiter'>,
) {
  const expected = { files: [] as string[], folders: [] as string[] };
  for (const space of spaces) {
    if (isPrivate !== undefined && isPrivate !== (space === 'private')) continue;
    const keys = some.filter((file) => file.space === space && file.key.startsWith(prefix)).map(({ key }) => key);
    const below = (key: string) => (delimiter ? key.indexOf('/', prefix.length) : -1);
    expected.files.push(
      ...keys
        .filter((key) => below(key) === -1)
        .sort(byBytes)
        .map((key) => `${space}:${key}`),
    );
    const folders = new Set(
      keys
        .filter((key) => below(key) !== -1)
        .map((key) => key.slice(0, below(key) + 1))
        .sort(byBytes),
    );
    expected.folders.push(...[...folders].filter((folder) => !expected.folders.includes(folder)));
  }
  return expected;
}

/** Reads page after page to the end. */
async function pagesOf(
  stores: TestStores & { readonly pages?: ListPages<PlainPage> },
  command: ListObjects,
): Promise<ListPage[]> {
  const deps = { ...stores, pages: stores.pages ?? new MemoryListPages<PlainPage>() };
  const pages: ListPage[] = [];
  let cursor: string | undefined;
  do {
    const page = await pageOf(deps, { ...command, cursor });
    pages.push(page);
    cursor = page.next;
    if (pages.length > 500) throw new Error('The list does not end.');
  } while (cursor !== undefined);
  return pages;
}

/**
 * Few letters, so that keys share prefixes. They include those around which UTF-8 and UTF-16 order, and the end of
 * Unicode, can go wrong.
 */
const letters = fc.constantFrom(
  'a',
  'b',
  '/',
  '/',
  '/',
  '.',
  '-',
  '0',
  ' ',
  '%',
  '_',
  '\u007e',
  '\u0080',
  'é',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '😀',
  '\u{10ffff}',
);
const keys = fc.array(letters, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const named = fc.record({ space: fc.constantFrom(...spaces), key: keys });
const library = fc.uniqueArray(named, { maxLength: 40, selector: ({ space, key }) => `${space}:${key}` });

describe('listObjects()', () => {
  let stores: TestStores;

  beforeAll(async () => {
    stores = await openTestStores();
  });
  afterAll(() => stores.close());

  it('returns the same files as a simple model over all pages: each once, in order, within the limit', async () => {
    const cuts = fc.record({ prefix: fc.oneof(fc.constant(''), keys), cutAt: fc.nat({ max: 6 }), pick: fc.nat() });
    await fc.assert(
      fc.asyncProperty(
        library,
        cuts,
        fc.constantFrom(true, false, undefined),
        fc.boolean(),
        fc.integer({ min: 1, max: 12 }),
        async (some, cut, isPrivate, delimiter, limit) => {
          const { id: accountId } = await stores.account();
          await storeAll(
            stores,
            some.map((file) => ({ accountId, ...file })),
          );
          // Mostly a leading part of an existing key. It is cut between characters, because a filter is UTF-8.
          const there = some[cut.pick % Math.max(some.length, 1)]?.key;
          const prefix =
            there === undefined || cut.pick % 4 === 0 ? cut.prefix : [...there].slice(0, cut.cutAt).join('');
          const command = { ...all, accountId, prefix, isPrivate, delimiter, limit };
          const expected = expectedOf(some, command);
          const pages = await pagesOf(stores, command);

          for (const page of pages) expect(page.objects.length + page.folders.length).toBeLessThanOrEqual(limit);
          for (const page of pages.slice(0, -1)) expect(page.objects.length + page.folders.length).toBeGreaterThan(0);
          expect(pages.flatMap(files)).toEqual(expected.files);
          expect(pages.flatMap((page) => page.folders)).toEqual(expected.folders);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('names a folder of several spaces once, on full pages, for any limit and beside expired files', async () => {
    const someKeys = fc.uniqueArray(
      fc
        .tuple(fc.constantFrom('a/', 'b/', 'b/c/', 'd/', ''), fc.constantFrom('1', '2', '3', '4'))
        .map((parts) => parts.join('')),
      { minLength: 1, maxLength: 12 },
    );
    const marked = fc.record({
      space: fc.constantFrom(...spaces),
      keys: someKeys,
      isGone: fc.constantFrom(false, false, true),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(marked, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', 'b/'),
        fc.constantFrom(true, false, undefined),
        async (groups, prefix, isPrivate) => {
          const { id: accountId } = await stores.account();
          const rows = new Map(
            groups.flatMap(({ space, keys, isGone }) =>
              keys.map((key) => [`${space}:${key}`, { space, key, isGone }] as const),
            ),
          );
          await storeAll(
            stores,
            [...rows.values()].map(({ space, key, isGone }) => ({
              accountId,
              space,
              key,
              expiresAt: isGone ? stores.clock.now() : null,
            })),
          );
          const there = [...rows.values()].filter(({ isGone }) => !isGone);
          const expected = expectedOf(there, { prefix, isPrivate, delimiter: true });
          const total = expected.files.length + expected.folders.length;
          for (let limit = 1; limit <= total + 1; limit++) {
            const pages = await pagesOf(stores, { ...all, accountId, prefix, isPrivate, delimiter: true, limit });
            expect(pages.flatMap(files)).toEqual(expected.files);
            expect(pages.flatMap((page) => page.folders)).toEqual(expected.folders);
            expect(
              pages.map((page) => page.objects.length + page.folders.length).slice(0, -1),
              `limit ${limit}`,
            ).toEqual(Array(Math.max(0, Math.ceil(total / limit) - 1)).fill(limit));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('ends a page early after a thousand listed folders, and does not block the process', async () => {
    const { id: accountId } = await stores.account();
    const keys = Array.from({ length: 2300 }, (_, number) => `${String(number).padStart(4, '0')}/a`);
    for (const space of ['public', 'private'] as const)
      await storeAll(
        stores,
        keys.map((key) => ({ accountId, space, key })),
      );
    await store(stores, { accountId, space: 'private', key: 'z' });
    const heldMs = await shortestHoldMs(async () => {
      const pages = await pagesOf(stores, { ...all, accountId, delimiter: true });
      expect(pages.flatMap((page) => page.folders)).toHaveLength(2300);
      expect(pages.map((page) => page.objects.length + page.folders.length)).toEqual([1000, 1000, 300, 0, 1]);
    });
    expect(heldMs).toBeLessThan(100);
  });

  it('lists public before private before legacy, each in byte order', async () => {
    const { id: accountId } = await stores.account();
    // UTF-16 order would put the astral character before U+FFFF.
    for (const space of ['legacy', 'private', 'public'] as const)
      await storeAll(
        stores,
        ['\u{10000}', '\uffff', 'b', 'B', 'a/b', 'a'].map((key) => ({ accountId, space, key })),
      );
    const [page] = await pagesOf(stores, { ...all, accountId });
    const ordered = ['B', 'a', 'a/b', 'b', '\uffff', '\u{10000}'];
    expect(files(page!)).toEqual(spaces.flatMap((space) => ordered.map((key) => `${space}:${key}`)));
  });

  it('lists legacy files as public ones', async () => {
    const { id: accountId } = await stores.account();
    for (const space of spaces) await store(stores, { accountId, space, key: 'x' });
    expect((await pagesOf(stores, { ...all, accountId, isPrivate: false })).flatMap(files)).toEqual([
      'public:x',
      'legacy:x',
    ]);
    expect((await pagesOf(stores, { ...all, accountId, isPrivate: true })).flatMap(files)).toEqual(['private:x']);
  });

  it('returns nothing of another account', async () => {
    const [{ id: mine }, { id: theirs }] = [await stores.account(), await stores.account()];
    await storeAll(stores, [
      { accountId: mine, key: 'a' },
      { accountId: theirs, key: 'b' },
    ]);
    expect((await pagesOf(stores, { ...all, accountId: mine })).flatMap(files)).toEqual(['public:a']);
  });

  it('counts files and folders towards the limit together', async () => {
    const { id: accountId } = await stores.account();
    await storeAll(
      stores,
      ['a', 'b/1', 'b/2', 'c', 'd/1', 'e'].map((key) => ({ accountId, key })),
    );
    const pages = await pagesOf(stores, { ...all, accountId, delimiter: true, limit: 2 });
    expect(pages.map((page) => [files(page), page.folders])).toEqual([
      [['public:a'], ['b/']],
      [['public:c'], ['d/']],
      [['public:e'], []],
    ]);
  });

  it('returns no further page when the last one is exactly full', async () => {
    const { id: accountId } = await stores.account();
    await storeAll(
      stores,
      ['a', 'b', 'c', 'd'].map((key) => ({ accountId, key })),
    );
    expect(await pagesOf(stores, { ...all, accountId, limit: 2 })).toHaveLength(2);
    expect(await pagesOf(stores, { ...all, accountId, limit: 4 })).toHaveLength(1);
  });

  it('skips large folders and long stretches of expired files', async () => {
    const { id: accountId } = await stores.account();
    const gone = stores.clock.now();
    await storeAll(stores, [
      ...Array.from({ length: 300 }, (_, number) => ({ accountId, key: `a/${String(number).padStart(3, '0')}` })),
      ...Array.from({ length: 300 }, (_, number) => ({
        accountId,
        key: `b/${String(number).padStart(3, '0')}`,
        expiresAt: gone,
      })),
      { accountId, key: 'c' },
    ]);
    const pages = await pagesOf(stores, { ...all, accountId, delimiter: true, limit: 2 });
    expect(pages.map((page) => [files(page), page.folders])).toEqual([[['public:c'], ['a/']]]);
    expect((await pagesOf(stores, { ...all, accountId, limit: 100 })).flatMap(files)).toHaveLength(301);
  });

  it('hides a file from the millisecond of its expiry, even on a cached page', async () => {
    const { id: accountId } = await stores.account();
    const pages = new MemoryListPages<PlainPage>();
    await store(stores, { accountId, key: 'a', expiresAt: stores.clock.now() + 1000 });
    await store(stores, { accountId, key: 'b' });
    const list = async (delimiter = false) =>
      files(await pageOf({ ...stores, pages }, { ...all, accountId, delimiter }));
    expect(await list()).toEqual(['public:a', 'public:b']);
    stores.clock.advance(999);
    expect(await list()).toEqual(['public:a', 'public:b']);
    stores.clock.advance(1);
    expect(await list()).toEqual(['public:b']);
    expect(await list(true)).toEqual(['public:b']);
  });

  it('drops a folder when the last file in it expires', async () => {
    const { id: accountId } = await stores.account();
    const pages = new MemoryListPages<PlainPage>();
    await store(stores, { accountId, key: 'a/x', expiresAt: stores.clock.now() + 1000 });
    const list = () => pageOf({ ...stores, pages }, { ...all, accountId, delimiter: true });
    expect((await list()).folders).toEqual(['a/']);
    stores.clock.advance(1000);
    expect((await list()).folders).toEqual([]);
  });

  it('continues after the last file of a page, even when that is deleted by then', async () => {
    const { id: accountId } = await stores.account();
    await storeAll(
      stores,
      ['a', 'b', 'c'].map((key) => ({ accountId, key })),
    );
    const deps = { ...stores, pages: new MemoryListPages<PlainPage>() };
    const first = await pageOf(deps, { ...all, accountId, limit: 2 });
    await stores.metadata.atomically((tx) => removeObject(tx, { accountId, space: 'public', key: 'b' }, systemActor));
    expect(files(await pageOf(deps, { ...all, accountId, limit: 2, cursor: first.next }))).toEqual(['public:c']);
  });

  it('throws INVALID_CONTINUATION_TOKEN for a cursor of other filters or of another account', async () => {
    const [{ id: accountId }, { id: other }] = [await stores.account(), await stores.account()];
    await storeAll(
      stores,
      ['a', 'b'].map((key) => ({ accountId, key })),
    );
    const deps = { ...stores, pages: new MemoryListPages<PlainPage>() };
    const { next } = await pageOf(deps, { ...all, accountId, limit: 1 });
    for (const change of [
      { prefix: 'b' },
      { isPrivate: false },
      { delimiter: true },
      { accountId: other },
      { cursor: `${next}x` },
    ]) {
      const command = { ...all, accountId, cursor: next, ...change };
      await expect(pageOf(deps, command), JSON.stringify(change)).rejects.toMatchObject({
        code: 'INVALID_CONTINUATION_TOKEN',
      });
    }
    // Another page size is not another filter.
    expect(files(await pageOf(deps, { ...all, accountId, cursor: next }))).toEqual(['public:b']);
  });

  it('throws INVALID_OBJECT_PREFIX for more than 1024 bytes', async () => {
    const { id: accountId } = await stores.account();
    const deps = { ...stores, pages: new MemoryListPages<PlainPage>() };
    await expect(pageOf(deps, { ...all, accountId, prefix: 'é'.repeat(512) })).resolves.toBeDefined();
    await expect(pageOf(deps, { ...all, accountId, prefix: `${'é'.repeat(512)}x` })).rejects.toMatchObject({
      code: 'INVALID_OBJECT_PREFIX',
    });
  });

  it('throws LIST_FAILED with its cause when the store is broken, and passes on that it is unavailable', async () => {
    const { id: accountId } = await stores.account();
    await store(stores, { accountId, space: 'legacy', key: 'a' });
    const { objects } = stores.metadata.read;
    const listed = (call: 'scan' | 'find', fault: Error) => {
      const failing = { ...objects, [call]: () => Promise.reject(fault) };
      const metadata = { read: { ...stores.metadata.read, objects: failing } };
      return pageOf({ ...stores, metadata, pages: new MemoryListPages<PlainPage>() }, { ...all, accountId });
    };
    const broken = new MetadataFailed('broken', undefined);
    const away = new MetadataUnavailable('away', undefined);
    for (const call of ['scan', 'find'] as const) {
      await expect(listed(call, broken)).rejects.toMatchObject({ code: 'LIST_FAILED', cause: broken });
      await expect(listed(call, away)).rejects.toBe(away);
    }
  });
});
