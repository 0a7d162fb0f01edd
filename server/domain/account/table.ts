import type { Plan } from '../plan.ts';
import type { AiLimits } from './account-ai-limits.ts';
import type { Account } from './account.ts';
import type { MeteredUsage } from './usage-days.ts';

/** A place in the list of all accounts. */
export type AccountPlace = Pick<Account, 'createdAt' | 'id'>;

/** One step through all accounts, oldest first. */
interface AccountsScan {
  /** Only accounts behind this one. */
  readonly after?: AccountPlace;
  /** Only accounts whose name contains it, or whose id begins with it. English letters match in either case. */
  readonly search?: string;
  readonly limit: number;
}

/** Sums over all accounts. */
export interface AccountSums {
  readonly accounts: number;
  readonly files: number;
  readonly bytes: number;
  /** Bytes that quotas hold for uploads under way and for stored parts. */
  readonly reservedBytes: number;
}

export interface AccountsReader {
  find(accountId: string): Promise<Account | undefined>;
  /** Returns all accounts, oldest first. */
  list(): Promise<Account[]>;
  /** Returns the sums over all accounts. It reads each of them. */
  sums(): Promise<AccountSums>;
  page(scan: AccountsScan): Promise<Account[]>;
  /** Whether an operator has suspended or deleted the account. True for an unknown one. */
  isClosed(accountId: string): Promise<boolean>;
  /** Returns accounts that were deleted at `at` or before, the earliest first. */
  deletedBefore(at: number, limit: number): Promise<Account[]>;
  /** Returns the account's current usage and its usage on the days from `since` on, as of one instant. */
  usageOf(accountId: string, since: number): Promise<MeteredUsage | undefined>;
}

export interface AccountsTable extends AccountsReader {
  /** Also adds what features give each account. */
  add(account: Pick<Account, 'id' | 'name' | 'plan' | 'createdAt'>): Promise<void>;
  setSuspended(accountId: string, at: number | null): Promise<void>;
  setDeleted(accountId: string, at: number | null): Promise<void>;
  /**
   * Removes up to `limit` rows that belong to the account: keys, links, applications and all else besides its files,
   * open uploads and the account itself. Returns how many; fewer than `limit` if none is left.
   */
  removeSome(accountId: string, limit: number): Promise<number>;
  /** Removes an account of which nothing else is left. */
  remove(accountId: string): Promise<void>;
  /** Returns false for an unknown account. */
  setPlan(accountId: string, plan: Plan): Promise<boolean>;
  /** Returns false for an unknown account. */
  setQuota(accountId: string, quotaBytes: number | null): Promise<boolean>;
  /** Returns false for an unknown account. */
  setAiBudget(accountId: string, tokensPerDay: number | null): Promise<boolean>;
  /** Returns false for an unknown account. */
  setAiLimits(accountId: string, limits: AiLimits | null): Promise<boolean>;
  setKeepDeletedDays(accountId: string, days: number): Promise<void>;
  /**
   * Reserves bytes. Returns false, and changes nothing, when used and reserved bytes would exceed `quotaBytes`.
   * Together with the bytes in flight they may exceed it by at most `beyondQuota()`.
   */
  reserve(accountId: string, bytes: number, quotaBytes: number): Promise<boolean>;
  /** Frees bytes that {@link reserve} reserved. */
  unreserve(accountId: string, bytes: number): Promise<void>;
  /**
   * Adds to the account's stored bytes and files (negative to subtract), and increments its revision. First adds the
   * usage until now to its days.
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
