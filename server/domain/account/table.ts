import type { Plan } from '../plan.ts';
import type { Account } from './account.ts';
import type { MeteredUsage } from './usage-days.ts';

export interface AccountsReader {
  find(accountId: string): Promise<Account | undefined>;
  /** All accounts, oldest first. */
  list(): Promise<Account[]>;
  /** What the account stores and stored, as of one instant. */
  usageOf(accountId: string): Promise<MeteredUsage | undefined>;
}

export interface AccountsTable extends AccountsReader {
  add(account: Pick<Account, 'id' | 'name' | 'plan' | 'createdAt'>): Promise<void>;
  /** Answers whether there is such an account. */
  setPlan(accountId: string, plan: Plan): Promise<boolean>;
  /** Answers whether there is such an account. */
  setQuota(accountId: string, quotaBytes: number | null): Promise<boolean>;
  /** Answers whether there is such an account. */
  setAiBudget(accountId: string, tokensPerDay: number | null): Promise<boolean>;
  /**
   * Counts bytes that wait for their file as reserved; answers false, and changes nothing, when used and reserved bytes
   * would pass `quotaBytes`.
   */
  hold(accountId: string, bytes: number, quotaBytes: number): Promise<boolean>;
  /** Bytes that {@link hold} counted are no longer reserved. */
  giveBack(accountId: string, bytes: number): Promise<void>;
  /**
   * Adds to what the account stores (negative to take away) and to its revision; what it stored until now goes to the
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
