import type { ObjectAddress, Space } from '#server/domain/object-id.ts';
import type { StoredObject } from './object.ts';

/** How a file came into the trash. */
export type TrashReason = 'deleted' | 'replaced';

/** Until when something keeps a file in the trash; null if it does not. Never later than the file's own expiry. */
export interface Keeping {
  /** The rule of its prefix. */
  readonly ruleUntil: number | null;
  /** The request that deleted it. */
  readonly requestedUntil: number | null;
}

/** How a file came into the trash, and how long it stays. Instants are milliseconds since the epoch. */
export interface Removal extends Keeping {
  readonly deletedAt: number;
  /** The later end of its keeping. From then on nobody sees it, and a job removes it. */
  readonly purgeAt: number;
  readonly reason: TrashReason;
  /** The folder job that deleted it, or null. */
  readonly deletingJobId: string | null;
}

/** A file that was deleted or replaced, as it was. */
export interface TrashedObject extends StoredObject, Removal {}

/** Returns a version of the trash as the file that it was. */
export function fileOf(version: TrashedObject): StoredObject {
  const { deletedAt: _, purgeAt: _purgeAt, ruleUntil: _rule, requestedUntil: _requested, ...rest } = version;
  const { reason: _reason, deletingJobId: _job, ...file } = rest;
  return file;
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

/** What has to be known of a version that may give way. */
export type YieldingVersion = Pick<TrashedObject, 'accountId' | 'versionId' | 'key' | 'sizeBytes' | 'deletedAt'>;

/** One step through what only requests keep of an account, the oldest first. */
interface YieldingScan {
  readonly accountId: string;
  /** What a rule still keeps then is left out. */
  readonly now: number;
  readonly behind: Pick<YieldingVersion, 'deletedAt' | 'versionId'> | undefined;
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
   * Returns versions of a key beyond a number of newer ones, oldest first. Versions that no rule keeps at `now` are
   * neither counted nor returned.
   */
  beyond(address: ObjectAddress, kept: number, now: number, limit: number): Promise<TrashedObject[]>;
  /** Returns versions that only a request keeps, the first deleted first. */
  yielding(scan: YieldingScan): Promise<YieldingVersion[]>;
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
  /** Ends the keeping by a rule of a version that a request keeps too. */
  endRule(accountId: string, versionId: string): Promise<void>;
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
