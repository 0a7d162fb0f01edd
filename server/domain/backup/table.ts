import type { BackupRun } from './backup-run.ts';

/** The last whole generation at a target. */
export interface NotedBackup {
  /** The address of the target, without secrets. */
  readonly target: string;
  readonly generation: string;
  /** Milliseconds since the epoch. */
  readonly completedAt: number;
}

interface BackupsReader {
  /** Returns the id that tells this installation from others; undefined before the first backup. */
  installationId(): Promise<string | undefined>;
  /** Returns the last backup at each target. */
  list(): Promise<NotedBackup[]>;
  /** Returns the last run at each target. */
  runs(): Promise<BackupRun[]>;
}

export interface BackupsTable extends BackupsReader {
  /** Stores the id of the installation, unless it has one. */
  nameInstallation(installationId: string): Promise<void>;
  /** Keeps the bytes of deleted files until this instant, or until a later one of the same hold. */
  hold(holdId: string, until: number): Promise<void>;
  /** Whether the hold has lasted until now. */
  isHoldOpen(holdId: string): Promise<boolean>;
  /** Ends a hold, and forgets those that have expired. */
  endHold(holdId: string): Promise<void>;
  /** Stores the last backup at a target, in place of an earlier one. */
  note(backup: NotedBackup): Promise<void>;
  /** Stores a run in place of the last one at its target. */
  beginRun(run: BackupRun): Promise<void>;
  /** Stores the figures of a run. Does nothing if another one has taken its place. */
  noteRun(run: BackupRun): Promise<void>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly backups: BackupsReader;
  }
  interface Tables {
    readonly backups: BackupsTable;
  }
}
