import type { Deploy } from './deploy.ts';
import type { GitWebhook } from './webhook.ts';

export interface GitWebhooksReader {
  findByCode(codeHash: Uint8Array): Promise<GitWebhook | undefined>;
  find(appId: string): Promise<GitWebhook | undefined>;
}

export interface GitWebhooksTable extends GitWebhooksReader {
  /** Makes it, or takes the place of the application's former one. */
  put(webhook: GitWebhook): Promise<void>;
  remove(appId: string): Promise<void>;
  /** Marks a push at `at`, unless another was marked less than `windowMs` from then; answers whether it did. */
  spendPush(appId: string, at: number, windowMs: number): Promise<boolean>;
  /** Says where the token belongs, unless that has been said. */
  settleTokenOrigin(appId: string, origin: string): Promise<void>;
}

export interface DeploysReader {
  find(deployId: string): Promise<Deploy | undefined>;
  /** The application's, newest first: those with a lower sequence than `before`, or from the newest. */
  listOf(scan: { readonly appId: string; readonly before?: number; readonly limit: number }): Promise<Deploy[]>;
  /**
   * Counts up with every change of the application's webhook and of its deploys; undefined without such an application.
   */
  revision(appId: string): Promise<number | undefined>;
}

export interface DeploysTable extends DeploysReader {
  /** Stores one that is pending and has no sequence yet. */
  add(deploy: Omit<Deploy, 'sequence'>): Promise<void>;
  /** The one of the branch that waits. */
  waiting(appId: string, branch: string): Promise<Deploy | undefined>;
  newestOfBranch(appId: string, branch: string): Promise<Deploy | undefined>;
  /** The oldest that may begin at `now`: it waits, is due, and none of its branch runs. */
  nextDue(now: number): Promise<Deploy | undefined>;
  /** Running ones whose lease ended before `now`. */
  leaseEnded(now: number): Promise<Deploy[]>;
  /** Stores `after` in the place of `before`, unless state or lease have changed since; answers whether it did. */
  change(before: Deploy, after: Deploy): Promise<boolean>;
  /** Answers whether the deploy is still theirs. */
  renewLease(deployId: string, leaseId: string, until: number): Promise<boolean>;
}

/** A delivery that was answered 200. */
export interface TakenDelivery {
  readonly deployIds: readonly string[];
  readonly at: number;
}

export interface GitDeliveriesTable {
  find(appId: string, hash: Uint8Array): Promise<TakenDelivery | undefined>;
  /** Takes the place of an earlier one with that hash. */
  put(appId: string, hash: Uint8Array, delivery: TakenDelivery): Promise<void>;
  /** Removes up to `limit` that are older than `at`, the oldest first, and answers how many. */
  forgetBefore(at: number, limit: number): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly deploys: DeploysReader;
    readonly gitWebhooks: GitWebhooksReader;
  }
  interface Tables {
    readonly deploys: DeploysTable;
    readonly gitWebhooks: GitWebhooksTable;
    readonly gitDeliveries: GitDeliveriesTable;
  }
}
