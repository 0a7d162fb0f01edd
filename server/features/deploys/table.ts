import type { DeployFilters } from './deploy-filters.ts';
import type { DeployHook } from './deploy-hook.ts';
import type { Deploy } from './deploy.ts';
import type { GitWebhook, StoredCode } from './webhook.ts';

interface GitWebhooksReader {
  findByCode(codeHash: Uint8Array): Promise<GitWebhook | undefined>;
  find(appId: string): Promise<GitWebhook | undefined>;
  /** Returns webhooks by application. */
  listAfter(appId: string, limit: number): Promise<GitWebhook[]>;
}

export interface GitWebhooksTable extends GitWebhooksReader {
  /** Adds a webhook, or replaces the application's former one. */
  put(webhook: GitWebhook): Promise<void>;
  /**
   * Replaces what is stored under a master key. Changes nothing when the webhook was set anew since `former` was read.
   */
  renew(former: GitWebhook, renewed: StoredCode): Promise<void>;
  remove(appId: string): Promise<void>;
  /** Counts a push at `at`, unless its window has had `most` of them. Returns whether it did. */
  spendPush(appId: string, at: number, windowMs: number, most: number): Promise<boolean>;
  /** Counts a push that the filters did not take, like {@link spendPush} in a window of its own. */
  spendFiltered(appId: string, at: number, windowMs: number, most: number): Promise<boolean>;
  /** Binds the token to an origin, unless it is bound already. */
  settleTokenOrigin(appId: string, origin: string): Promise<void>;
}

interface DeploysReader {
  find(deployId: string): Promise<Deploy | undefined>;
  /** Returns the application's deploys, newest first: those with a lower sequence than `before`, or from the newest. */
  listOf(scan: { readonly appId: string; readonly before?: number; readonly limit: number }): Promise<Deploy[]>;
  /** Returns which pushes of the application are deployed; undefined: all. */
  filtersOf(appId: string): Promise<DeployFilters | undefined>;
  /** Returns a counter of changes of the application's webhook and deploys. */
  revision(appId: string): Promise<number>;
}

export interface DeploysTable extends DeploysReader {
  /** Adds a pending deploy, and gives it a sequence. */
  add(deploy: Omit<Deploy, 'sequence'>): Promise<void>;
  /** Returns the branch's waiting deploy. */
  waiting(appId: string, branch: string): Promise<Deploy | undefined>;
  setFilters(appId: string, filters: DeployFilters | null): Promise<void>;
  newestOfBranch(appId: string, branch: string): Promise<Deploy | undefined>;
  /**
   * Returns the oldest deploy that may begin at `now`: it waits and is due, no deploy of its branch runs, and its
   * account is not stopped.
   */
  nextDue(now: number): Promise<Deploy | undefined>;
  /** Returns running deploys whose lease ended before `now`. */
  leaseEnded(now: number): Promise<Deploy[]>;
  /** Replaces `before` by `after`, unless state or lease have changed since. Returns whether it did. */
  change(before: Deploy, after: Deploy): Promise<boolean>;
  /** Notes the wish to cancel a deploy that has not ended. Returns whether it did. The first wish counts. */
  askCancel(deployId: string, at: number): Promise<boolean>;
  /** Renews a lease. Returns false when the deploy has another lease, or none. */
  renewLease(deployId: string, leaseId: string, until: number): Promise<boolean>;
}

interface DeployHooksReader {
  findByCode(codeHash: Uint8Array): Promise<DeployHook | undefined>;
  find(appId: string): Promise<DeployHook | undefined>;
  /** Returns hooks by application. */
  listAfter(appId: string, limit: number): Promise<DeployHook[]>;
}

export interface DeployHooksTable extends DeployHooksReader {
  /** Adds a hook, or replaces the application's former one. */
  put(hook: DeployHook): Promise<void>;
  /** Replaces what is stored under a master key, unless the hook was created anew since `former` was read. */
  renew(former: DeployHook, renewed: Pick<DeployHook, 'codeHash' | 'sealedCode'>): Promise<void>;
  /** Returns whether there was one. */
  remove(appId: string): Promise<boolean>;
  /** Counts a use at `at`, unless its window has had `most` of them. Returns whether it did. */
  spend(appId: string, at: number, windowMs: number, most: number): Promise<boolean>;
}

/** A delivery that was answered 200. */
export interface TakenDelivery {
  readonly deployIds: readonly string[];
  readonly at: number;
}

export interface GitDeliveriesTable {
  find(appId: string, hash: Uint8Array): Promise<TakenDelivery | undefined>;
  /** Adds a delivery, or replaces an earlier one with that hash. */
  put(appId: string, hash: Uint8Array, delivery: TakenDelivery): Promise<void>;
  /** Removes up to `limit` deliveries that are older than `at`, oldest first. Returns how many. */
  forgetBefore(at: number, limit: number): Promise<number>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly deployHooks: DeployHooksReader;
    readonly deploys: DeploysReader;
    readonly gitWebhooks: GitWebhooksReader;
  }
  interface Tables {
    readonly deployHooks: DeployHooksTable;
    readonly deploys: DeploysTable;
    readonly gitWebhooks: GitWebhooksTable;
    readonly gitDeliveries: GitDeliveriesTable;
  }
}
