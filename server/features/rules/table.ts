import type { Rule } from './rule.ts';

interface RulesReader {
  /** Returns the account's rules, by prefix. */
  listOf(accountId: string): Promise<Rule[]>;
  /** Returns the accounts that have a rule with automatic deletion, in a fixed order. */
  accountsThatDelete(): Promise<string[]>;
  /**
   * Returns the accounts that have a rule with a number of versions whose trash was not swept since it was saved, in a
   * fixed order.
   */
  accountsWithUncounted(): Promise<string[]>;
  /** Returns the instant that `noteSwept()` last noted since the rule was saved. */
  sweptUntil(accountId: string, prefix: string): Promise<number | undefined>;
}

export interface RulesTable extends RulesReader {
  /** Replaces all rules of the account. None of the new ones counts as swept. */
  replaceAll(accountId: string, rules: readonly Rule[]): Promise<void>;
  /** Notes that the trash of an account has no versions beyond the numbers of its rules. */
  noteCounted(accountId: string): Promise<void>;
  /** Notes that a sweep for the rule has seen all files that were written until this instant. */
  noteSwept(accountId: string, prefix: string, until: number): Promise<void>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly rules: RulesReader;
  }
  interface Tables {
    readonly rules: RulesTable;
  }
}
