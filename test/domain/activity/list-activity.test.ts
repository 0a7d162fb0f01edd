import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import { forgetActivity } from '#server/domain/jobs/forget.ts';
import { listActivity, type ListActivity } from '#server/domain/activity/list-activity.ts';
import { formatCursor } from '#server/domain/sequence-cursor.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { prefixes } from '#test/support/parsed.ts';

const day = 86_400_000;

/** Records one upload of each key, oldest first. `null` records an entry without a file. */
function record(stores: TestStores, accountId: string, keys: ReadonlyArray<string | null>): Promise<void> {
  return stores.metadata.atomically(async (tx) => {
    for (const key of keys) {
      const object = key === null ? null : ({ accountId, space: 'public', key } as const);
      await tx.activity.add(
        { accountId, type: key === null ? 'key.created' : 'object.uploaded', object, details: {}, actor: systemActor },
        tx.now,
      );
    }
  });
}

/** Returns all pages, each as the sequences on it. */
async function pages(stores: TestStores, accountId: string, change: Partial<ListActivity> = {}): Promise<number[][]> {
  const all: number[][] = [];
  for (let cursor: string | undefined; ;) {
    const page = await listActivity(stores, { accountId, prefixes: null, limit: 10, cursor, ...change });
    all.push(page.entries.map(({ sequence }) => sequence));
    if (page.next === undefined) return all;
    cursor = page.next;
  }
}

describe('listActivity()', () => {
  it('returns the activity of the account only, newest first', async () => {
    const stores = await openTestStores();
    const [{ id }, { id: otherId }] = [await stores.account(), await stores.account()];
    await record(stores, id, ['a', null, 'b']);
    await record(stores, otherId, ['c']);
    const { entries, next } = await listActivity(stores, {
      accountId: id,
      prefixes: null,
      limit: 100,
      cursor: undefined,
    });
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

  it('omits and repeats no entry while more happens between the pages', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    await record(stores, id, ['a', 'b', 'c', 'd']);
    const first = await listActivity(stores, { accountId: id, prefixes: null, limit: 2, cursor: undefined });
    await record(stores, id, ['e', 'f']);
    const second = await listActivity(stores, { accountId: id, prefixes: null, limit: 2, cursor: first.next });
    expect([...first.entries, ...second.entries].map(({ sequence }) => sequence)).toEqual([4, 3, 2, 1]);
    expect(second.next).toBeUndefined();
  });

  it('returns to a key with prefixes only entries about files below them, page by page', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    await record(stores, id, [
      'photos/a',
      null,
      'photos-2025/a',
      'photos',
      'docs/a',
      'photos/b/c',
      'docs/x/b',
      'PHOTOS/a',
      null,
    ]);
    expect(await pages(stores, id, { prefixes: prefixes('photos') })).toEqual([[6, 1]]);
    expect(await pages(stores, id, { prefixes: prefixes('photos', 'docs/x'), limit: 2 })).toEqual([[7, 6], [1]]);
    expect(await pages(stores, id, { prefixes: prefixes('photos', 'docs/x'), limit: 3 })).toEqual([[7, 6, 1]]);
    expect(await pages(stores, id, { prefixes: prefixes('nothing') })).toEqual([[]]);
  });

  it.each([
    ['source', 'object.copied'],
    ['from', 'object.updated'],
  ] as const)(
    'returns to a key with prefixes only the file below them when an entry has a second file in %s',
    async (field, type) => {
      const stores = await openTestStores();
      const { id: accountId } = await stores.account();
      const at = (key: string) => ({ accountId, space: 'private', key }) as const;
      const pairs = [
        ['photos/a', 'photos/b'],
        ['photos/a', 'docs/b'],
        ['docs/a', 'photos/b'],
        ['docs/a', 'docs/b'],
        ['docs/a', 'photos-2025/b'],
      ] as const;
      await stores.metadata.atomically(async (tx) => {
        for (const [source, target] of pairs)
          await tx.activity.add(
            {
              accountId,
              type,
              object: at(target),
              details: { [field]: `prv/${accountId}/${source}`, moved: true, original_name: `${target}.pdf` },
              actor: systemActor,
            },
            tx.now,
          );
      });
      const { entries } = await listActivity(stores, {
        accountId,
        prefixes: prefixes('photos'),
        limit: 10,
        cursor: undefined,
      });
      const named = { original_name: 'photos/b.pdf' };
      expect(entries.map(({ sequence, object, details }) => ({ sequence, object, details }))).toEqual([
        { sequence: 3, object: at('photos/b'), details: { moved: true, ...named } },
        { sequence: 2, object: null, details: { [field]: `prv/${accountId}/photos/a`, moved: true } },
        {
          sequence: 1,
          object: at('photos/b'),
          details: { [field]: `prv/${accountId}/photos/a`, moved: true, ...named },
        },
      ]);
      expect(JSON.stringify(entries)).not.toContain('docs');
      expect(
        (await listActivity(stores, { accountId, prefixes: null, limit: 10, cursor: undefined })).entries,
      ).toHaveLength(5);
    },
  );

  it.each([null, 7, '', 'photos/a', 'pub/204815162342108999/photos/a'])(
    'ignores %j in source, which names no file of the account',
    async (source) => {
      const stores = await openTestStores();
      const { id: accountId } = await stores.account();
      const object = { accountId, space: 'public', key: 'docs/a' } as const;
      await stores.metadata.atomically((tx) =>
        tx.activity.add({ accountId, type: 'object.copied', object, details: { source }, actor: systemActor }, tx.now),
      );
      expect(await pages(stores, accountId, { prefixes: prefixes('photos') })).toEqual([[]]);
    },
  );

  it('stops at the first entry that is 90 days old, and reads in steps of at least a hundred', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    await record(stores, id, Array<string>(3000).fill('photos/old'));
    stores.clock.advance(1);
    await record(stores, id, Array<string>(150).fill('photos/new'));
    stores.clock.advance(90 * day - 1);
    const steps: number[] = [];
    const { read } = stores.metadata;
    const metadata = {
      read: {
        ...read,
        activity: {
          ...read.activity,
          scan: (scan: Parameters<typeof read.activity.scan>[0]) => (steps.push(scan.limit), read.activity.scan(scan)),
        },
      },
    };
    const cursor = formatCursor(stores.secrets, { purpose: 'activity-cursor', ownerId: id }, 3100);
    for (const [allowed, limit] of [
      [null, 1],
      [null, 100],
      [prefixes('photos'), 100],
      [prefixes('nothing'), 1],
    ] as const) {
      steps.length = 0;
      const page = await listActivity({ ...stores, metadata }, { accountId: id, prefixes: allowed, limit, cursor });
      expect([page.next === undefined, steps.length]).toEqual([limit > 1 || allowed !== null, 1]);
      expect(Math.min(...steps)).toBeGreaterThanOrEqual(100);
    }
    expect(await pages(stores, id, { prefixes: prefixes('nothing'), limit: 1 })).toEqual([[]]);
  });

  it('yields to other work while it reads many entries', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    await record(stores, id, Array<string>(10_000).fill(`docs/${'x'.repeat(500)}`));
    let turns = 0;
    const turn = (): NodeJS.Immediate => setImmediate(() => (turns++, (next = turn())));
    let next = turn();
    const startedAt = performance.now();
    await listActivity(stores, { accountId: id, prefixes: prefixes('photos'), limit: 1, cursor: undefined });
    clearImmediate(next);
    console.log(`10,000 entries: ${turns} turns in ${(performance.now() - startedAt).toFixed(1)} ms`);
    // The whole read takes several times the 8 ms after which a step yields.
    expect(turns).toBeGreaterThan(1);
  });

  it('limits the reads for one page of a key with prefixes, and continues there on the next page', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    await record(stores, id, ['photos/a', ...Array<string>(11_000).fill('other'), 'photos/b']);
    expect(await pages(stores, id, { prefixes: prefixes('photos') })).toEqual([[11_002], [1]]);
    let looks = 0;
    const { read } = stores.metadata;
    const metadata = {
      read: {
        ...read,
        activity: {
          ...read.activity,
          scan: (scan: Parameters<typeof read.activity.scan>[0]) => (looks++, read.activity.scan(scan)),
        },
      },
    };
    await listActivity(
      { ...stores, metadata },
      { accountId: id, prefixes: prefixes('photos'), limit: 10, cursor: undefined },
    );
    expect(looks).toBe(100);
  });

  it('agrees with a simple model', async () => {
    const stores = await openTestStores();
    const keys = fc.array(fc.constantFrom('a/1', 'a/2', 'b/1', 'ab/1', null), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        keys,
        fc.constantFrom(null, prefixes('a'), prefixes('b', 'ab'), prefixes('c')),
        fc.integer({ min: 1, max: 12 }),
        async (some, allowed, limit) => {
          const { id } = await stores.account();
          await record(stores, id, some);
          const shown = some
            .flatMap((key, at) =>
              allowed === null || allowed.some((prefix) => key?.startsWith(`${prefix}/`)) ? [at + 1] : [],
            )
            .toReversed();
          const all = await pages(stores, id, { prefixes: allowed, limit });
          expect(all.flat()).toEqual(shown);
          expect(all.length).toBe(Math.max(1, Math.ceil(shown.length / limit)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('returns nothing that is 90 days old, even before the job has run', async () => {
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

  it('throws INVALID_CONTINUATION_TOKEN for the cursor of another account', async () => {
    const stores = await openTestStores();
    const [{ id }, { id: otherId }] = [await stores.account(), await stores.account()];
    await record(stores, id, ['a', 'b']);
    const { next } = await listActivity(stores, { accountId: id, prefixes: null, limit: 1, cursor: undefined });
    await expect(
      listActivity(stores, { accountId: otherId, prefixes: null, limit: 1, cursor: next }),
    ).rejects.toMatchObject({ code: 'INVALID_CONTINUATION_TOKEN' });
  });
});

describe('forgetActivity()', () => {
  it('removes entries of all accounts that are older than 90 days, in batches, and may be called twice', async () => {
    const stores = await openTestStores();
    const [{ id }, { id: otherId }] = [await stores.account(), await stores.account()];
    await record(stores, id, Array<string>(1200).fill('old'));
    await record(stores, otherId, ['old']);
    stores.clock.advance(2);
    await record(stores, id, ['new']);
    let batches = 0;
    const metadata = {
      atomically: <T>(work: Parameters<typeof stores.metadata.atomically<T>>[0]) => (
        batches++,
        stores.metadata.atomically(work)
      ),
    };
    const forget = () => forgetActivity({ metadata }, stores.clock.now());
    expect([await forget(), batches]).toEqual([0, 1]);
    stores.clock.advance(90 * day - 1);
    expect([await forget(), batches]).toEqual([1201, 4]);
    expect(await forget()).toBe(0);
    expect(
      (await stores.metadata.read.activity.scan({ accountId: id, limit: 10 })).map(({ object }) => object?.key),
    ).toEqual(['new']);
  });
});
