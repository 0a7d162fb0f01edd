import { describe, expect, it } from 'vitest';

import { changeAccount } from '#server/domain/account/change-account.ts';
import { systemActor as actor } from '#server/domain/activity/activity.ts';
import { maxRules, plans, type Plan } from '#server/domain/plan.ts';
import { listRules } from '#server/features/rules/list-rules.ts';
import type { NewRule } from '#server/features/rules/parse-rules.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { newRule, replaceRulesOf } from './rules.ts';

const full = newRule({
  isPrivate: true,
  expire: { hours: 720 },
  maxSizeBytes: 512,
  extensions: ['pdf', 'png'],
  cacheControl: 'immutable',
  deleteAfterDays: 30,
});

async function start(plan: Plan = 'enterprise') {
  const stores = await openTestStores();
  const account = await stores.account({ plan });
  return {
    stores,
    account,
    save: (...rules: readonly NewRule[]) => replaceRulesOf(stores, { account, rules, actor }),
    saved: () => listRules(stores, account.id),
  };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => newRule({ prefix: `p${at}/` }));

/** Saves a rule, then changes it. Returns the date of the changed rule. */
async function dateAfter(
  stores: TestStores,
  save: (...rules: readonly NewRule[]) => ReturnType<typeof replaceRulesOf>,
  change: Partial<NewRule>,
): Promise<number> {
  await save(full);
  stores.clock.advance(5000);
  return (await save({ ...full, ...change }))[0]!.createdAt;
}

describe('replaceRules()', () => {
  it('replaces the whole list of one account, and returns it by prefix', async () => {
    const { stores, save, saved } = await start();
    const other = await stores.account();
    await replaceRulesOf(stores, { account: other, rules: [full], actor });
    const now = stores.clock.now();
    expect(await save(newRule({ prefix: 'b/' }), newRule({ prefix: 'a/' }))).toEqual([
      { ...newRule({ prefix: 'a/' }), createdAt: now },
      { ...newRule({ prefix: 'b/' }), createdAt: now },
    ]);
    expect(await save(full)).toEqual([{ ...full, createdAt: now }]);
    expect(await saved()).toEqual([{ ...full, createdAt: now }]);
    expect(await save()).toEqual([]);
    expect(await saved()).toEqual([]);
    expect(await listRules(stores, other.id)).toEqual([{ ...full, createdAt: now }]);
  });

  it('is recorded in the activity of the account', async () => {
    const { stores, account, save } = await start();
    await save(full);
    const [entry] = await stores.metadata.read.activity.scan({ accountId: account.id, limit: 10 });
    expect(entry).toMatchObject({ type: 'rules.changed', object: null, details: { rules: ['invoices/'] } });
  });

  it('prefix rule deletion: saving the same rule unchanged keeps its date', async () => {
    const { stores, save } = await start();
    const savedAt = stores.clock.now();
    expect(await dateAfter(stores, save, {})).toBe(savedAt);
    expect((await save(newRule({ prefix: 'other/' }), full)).map(({ createdAt }) => createdAt)).toEqual([
      savedAt,
      stores.clock.now(),
    ]);
  });

  it('treats extensions in another order as the same rule', async () => {
    const { stores, save } = await start();
    const savedAt = stores.clock.now();
    expect(await dateAfter(stores, save, { extensions: ['png', 'pdf'] })).toBe(savedAt);
  });

  it.each<Partial<NewRule>>([
    { isPrivate: false },
    { isPrivate: null },
    { expire: { hours: 721 } },
    { expire: null },
    { maxSizeBytes: 513 },
    { maxSizeBytes: null },
    { extensions: ['pdf'] },
    { extensions: null },
    { cacheControl: 'max-age=60' },
    { cacheControl: null },
    { deleteAfterDays: 31 },
    { deleteAfterDays: null },
  ])('gives a rule a new date when it is changed by %j', async (change) => {
    const { stores, save } = await start();
    expect(await dateAfter(stores, save, change)).toBe(stores.clock.now());
  });

  it('gives a rule a new date when it was removed for a while', async () => {
    const { stores, save } = await start();
    await save(full);
    await save();
    stores.clock.advance(1);
    expect((await save(full))[0]!.createdAt).toBe(stores.clock.now());
  });

  it.each(plans.filter((plan) => plan !== 'none'))(
    'accepts as many rules as the plan %s allows, and throws TOO_MANY_RULES for one more',
    async (plan) => {
      const { save, saved } = await start(plan);
      expect(await save(...many(maxRules[plan]))).toHaveLength(
        { none: 0, hobby: 5, standard: 5, pro: 10, enterprise: 20 }[plan],
      );
      await expect(save(...many(maxRules[plan] + 1))).rejects.toMatchObject({ code: 'TOO_MANY_RULES' });
      expect(await saved()).toHaveLength(maxRules[plan]);
    },
  );

  it.each<Partial<NewRule>>([{ expire: { hours: 24 } }, { deleteAfterDays: 6 }, { cacheControl: 'no-cache' }])(
    'throws UPGRADE_REQUIRED with the prefix, and keeps the saved rules, when a rule has %j without Enterprise',
    async (options) => {
      const { save, saved } = await start('pro');
      const before = await save(full);
      await expect(save(newRule({ prefix: 'a/' }), newRule({ prefix: 'b/', ...options }))).rejects.toMatchObject({
        code: 'UPGRADE_REQUIRED',
        prefix: 'b/',
      });
      expect(await saved()).toEqual(before);
    },
  );

  it('keeps the rules after a downgrade, but the next save must fit the plan', async () => {
    const { stores, account, save, saved } = await start();
    await save(...many(20));
    await changeAccount(stores, { accountId: account.id, plan: 'pro' });
    expect(await saved()).toHaveLength(20);
    const downgraded = { account: { id: account.id, plan: 'pro' as const }, actor };
    await expect(replaceRulesOf(stores, { ...downgraded, rules: many(20) })).rejects.toMatchObject({
      code: 'TOO_MANY_RULES',
    });
    expect(await replaceRulesOf(stores, { ...downgraded, rules: many(10) })).toHaveLength(10);
  });

  it('leaves one of several lists that are saved at once, never a mixture', async () => {
    const { save, saved } = await start();
    const lists = Array.from({ length: 10 }, (_, list) =>
      Array.from({ length: 5 }, (_, at) => newRule({ prefix: `l${list}/${at}/` })),
    );
    await Promise.all(lists.map((list) => save(...list)));
    const left = (await saved()).map(({ prefix }) => prefix.split('/')[0]);
    expect(left).toHaveLength(5);
    expect(new Set(left).size).toBe(1);
  });
});
