import { describe, expect, it } from 'vitest';

import type { Rule } from '#server/features/rules/rule.ts';
import { accountId, bareRule, otherId, rule } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The table of rules. */
export function rulesConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: rules`, () => {
    const replace = (rules: readonly Rule[], of = accountId) => write((tx) => tx.rules.replaceAll(of, rules));

    it('are listed by prefix for one account, as they were saved, full or bare', async () => {
      await replace([rule, bareRule, { ...bareRule, prefix: 'B/', isPrivate: false }]);
      await replace([{ ...bareRule, prefix: 'other/' }], otherId);
      const saved = [{ ...bareRule, prefix: 'B/', isPrivate: false }, bareRule, rule];
      expect(await store.metadata.read.rules.listOf(accountId)).toEqual(saved);
      expect(await write((tx) => tx.rules.listOf(accountId))).toEqual(saved);
      expect(await store.metadata.read.rules.listOf('nobody')).toEqual([]);
    });

    it('count their versions anew once they are saved', async () => {
      const uncounted = () => store.metadata.read.rules.accountsWithUncounted();
      await replace([{ ...bareRule, keepDeletedDays: 1, keepVersions: 2 }, rule]);
      await replace([{ ...rule, keepVersions: null }], otherId);
      expect(await uncounted()).toEqual([accountId]);
      await write((tx) => tx.rules.noteCounted(accountId));
      expect(await uncounted()).toEqual([]);
      await replace([rule]);
      expect(await uncounted()).toEqual([accountId]);
    });

    it('replace all previous rules of the account, and of no other account', async () => {
      await replace([rule, bareRule]);
      await replace([rule], otherId);
      await replace([{ ...bareRule, prefix: 'next/' }]);
      expect(await store.metadata.read.rules.listOf(accountId)).toEqual([{ ...bareRule, prefix: 'next/' }]);
      await replace([]);
      expect(await store.metadata.read.rules.listOf(accountId)).toEqual([]);
      expect(await store.metadata.read.rules.listOf(otherId)).toEqual([rule]);
    });

    it('refuse a prefix twice and an unknown account, and keep the previous rules', async () => {
      await replace([rule]);
      await expect(replace([bareRule, bareRule])).rejects.toThrow();
      await expect(replace([bareRule], 'nobody')).rejects.toThrow();
      expect(await store.metadata.read.rules.listOf(accountId)).toEqual([rule]);
    });

    it('keep the progress of each sweep until they are saved again', async () => {
      await replace([rule, bareRule]);
      await replace([rule], otherId);
      expect(await store.metadata.read.rules.sweptUntil(accountId, rule.prefix)).toBeUndefined();
      await write((tx) => tx.rules.noteSwept(accountId, rule.prefix, 0));
      expect(await store.metadata.read.rules.sweptUntil(accountId, rule.prefix)).toBe(0);
      await write((tx) => tx.rules.noteSwept(accountId, rule.prefix, 1_776_763_800_123));
      expect(await store.metadata.read.rules.sweptUntil(accountId, rule.prefix)).toBe(1_776_763_800_123);
      expect(await write((tx) => tx.rules.sweptUntil(accountId, rule.prefix))).toBe(1_776_763_800_123);
      expect(await store.metadata.read.rules.sweptUntil(accountId, bareRule.prefix)).toBeUndefined();
      expect(await store.metadata.read.rules.sweptUntil(otherId, rule.prefix)).toBeUndefined();
      expect(await store.metadata.read.rules.sweptUntil(accountId, 'nowhere/')).toBeUndefined();
      expect(await store.metadata.read.rules.listOf(accountId)).toEqual([bareRule, rule]);
      await replace([rule, bareRule]);
      expect(await store.metadata.read.rules.sweptUntil(accountId, rule.prefix)).toBeUndefined();
    });

    it('list each account with automatic deletion once', async () => {
      expect(await store.metadata.read.rules.accountsThatDelete()).toEqual([]);
      await replace([rule, { ...rule, prefix: 'b/' }, bareRule]);
      await replace([bareRule], otherId);
      expect(await store.metadata.read.rules.accountsThatDelete()).toEqual([accountId]);
      await replace([rule], otherId);
      expect(await store.metadata.read.rules.accountsThatDelete()).toEqual([accountId, otherId].sort());
    });
  });
}
