import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatActivityCursor, parseActivityCursor } from '#server/domain/activity/activity-cursor.ts';
import { systemActor } from '#server/domain/activity/activity.ts';
import { forgetOldActivity } from '#server/domain/activity/forget-old-activity.ts';
import { listActivity, type ListActivity } from '#server/domain/activity/list-activity.ts';
import { masterSecrets } from '#server/stores/system/secrets.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';

const day = 86_400_000;

/** Records one upload of each key, and of none for null, oldest first. */
function record(stores: TestStores, accountId: string, keys: ReadonlyArray<string | null>): Promise<void> {
  return stores.metadata.atomically(async (tx) => {
    for (const key of keys) {
      const object = key === null ? null : ({ accountId, space: 'public', key } as const);
      await tx.activity.add({ accountId, type: key === null ? 'key.created' : 'object.uploaded', object, details: {}, actor: systemActor }, tx.now);
    }
  });
}

/** All pages, each as the sequences on it. */
async function pages(stores: TestStores, accountId: string, change: Partial<ListActivity> = {}): Promise<number[][]> {
  const all: number[][] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listActivity(stores, { accountId, prefixes: null, limit: 10, cursor, ...change });
    all.push(page.entries.map(({ sequence }) => sequence));
    if (page.next === undefined) return all;
    cursor = page.next;
  }
}

describe('listActivity()', () => {
  it('shows an account what happened in it, newest first, and no other', async () => {
    const stores = await openTestStores();
    const [{ id }, { id: otherId }] = [await stores.account(), await stores.account()];
    await record(stores, id, ['a', null, 'b']);
    await record(stores, otherId, ['c']);
    const { entries, next } = await listActivity(stores, { accountId: id, prefixes: null, limit: 100, cursor: undefined });
    expect(entries.map(({ object }) => object?.key)).toEqual(['b', undefined, 'a']);
    expect(next).toBeUndefined();
  });

  it('has a next page exactly when there is more', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    expect(await pages(stores, id)).toEqual([[]]);
    await record(stores, id, ['a', 'b', 'c', 'd']);
    expect(await pages(stores, id, { limit: 5 })).toEqual([[4, 3, 2, 1]]);
    expect(await pages(stores, id, { limit: 4 })).toEqual([[4, 3, 2, 1]]);
    expect(await pages(stores, id, { limit: 3 })).toEqual([[4, 3, 2], [1]]);
    expect(await pages(stores, id, { limit: 1 })).toEqual([[4], [3], [2], [1]]);
  });

  it('leaves nothing out and shows nothing twice while more happens between the pages', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    await record(stores, id, ['a', 'b', 'c', 'd']);
    const first = await listActivity(stores, { accountId: id, prefixes: null, limit: 2, cursor: undefined });
    await record(stores, id, ['e', 'f']);
    const second = await listActivity(stores, { accountId: id, prefixes: null, limit: 2, cursor: first.next });
    expect([...first.entries, ...second.entries].map(({ sequence }) => sequence)).toEqual([4, 3, 2, 1]);
    expect(second.next).toBeUndefined();
  });

  it('shows a key that is restricted to prefixes what concerns files below them, page by page, and nothing else', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    await record(stores, id, ['photos/a', null, 'photos-2025/a', 'photos', 'docs/a', 'photos/b/c', 'docs/x/b', 'PHOTOS/a', null]);
    expect(await pages(stores, id, { prefixes: ['photos'] })).toEqual([[6, 1]]);
    expect(await pages(stores, id, { prefixes: ['photos', 'docs/x'], limit: 2 })).toEqual([[7, 6], [1]]);
    expect(await pages(stores, id, { prefixes: ['photos', 'docs/x'], limit: 3 })).toEqual([[7, 6, 1]]);
    expect(await pages(stores, id, { prefixes: ['nothing'] })).toEqual([[]]);
  });

  it('looks at so much for one page of a restricted key, and goes on from there on the next', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    await record(stores, id, ['photos/a', ...Array<string>(11_000).fill('other'), 'photos/b']);
    expect(await pages(stores, id, { prefixes: ['photos'] })).toEqual([[11_002], [1]]);
    let looks = 0;
    const { read } = stores.metadata;
    const metadata = { read: { ...read, activity: { scan: (scan: Parameters<typeof read.activity.scan>[0]) => (looks++, read.activity.scan(scan)) } } };
    await listActivity({ ...stores, metadata }, { accountId: id, prefixes: ['photos'], limit: 10, cursor: undefined });
    expect(looks).toBe(20);
  });

  it('agrees with a simple model', async () => {
    const stores = await openTestStores();
    const keys = fc.array(fc.constantFrom('a/1', 'a/2', 'b/1', 'ab/1', null), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(keys, fc.constantFrom(null, ['a'], ['b', 'ab'], ['c']), fc.integer({ min: 1, max: 12 }), async (some, prefixes, limit) => {
        const { id } = await stores.account();
        await record(stores, id, some);
        const shown = some.flatMap((key, at) => (prefixes === null || prefixes.some((prefix) => key?.startsWith(`${prefix}/`)) ? [at + 1] : [])).toReversed();
        const all = await pages(stores, id, { prefixes, limit });
        expect(all.flat()).toEqual(shown);
        expect(all.length).toBe(Math.max(1, Math.ceil(shown.length / limit)));
      }),
      { numRuns: 60 },
    );
  });

  it('shows nothing that is 90 days old, also when no job has come by', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    await record(stores, id, ['old']);
    stores.clock.advance(1);
    await record(stores, id, ['new']);
    stores.clock.advance(90 * day - 1);
    expect(await pages(stores, id)).toEqual([[2]]);
    expect(await pages(stores, id, { limit: 1 })).toEqual([[2]]);
    stores.clock.advance(1);
    expect(await pages(stores, id)).toEqual([[]]);
  });

  it('answers INVALID_CONTINUATION_TOKEN to the cursor of another account', async () => {
    const stores = await openTestStores();
    const [{ id }, { id: otherId }] = [await stores.account(), await stores.account()];
    await record(stores, id, ['a', 'b']);
    const { next } = await listActivity(stores, { accountId: id, prefixes: null, limit: 1, cursor: undefined });
    await expect(listActivity(stores, { accountId: otherId, prefixes: null, limit: 1, cursor: next })).rejects.toMatchObject({ code: 'INVALID_CONTINUATION_TOKEN' });
  });
});

describe('parseActivityCursor()', () => {
  const secrets = masterSecrets(Buffer.alloc(32, 1));
  const accountId = '204815162342108999';
  const invalid = expect.objectContaining({ code: 'INVALID_CONTINUATION_TOKEN' });

  it('reads what formatActivityCursor() wrote', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (before) => void expect(parseActivityCursor(secrets, formatActivityCursor(secrets, before, accountId), accountId)).toBe(before)));
  });

  it('answers INVALID_CONTINUATION_TOKEN to every other text', () => {
    const cursor = formatActivityCursor(secrets, 123_456, accountId);
    const [position, signature] = cursor.split('.') as [string, string];
    for (const one of ['', '.', position, `${position}.`, `.${signature}`, `0${cursor}`, `${position}a.${signature}`, `${cursor}\n`, `${cursor}A`, `${position}.${'A'.repeat(43)}`, cursor.toUpperCase()]) {
      expect(() => parseActivityCursor(secrets, one, accountId), one).toThrow(invalid);
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void expect(() => parseActivityCursor(secrets, text, accountId)).toThrow(invalid)));
  });

  it('takes none that another server, or the signature for another purpose, made', () => {
    expect(() => parseActivityCursor(secrets, formatActivityCursor(masterSecrets(Buffer.alloc(32, 2)), 1, accountId), accountId)).toThrow(invalid);
    const relabelled = { sign: (_purpose: string, text: string) => secrets.sign('list-cursor', text) };
    expect(() => parseActivityCursor(secrets, formatActivityCursor(relabelled, 1, accountId), accountId)).toThrow(invalid);
  });
});

describe('forgetOldActivity()', () => {
  it('removes what is older than 90 days, in batches, of every account, and may be called twice', async () => {
    const stores = await openTestStores();
    const [{ id }, { id: otherId }] = [await stores.account(), await stores.account()];
    await record(stores, id, Array<string>(1200).fill('old'));
    await record(stores, otherId, ['old']);
    stores.clock.advance(2);
    await record(stores, id, ['new']);
    let batches = 0;
    const metadata = { atomically: <T>(work: Parameters<typeof stores.metadata.atomically<T>>[0]) => (batches++, stores.metadata.atomically(work)) };
    const forget = () => forgetOldActivity({ metadata, clock: stores.clock });
    expect([await forget(), batches]).toEqual([0, 1]);
    stores.clock.advance(90 * day - 1);
    expect([await forget(), batches]).toEqual([1201, 4]);
    expect(await forget()).toBe(0);
    expect((await stores.metadata.read.activity.scan({ accountId: id, limit: 10 })).map(({ object }) => object?.key)).toEqual(['new']);
  });
});
