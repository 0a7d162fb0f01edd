import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ActivityEntry, ActivityRecord } from '#server/domain/activity/activity.ts';
import { listActivity } from '#server/domain/activity/list-activity.ts';
import type { ActivityFilter } from '#server/domain/activity/table.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';

const minute = 60_000;

/** One entry: its kind, its key, the key of its file, and the minutes after the one before. */
type Sample = readonly [ActivityRecord['type'], string | undefined, string | null, number];

async function record(stores: TestStores, accountId: string, samples: readonly Sample[]): Promise<void> {
  const start = stores.clock.now();
  let minutes = 0;
  await stores.metadata.atomically(async (tx) => {
    for (const [type, keyId, key, later] of samples) {
      minutes += later;
      const object = key === null ? null : ({ accountId, space: 'public', key } as const);
      const actor = { sourceIp: null, userAgent: null, auth: 's3', keyId } as const;
      await tx.activity.add({ accountId, type, object, details: {}, actor }, start + minutes * minute);
    }
  });
}

async function all(stores: TestStores, accountId: string, filter: ActivityFilter, limit = 7) {
  const found: ActivityEntry[] = [];
  let pages = 0;
  for (let cursor: string | undefined; ;) {
    const page = await listActivity(stores, { accountId, prefixes: null, limit, cursor, filter });
    found.push(...page.entries);
    pages += 1;
    if (page.next === undefined) return { sequences: found.map(({ sequence }) => sequence), pages };
    cursor = page.next;
  }
}

describe('listActivity() with filters', () => {
  it('agrees with a simple model', async () => {
    const stores = await openTestStores();
    const start = stores.clock.now();
    const samples = fc.array(
      fc.tuple(
        fc.constantFrom('object.uploaded', 'object.deleted', 'key.created'),
        fc.constantFrom('k1', 'k2', undefined),
        fc.constantFrom('a/1', 'a/2', 'ab/1', 'a%/1', 'é/1', null),
        // Up to a clock that goes back by 5 minutes.
        fc.integer({ min: -5, max: 60 }),
      ),
      { maxLength: 25 },
    );
    const at = fc.option(fc.integer({ min: 0, max: 600 }), { nil: undefined });
    const filters = fc.record({
      type: fc.constantFrom(undefined, 'object.deleted', 'key.created', 'share.created'),
      keyId: fc.constantFrom(undefined, 'k1', 'k3'),
      auth: fc.constantFrom(undefined, 's3', 'rule'),
      prefix: fc.constantFrom(undefined, 'a', 'a/', 'a%', 'é', '\u{10ffff}'),
      from: at,
      length: at,
    });
    await fc.assert(
      fc.asyncProperty(samples, filters, async (some, { from, length, ...filter }) => {
        const { id } = await stores.account();
        await record(stores, id, some as Sample[]);
        const to = length === undefined ? undefined : (from ?? 0) + length + 1;
        const instants = { from: from && start + from * minute, to: to && start + to * minute };
        let minutes = 0;
        const shown = some.flatMap(([type, keyId, key, later], index) => {
          minutes += later;
          const fits =
            (filter.type === undefined || type === filter.type) &&
            (filter.keyId === undefined || keyId === filter.keyId) &&
            (filter.auth === undefined || filter.auth === 's3') &&
            (filter.prefix === undefined || (key?.startsWith(filter.prefix) ?? false)) &&
            (!from || minutes >= from) &&
            (to === undefined || minutes < to);
          return fits ? [index + 1] : [];
        });
        const found = await all(stores, id, { ...filter, ...instants } as ActivityFilter);
        expect(found.sequences).toEqual(shown.toReversed());
      }),
      { numRuns: 60 },
    );
  });

  it('finds all of many entries, in pages that look through a part of them', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    await stores.change(`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 23000)
      INSERT INTO activity (account_id, sequence, type, at, space, key, details, auth, by_key)
      SELECT '${id}', n, CASE WHEN n IN (101, 22001) THEN 'object.deleted' ELSE 'object.uploaded' END,
        ${stores.clock.now()}, 0, CASE WHEN n IN (101, 22001) THEN 'rare/1' WHEN n % 2 = 1 THEN 'a/1' ELSE 'b/1' END,
        '{}', 's3', CASE WHEN n IN (101, 22001) THEN 'k2' ELSE 'k1' END
      FROM numbers`);
    const rare = [22_001, 101];
    for (const filter of [
      { prefix: 'rare' },
      { type: 'object.deleted' },
      { keyId: 'k2' },
      { type: 'object.deleted', keyId: 'k2', prefix: 'rare/' },
    ] as const)
      expect(await all(stores, id, filter)).toEqual({ sequences: rare, pages: 1 });
    expect((await all(stores, id, { prefix: 'a/', auth: 's3' }, 100)).sequences).toHaveLength(11_498);
    expect(await all(stores, id, { prefix: 'a/', type: 'object.deleted' })).toEqual({ sequences: [], pages: 1 });
  });

  it('throws for times in the wrong order, and for a prefix that no file has', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    await expect(all(stores, id, { from: 5, to: 5 })).rejects.toMatchObject({ code: 'INVALID_TIME_RANGE' });
    await expect(all(stores, id, { prefix: 'ü'.repeat(513) })).rejects.toMatchObject({ code: 'INVALID_OBJECT_PREFIX' });
  });
});
