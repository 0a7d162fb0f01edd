import { describe, expect, it } from 'vitest';

import { systemActor as actor } from '#server/domain/activity/activity.ts';
import { deleteByRule } from '#server/features/files/deletion/delete-by-rule.ts';
import { deletionRows, type DeletionEvent, type DeletionState } from '#server/features/rules/deletion.ts';
import { activeFrom, deletionState, type Rule } from '#server/features/rules/rule.ts';
import { openTestStores } from '#test/support/stores.ts';
import { store } from '#test/features/files/stored.ts';
import { newRule, replaceRulesOf } from './rules.ts';

const day = 86_400_000;

/** Makes an account whose rule is in this state, an hour after it was saved or began to act. */
async function ruleIn(state: DeletionState) {
  const stores = await openTestStores();
  const account = await stores.account();
  const options = { prefix: 'old/', deleteAfterDays: state === 'off' ? null : 1 };
  const save = async (change: Partial<Rule> = {}) =>
    (await replaceRulesOf(stores, { account, rules: [newRule({ ...options, ...change })], actor }))[0]!;
  const saved = await save();
  stores.clock.advance(state === 'acting' ? 25 * 3_600_000 : 3_600_000);
  return { stores, account, save, saved };
}

/** Whether the job deletes a file that is old enough. */
async function isDeleting({ stores, account }: Awaited<ReturnType<typeof ruleIn>>): Promise<boolean> {
  await store(stores, { accountId: account.id, key: 'old/a.png', createdAt: stores.clock.now() - 30 * day });
  return (await deleteByRule(stores, stores.clock.now())) === 1;
}

describe('prefix rule deletion', () => {
  it.each(deletionRows)('$state: $event → $next', async ({ state, event, next, isDatedAnew }) => {
    const context = await ruleIn(state);
    const { stores, saved, save } = context;
    expect(deletionState(saved, stores.clock.now())).toBe(state);
    const happen: Record<DeletionEvent, () => Promise<Rule>> = {
      saved: () => save({ deleteAfterDays: state === 'off' ? 1 : 2 }),
      'saved again unchanged': () => save(),
      async '24 hours have passed'() {
        stores.clock.advance(activeFrom(saved)! - stores.clock.now() - 1);
        expect(deletionState(saved, stores.clock.now())).toBe(state);
        stores.clock.advance(1);
        return saved;
      },
    };
    const rule = await happen[event]();
    expect(deletionState(rule, stores.clock.now())).toBe(next);
    expect(rule.createdAt).toBe(isDatedAnew ? stores.clock.now() : saved.createdAt);
    expect(await isDeleting(context)).toBe(next === 'acting');
  });

  it('has one row for each state and each way of saving, and one for the end of waiting', () => {
    const expected = [
      'acting: saved',
      'acting: saved again unchanged',
      'off: saved',
      'off: saved again unchanged',
      'waiting: 24 hours have passed',
      'waiting: saved',
      'waiting: saved again unchanged',
    ];
    expect(deletionRows.map(({ state, event }) => `${state}: ${event}`).sort()).toEqual(expected);
  });

  it('ends when the rule is removed, and starts over when it is saved again', async () => {
    const context = await ruleIn('acting');
    const { stores, account, save } = context;
    await replaceRulesOf(stores, { account, rules: [], actor });
    expect(await isDeleting(context)).toBe(false);
    expect(deletionState(await save(), stores.clock.now())).toBe('waiting');
  });
});
