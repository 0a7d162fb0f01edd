import type { DeployState } from './deploy.ts';
import type { QueuedStatus, StatusToken } from './commit-status.ts';

interface CommitStatusesReader {
  tokenOf(appId: string): Promise<StatusToken | undefined>;
  /** Returns tokens by application. */
  listAfter(appId: string, limit: number): Promise<StatusToken[]>;
  /** Returns origins behind one that have a report which is due. */
  dueOrigins(behind: string, now: number, limit: number): Promise<string[]>;
}

export interface CommitStatusesTable extends CommitStatusesReader {
  /** Adds a token, or replaces the application's former one. */
  putToken(token: StatusToken): Promise<void>;
  /** Stores the token under another master key, unless it was set anew since `former` was read. */
  renewToken(former: StatusToken, sealedToken: string): Promise<void>;
  /** Removes a token with its reports. Returns whether there was one. */
  removeToken(appId: string): Promise<boolean>;
  /** Notes how a report went. */
  noteSent(appId: string, sentAt: number, error: string | null): Promise<void>;
  /** Queues the newest state of a deploy, in the place of an earlier one that is not reported yet. */
  queue(
    status: Pick<QueuedStatus, 'deployId' | 'appId' | 'origin'> & { readonly state: DeployState },
    now: number,
  ): Promise<void>;
  /** Takes reports that are due, oldest first. Others take them again after `until`. */
  takeDue(origin: string, now: number, until: number, limit: number): Promise<QueuedStatus[]>;
  /** Removes a report. A newer state of the deploy stays, and is due. */
  end(status: QueuedStatus): Promise<void>;
  /** Notes a failed attempt. A newer state of the deploy is due at once. */
  putBack(status: QueuedStatus, dueAt: number): Promise<void>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly commitStatuses: CommitStatusesReader;
  }
  interface Tables {
    readonly commitStatuses: CommitStatusesTable;
  }
}
