import type { Rule } from './rule.ts';

export interface RulesReader {
  /** The account's rules, by prefix. */
  listOf(accountId: string): Promise<Rule[]>;
  /** The accounts that have a rule with automatic deletion, in a fixed order. */
  accountsThatDelete(): Promise<string[]>;
}

export interface RulesTable extends RulesReader {
  /** Puts these in the place of all the account's rules. */
  replaceAll(accountId: string, rules: readonly Rule[]): Promise<void>;
}
