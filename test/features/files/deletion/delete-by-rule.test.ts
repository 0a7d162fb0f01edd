import { describe, expect, it } from 'vitest';

import { deleteByRule } from '#server/features/files/deletion/delete-by-rule.ts';
import { spaces } from '#server/domain/object-id.ts';
import type { Rule } from '#server/features/rules/rule.ts';
import { openTestStores } from '#test/support/stores.ts';
import { ruleWith, saveRules } from '#test/features/rules/rules.ts';
import { storeAll } from '../stored.ts';

const day = 86_400_000;

async function start(rules: readonly Partial<Rule>[], files: Readonly<Record<string, number>>) {
  const stores = await openTestStores();
  const { id } = await stores.account();
  const now = stores.clock.now();
  const save = (...all: readonly Partial<Rule>[]) =>
    saveRules(stores, id, ...all.map((rule) => ruleWith({ createdAt: now - day, deleteAfterDays: 30, ...rule })));
  await save(...rules);
  await storeAll(
    stores,
    Object.entries(files).map(([key, age]) => ({ accountId: id, key, createdAt: now - age })),
  );
  const left = async () =>
    (await stores.metadata.read.objects.scan({ accountId: id, space: 'public', prefix: '', limit: 1000 })).map(
      ({ key }) => key,
    );
  return { stores, id, now, save, left, run: (at = now) => deleteByRule(stores, at) };
}

describe('deleteByRule()', () => {
  it('prefix rule deletion: rule saved; automatic deletion starts acting 24 hours later (active_from)', async () => {
    const { now, left, run } = await start([{ createdAt: 0 + Date.parse('2026-04-21T09:30:00Z') }], {
      'invoices/old.pdf': 365 * day,
    });
    expect(await run(now)).toBe(0);
    expect(await run(now + day - 1)).toBe(0);
    expect(await left()).toEqual(['invoices/old.pdf']);
    expect(await run(now + day)).toBe(1);
    expect(await left()).toEqual([]);
  });

  it('deletes files of the given age, to the millisecond, under the prefix only', async () => {
    const old = 31 * day;
    const { left, run } = await start([{}], {
      'invoices/a': 30 * day,
      'invoices/b': 30 * day - 1,
      'invoices/x/y/z': old,
      'invoices-2/a': old,
      invoices: old,
      'INVOICES/a': old,
      'a/invoices/a': old,
    });
    expect(await run()).toBe(2);
    expect(await left()).toEqual(['INVOICES/a', 'a/invoices/a', 'invoices', 'invoices-2/a', 'invoices/b']);
  });

  it("deletes in all three spaces, only of the rule's account, with the usage of the files", async () => {
    const { stores, id, now, run } = await start([{}], {});
    const other = await stores.account();
    await storeAll(stores, [
      ...spaces.map((space) => ({ accountId: id, space, key: 'invoices/a', createdAt: 0 })),
      { accountId: other.id, key: 'invoices/a', createdAt: 0 },
    ]);
    expect(await run(now)).toBe(3);
    expect(await stores.metadata.read.accounts.find(id)).toMatchObject({ usedObjects: 0, usedBytes: 0 });
    expect(await stores.metadata.read.accounts.find(other.id)).toMatchObject({ usedObjects: 1 });
  });

  it('leaves files to a longer prefix, even when that deletes later, not yet or not at all', async () => {
    const rules = [
      {},
      { prefix: 'invoices/keep/', deleteAfterDays: null },
      { prefix: 'invoices/long/', deleteAfterDays: 300 },
      { prefix: 'invoices/soon/', createdAt: Date.parse('2026-04-21T09:30:00Z') },
    ];
    const { left, run } = await start(rules, {
      'invoices/a': 40 * day,
      'invoices/keep/a': 40 * day,
      'invoices/long/a': 40 * day,
      'invoices/long/b': 300 * day,
      'invoices/soon/a': 40 * day,
    });
    expect(await run()).toBe(2);
    expect(await left()).toEqual(['invoices/keep/a', 'invoices/long/a', 'invoices/soon/a']);
  });

  it('works through many files in batches, even when two runs overlap', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 350 }, (_, at) => [`invoices/${at}`, at % 2 === 0 ? 31 * day : day]),
    );
    const { left, run } = await start([{}], files);
    const counts = await Promise.all([run(), run()]);
    expect(counts[0]! + counts[1]!).toBe(175);
    expect(await left()).toHaveLength(175);
  });

  it('deletes nothing once the rule is removed, even between reading and deleting', async () => {
    const { stores, now, save, left } = await start([{}], { 'invoices/a': 40 * day });
    const listOf = stores.metadata.read.rules.listOf;
    const rules = {
      ...stores.metadata.read.rules,
      listOf: async (id: string) => {
        const before = await listOf(id);
        await save();
        return before;
      },
    };
    const metadata = {
      read: { ...stores.metadata.read, rules },
      atomically: stores.metadata.atomically.bind(stores.metadata),
    };
    expect(await deleteByRule({ metadata }, now)).toBe(0);
    expect(await left()).toEqual(['invoices/a']);
  });

  describe('in repeated runs', () => {
    const hour = 3_600_000;

    /** Like `start`, with a function that returns the keys that a run has looked at. */
    async function startWatched(rules: readonly Partial<Rule>[], files: Readonly<Record<string, number>>) {
      const started = await start(rules, files);
      const { read } = started.stores.metadata;
      let seen: string[] = [];
      const watched = <Scan, Step extends { readonly files: ReadonlyArray<{ readonly key: string }> }>(
        real: (scan: Scan) => Promise<Step>,
      ) => {
        return async (scan: Scan): Promise<Step> => {
          const step = await real(scan);
          seen.push(...step.files.map(({ key }) => key));
          return step;
        };
      };
      const { scanByAge, scanAgedByKey } = read.objects;
      const objects = { ...read.objects, scanByAge: watched(scanByAge), scanAgedByKey: watched(scanAgedByKey) };
      const metadata = {
        read: { ...read, objects },
        atomically: started.stores.metadata.atomically.bind(started.stores.metadata),
      };
      const runSeeing = async (at: number) => {
        seen = [];
        await deleteByRule({ metadata }, at);
        return seen;
      };
      return { ...started, metadata, runSeeing };
    }

    const keeping = [{}, { prefix: 'invoices/kept/', deleteAfterDays: null }];

    it('looks only at files that have come of age since the last run, and once a day at all old ones', async () => {
      const { now, left, runSeeing } = await startWatched(keeping, {
        'invoices/a': 40 * day,
        'invoices/kept/a': 40 * day,
        'invoices/b': 30 * day - hour,
        'invoices/kept/b': 30 * day - hour,
        'invoices/c': day,
      });
      expect(await runSeeing(now)).toEqual(['invoices/a', 'invoices/kept/a']);
      expect(await runSeeing(now)).toEqual([]);
      expect(await runSeeing(now + hour - 1)).toEqual([]);
      expect(await runSeeing(now + hour)).toEqual(['invoices/b', 'invoices/kept/b']);
      expect(await runSeeing(now + day)).toEqual(['invoices/kept/a', 'invoices/kept/b']);
      expect(await left()).toEqual(['invoices/c', 'invoices/kept/a', 'invoices/kept/b']);
    });

    it('looks at no file beside its prefix', async () => {
      const { now, runSeeing } = await startWatched([{}], { 'kept/a': 40 * day, 'kept/b': 30 * day - hour });
      for (const at of [now, now + hour, now + day]) expect(await runSeeing(at)).toEqual([]);
    });

    it('looks at all old files again when rules were saved or the clock went back', async () => {
      const { now, save, runSeeing } = await startWatched(keeping, { 'invoices/kept/a': 40 * day });
      expect(await runSeeing(now + 1)).toEqual(['invoices/kept/a']);
      await save(...keeping);
      expect(await runSeeing(now + 1)).toEqual(['invoices/kept/a']);
      expect(await runSeeing(now)).toEqual(['invoices/kept/a']);
      expect(await runSeeing(now + 1)).toEqual([]);
    });

    it('finds all files, whether few are under the prefix or few are old', async () => {
      const some = (prefix: string, count: number, age: number) =>
        Array.from({ length: count }, (_, at) => [`${prefix}${at}`, age] as const);
      for (const others of [some('others/', 2_500, 40 * day), some('invoices/new/', 2_500, day)]) {
        const { now, left, runSeeing } = await startWatched([{}], {
          ...Object.fromEntries(others),
          ...Object.fromEntries(some('invoices/', 3, 40 * day)),
        });
        const seen = await runSeeing(now);
        expect(new Set(seen)).toEqual(new Set(['invoices/0', 'invoices/1', 'invoices/2']));
        expect((await left()).filter((key) => /^invoices\/\d/.test(key))).toEqual([]);
      }
    });

    it('deletes a file that is stored with an old date within a day', async () => {
      const { stores, id, now, left, run } = await start([{}], {});
      await run();
      await storeAll(stores, [{ accountId: id, key: 'invoices/late', createdAt: now - 40 * day }]);
      expect(await run()).toBe(0);
      expect(await run(now + day)).toBe(1);
      expect(await left()).toEqual([]);
    });

    it('skips no file when a longer rule is removed while it runs', async () => {
      const { stores, id, now, save, left, metadata, run } = await startWatched(
        [{}, { prefix: 'invoices/keep/', deleteAfterDays: null }],
        { 'invoices/keep/a': 40 * day },
      );
      const { objects } = metadata.read;
      const scanAgedByKey: typeof objects.scanAgedByKey = async (scan) => {
        const step = await objects.scanAgedByKey(scan);
        await save({});
        return step;
      };
      expect(
        await deleteByRule(
          { metadata: { ...metadata, read: { ...metadata.read, objects: { ...objects, scanAgedByKey } } } },
          now,
        ),
      ).toBe(0);
      expect(await stores.metadata.read.rules.sweptUntil(id, 'invoices/')).toBeUndefined();
      expect(await run()).toBe(1);
      expect(await left()).toEqual([]);
    });
  });
});
