import type { Actor } from '#server/domain/activity/activity.ts';
import type { Plan } from '#server/domain/plan.ts';
import type { GivenRule, NewRule } from '#server/features/rules/parse-rules.ts';
import { rulesChange } from '#server/features/rules/replace-rules.ts';
import type { Rule } from '#server/features/rules/rule.ts';
import { replaceSettings } from '#server/features/settings/replace-settings.ts';
import type { TestStores } from '#test/support/stores.ts';

const none: Rule = {
  prefix: 'invoices/',
  isPrivate: null,
  expire: null,
  maxSizeBytes: null,
  extensions: null,
  cacheControl: null,
  deleteAfterDays: null,
  keepDeletedDays: null,
  keepVersions: null,
  createdAt: 0,
};

/** Returns a rule with only these options. */
export function ruleWith(options: Partial<Rule>): Rule {
  return { ...none, ...options };
}

/** Returns the same rule, not saved yet. */
export function newRule(options: Partial<NewRule>): NewRule {
  const { createdAt: _, ...rule } = ruleWith(options);
  return rule;
}

/** Returns a rule as a client gives it, with only these options. */
export function givenRule(options: Partial<GivenRule>): GivenRule {
  return {
    prefix: 'invoices',
    isPrivate: undefined,
    expire: undefined,
    maxSizeBytes: undefined,
    extensions: undefined,
    cacheControl: undefined,
    deleteAfterDays: undefined,
    keepDeletedDays: undefined,
    keepVersions: undefined,
    ...options,
  };
}

/** Writes an account's rules without the checks of its plan, as rules of an earlier plan are stored. */
export function saveRules(
  { metadata }: Pick<TestStores, 'metadata'>,
  accountId: string,
  ...rules: readonly Rule[]
): Promise<void> {
  return metadata.atomically((tx) => tx.rules.replaceAll(accountId, rules));
}

interface ReplaceRules {
  readonly account: { readonly id: string; readonly plan: Plan };
  readonly rules: readonly NewRule[];
  readonly actor: Actor;
}

/** Replaces an account's rules as a request does. Returns them by prefix. */
export function replaceRulesOf(
  stores: Pick<TestStores, 'metadata'>,
  { account, rules, actor }: ReplaceRules,
): Promise<readonly Rule[]> {
  const changes = { rules: rulesChange(rules) };
  return replaceSettings(stores, { account, changes, actor, read: (tx) => tx.rules.listOf(account.id) });
}
