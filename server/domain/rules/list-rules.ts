import type { Metadata } from '../ports/metadata.ts';
import type { Rule } from './rule.ts';

/** The account's rules, by prefix. */
export function listRules({ metadata }: { readonly metadata: Pick<Metadata, 'read'> }, accountId: string): Promise<Rule[]> {
  return metadata.read.rules.listOf(accountId);
}
