import type { ObjectAddress, Space } from '#server/domain/object-id.ts';
import type { StoredObject } from './object.ts';

/** How a file came into the trash. */
export type TrashReason = 'deleted' | 'replaced';

/** A file that was deleted or replaced, as it was. Instants are milliseconds since the epoch. */
export interface TrashedObject extends StoredObject {
  readonly deletedAt: number;
  /** From now on nobody sees it, and a job removes it. */
  readonly purgeAt: number;
  readonly reason: TrashReason;
}

export interface TrashPlace {
  readonly key: string;
  readonly versionId: string;
}

/** One step through the trash of an account and a space: by key, and each key's versions newest first. */
interface TrashScan {
  readonly accountId: string;
  readonly space: Space;
  /** Only keys that begin with it. Empty for all. */
  readonly prefix: string;
  /** The last version of the previous step. An empty version: behind all versions of the key. */
  readonly behind: TrashPlace | undefined;
  readonly limit: number;
}

export type TrashedVersion = Pick<TrashedObject, 'accountId' | 'versionId'>;

interface TrashReader {
  /** Finds versions whose time is over too. The caller decides what that means. */
  find(accountId: string, versionId: string): Promise<TrashedObject | undefined>;
  /** Includes versions whose time is over. */
  scan(scan: TrashScan): Promise<TrashedObject[]>;
  /** Returns the newest version of a key. */
  newest(address: ObjectAddress): Promise<TrashedObject | undefined>;
  /**
   * Returns versions of a key beyond a number of newer ones, oldest first. Versions whose time is over at `now` are
   * neither counted nor returned.
   */
  beyond(address: ObjectAddress, kept: number, now: number, limit: number): Promise<TrashedObject[]>;
  /** Returns versions of all accounts whose time is over at `now`, the earliest first. */
  due(now: number, limit: number): Promise<TrashedVersion[]>;
  /** Returns versions of an account, in any order. */
  someOf(accountId: string, limit: number): Promise<TrashedVersion[]>;
}

export interface TrashTable extends TrashReader {
  /** Adds a version, and counts it in its account. */
  add(object: TrashedObject): Promise<void>;
  /** Removes a version, counts it no more, and returns it. */
  remove(accountId: string, versionId: string): Promise<TrashedObject | undefined>;
  setReason(accountId: string, versionId: string, reason: TrashReason): Promise<void>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly trash: TrashReader;
  }
  interface Tables {
    readonly trash: TrashTable;
  }
}
