import type { Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import type { SettingsChange } from '#server/domain/account/settings-change.ts';
import { maxRules, type Plan } from '#server/domain/plan.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { deletionRow } from './deletion.ts';
import type { NewRule } from './parse-rules.ts';
import { beyondPlan, deletionState, type Rule } from './rule.ts';

/**
 * Returns the change that replaces all rules of an account. Its check throws TOO_MANY_RULES, and UPGRADE_REQUIRED with
 * the prefix of the rule.
 *
 * @param rules each prefix occurs once
 */
export function rulesChange(rules: readonly NewRule[]): SettingsChange {
  return {
    check: (plan) => requireRulesOfPlan(plan, rules),
    replace: (tx, accountId, actor) => replaceRules(tx, accountId, rules, actor),
  };
}

function requireRulesOfPlan(plan: Plan, rules: readonly NewRule[]): void {
  const most = maxRules[plan];
  if (rules.length > most)
    throw new Refusal('TOO_MANY_RULES', {
      message: `The plan takes ${most} rules. Got ${rules.length}. Remove some or upgrade the plan.`,
    });
  for (const rule of rules) {
    const option = beyondPlan(rule, plan);
    if (option !== undefined)
      throw new Refusal('UPGRADE_REQUIRED', {
        message: `A rule with ${option} needs the Enterprise plan. Upgrade, or change the rule.`,
        prefix: rule.prefix,
      });
  }
}

/**
 * A rule that is saved again unchanged keeps its date, so that saving the list for another rule does not delay its
 * deletion.
 */
async function replaceRules(
  tx: Transaction<'activity' | 'rules'>,
  accountId: string,
  rules: readonly NewRule[],
  actor: Actor,
): Promise<void> {
  const before = new Map((await tx.rules.listOf(accountId)).map((rule) => [rule.prefix, rule]));
  const saved = rules.map((rule) => {
    const earlier = before.get(rule.prefix);
    return { ...rule, createdAt: earlier && keepsDate(earlier, rule, tx.now) ? earlier.createdAt : tx.now };
  });
  await tx.rules.replaceAll(accountId, saved);
  const details = { rules: saved.map(({ prefix }) => prefix) };
  await recordActivity(tx, { accountId, type: 'rules.changed', object: null, details, actor });
}

/** Whether a rule keeps the date of the earlier one that it replaces. */
function keepsDate(earlier: Rule, rule: NewRule, now: number): boolean {
  const event = isSame(earlier, rule) ? 'saved again unchanged' : 'saved';
  return !deletionRow(deletionState(earlier, now), event)!.isDatedAnew;
}

/** Whether two rules mean the same. The order of extensions does not matter. */
function isSame(a: NewRule, b: NewRule): boolean {
  return (
    a.prefix === b.prefix &&
    a.isPrivate === b.isPrivate &&
    a.expire?.hours === b.expire?.hours &&
    a.maxSizeBytes === b.maxSizeBytes &&
    a.cacheControl === b.cacheControl &&
    a.deleteAfterDays === b.deleteAfterDays &&
    a.keepDeletedDays === b.keepDeletedDays &&
    a.keepVersions === b.keepVersions &&
    a.extensions?.toSorted().join() === b.extensions?.toSorted().join()
  );
}
