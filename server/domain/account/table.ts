import type { Plan } from '../plan.ts';
import type { Account } from './account.ts';
import type { MeteredUsage } from './usage-days.ts';

export interface AccountsReader {
  find(accountId: string): Promise<Account | undefined>;
  /** All accounts, oldest first. */
  list(): Promise<Account[]>;
  /** Returns what the account stores and has stored, as of one instant. */
  usageOf(accountId: string): Promise<MeteredUsage | undefined>;
}

export interface AccountsTable extends AccountsReader {
  add(account: Pick<Account, 'id' | 'name' | 'plan' | 'createdAt'>): Promise<void>;
  /** Returns whether there is such an account. */
  setPlan(accountId: string, plan: Plan): Promise<boolean>;
  /** Returns whether there is such an account. */
  setQuota(accountId: string, quotaBytes: number | null): Promise<boolean>;
  /** Returns whether there is such an account. */
  setAiBudget(accountId: string, tokensPerDay: number | null): Promise<boolean>;
  /** Reserves bytes. Returns false, and changes nothing, when used and reserved bytes would exceed `quotaBytes`. */
  hold(accountId: string, bytes: number, quotaBytes: number): Promise<boolean>;
  /** Gives back bytes that {@link hold} reserved. */
  giveBack(accountId: string, bytes: number): Promise<void>;
  /**
   * Adds to what the account stores (negative to subtract), and to its revision. First adds the usage until now to the
   * days.
   */
  addUsage(accountId: string, change: { readonly bytes: number; readonly objects: number }): Promise<void>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly accounts: AccountsReader;
  }
  interface Tables {
    readonly accounts: AccountsTable;
  }
}
