import type { Space } from '#server/domain/object-id.ts';

/** A public URL that the CDN has yet to drop. */
interface Purge {
  readonly id: string;
  readonly url: string;
}

export interface NewPurge extends Purge {
  /** The change whose caller purges the URL itself and then removes this row; null if none does. */
  readonly changeId: string | null;
  /** When it may be taken first, in milliseconds since the epoch. */
  readonly dueAt: number;
}

/** A purge in the queue. */
export interface WaitingPurge extends Purge {
  readonly failedTries: number;
  /** When it may be taken next, in milliseconds since the epoch. */
  readonly dueAt: number;
}

/** A purge that was taken for the next call. */
export interface TakenPurge extends Purge {
  readonly failedTries: number;
  /** The most purges that may share a call. It halves with each failed call, down to 1. */
  readonly mostTogether: number;
}

/** How far the purges of a stopped account are written: public files in the order of their keys, then legacy ones. */
export interface AccountPurge {
  readonly accountId: string;
  readonly space: Space;
  /** Null before the first file of the space. */
  readonly lastKey: string | null;
}

/**
 * Public URLs that the CDN has yet to drop. They are added in the transaction of the change, so a process that is
 * killed loses none of them. Any process may take them. If it is killed, others take them once their time is over.
 */
export interface PurgesTable {
  add(purge: NewPurge): Promise<void>;
  /**
   * Takes the oldest due purges that were in no call yet.
   *
   * @param dueAgainAt when others may take them, unless they are removed or put back before
   */
  takeNew(limit: number, dueAgainAt: number): Promise<TakenPurge[]>;
  /** Takes due purges of failed calls: the one that has waited longest, and others that may share its call. */
  takeFailed(dueAgainAt: number): Promise<TakenPurge[]>;
  /** Writes how often a purge has failed, and when it is due again. Does nothing if it was removed. */
  putBack(purge: TakenPurge, dueAt: number): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes the purges of a change, or only those of one URL. */
  removeOfChange(changeId: string, url?: string): Promise<void>;
  /** Adds all public files of an account, from the first one on. */
  addAccount(accountId: string): Promise<void>;
  nextAccount(): Promise<AccountPurge | undefined>;
  saveAccount(purge: AccountPurge): Promise<void>;
  removeAccount(accountId: string): Promise<void>;
}

export interface PurgesReader {
  /** Returns whether any purge waits, due or not, or is to be written for a stopped account. */
  any(): Promise<boolean>;
  /** Returns whether purges are to be written for a stopped account. */
  anyAccount(): Promise<boolean>;
  /** Returns how many purges wait, due or not, at most `limit`. */
  count(limit: number): Promise<number>;
  /** Returns purges behind an id, due or not, by id. */
  page(afterId: string, limit: number): Promise<WaitingPurge[]>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Tables {
    readonly purges: PurgesTable & PurgesReader;
  }
  interface Readers {
    readonly purges: PurgesReader;
  }
}
