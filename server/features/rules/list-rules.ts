import type { Reads } from '#server/domain/ports/metadata.ts';
import { overlapsPrefix, type Prefix } from '#server/domain/prefixes.ts';
import { ruleFor, type Rule } from './rule.ts';

interface Deps {
  readonly metadata: Reads<'rules'>;
}

/**
 * Returns the account's rules, by prefix. With `prefixes`, only the rules that can apply to files below one of them.
 */
export async function listRules(
  { metadata }: Deps,
  accountId: string,
  prefixes: readonly Prefix[] | null = null,
): Promise<Rule[]> {
  const rules = await metadata.read.rules.listOf(accountId);
  return prefixes ? rules.filter(({ prefix }) => overlapsPrefix(prefixes, prefix)) : rules;
}

/** Returns the rule for new files in a folder. Files at the root are under no rule. */
export async function ruleOfFolder(
  deps: Deps,
  accountId: string,
  folder: Prefix | undefined,
): Promise<Rule | undefined> {
  return folder === undefined ? undefined : ruleFor(await listRules(deps, accountId), `${folder}/`);
}
