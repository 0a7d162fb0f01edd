import { overlapsPrefix } from '../prefixes.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Rule } from './rule.ts';

interface Deps {
  readonly metadata: Reads<'rules'>;
}

/** The account's rules, by prefix; where `prefixes` is given, only those that can hold for files below one of them. */
export async function listRules(
  { metadata }: Deps,
  accountId: string,
  prefixes: readonly string[] | null = null,
): Promise<Rule[]> {
  const rules = await metadata.read.rules.listOf(accountId);
  return prefixes ? rules.filter(({ prefix }) => overlapsPrefix(prefixes, prefix)) : rules;
}
