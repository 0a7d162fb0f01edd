import type { Reach } from '#server/domain/access/requester.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import type { Space } from '#server/domain/object-id.ts';
import type { Prefix } from '#server/domain/prefixes.ts';
import { dayMs } from '#server/domain/day.ts';

export type FolderAction = 'move' | 'copy' | 'delete' | 'restore' | 'purge' | 'update';

/** The choices of a job that only some actions have. */
export interface FolderChoices {
  readonly overwrite: boolean;
  /** Undefined keeps the visibility. */
  readonly isPrivate?: boolean | undefined;
  /** Undefined keeps the expiry, null removes it. */
  readonly expire?: string | number | null | undefined;
  /** For at least how many days the trash keeps what is deleted, whatever the rules say. */
  readonly keepDays?: number | undefined;
  /** Only what this job deleted is restored. */
  readonly deletedBy?: string | undefined;
  /**
   * The prefixes of the key, if it may purge what requests keep. That then gives way to copies. Undefined if it may not.
   */
  readonly mayPurgeKept?: Pick<Reach, 'prefixes'> | undefined;
  readonly actor: Actor;
}

/** The last file or version of the trash that was looked at. */
export interface FolderPlace {
  readonly space: Space;
  /** Undefined before the first key of the space. */
  readonly key?: string | undefined;
  readonly versionId?: string | undefined;
}

/** Work on all files of a folder. Instants are milliseconds since the epoch. */
export interface FolderJob {
  readonly id: string;
  readonly accountId: string;
  readonly action: FolderAction;
  readonly prefix: Prefix;
  readonly destination: Prefix | null;
  readonly choices: FolderChoices;
  readonly isDryRun: boolean;
  /** It first counts the files, then changes them. */
  readonly state: 'counting' | 'running' | 'done' | 'cancelled';
  readonly place: FolderPlace | null;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  /** Only what was written until then is changed. */
  readonly createdAt: number;
  readonly endedAt: number | null;
  /** When a server may take it. Null once it has ended. */
  readonly dueAt: number | null;
}

/** A file that could not be changed. */
export interface FolderFailure {
  readonly objectId: string;
  readonly code: string;
}

/** Failures that are kept of a job. */
export const maxFailures = 1000;

/** Jobs of an account that run at the same time. */
export const maxFolderJobs = 2;

/** Jobs that a list shows. */
export const listedFolderJobs = 100;

/** A job is forgotten this long after its end. */
export const folderJobsKeptMs = 30 * dayMs;

export function hasEnded({ state }: Pick<FolderJob, 'state'>): boolean {
  return state === 'done' || state === 'cancelled';
}
