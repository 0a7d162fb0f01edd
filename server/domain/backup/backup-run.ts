/** The last backup to a target, running or ended. Instants are milliseconds since the epoch. */
export interface BackupRun {
  /** The address of the target, without secrets. */
  readonly target: string;
  readonly runId: string;
  readonly startedAt: number;
  /** When its process last wrote these figures. */
  readonly seenAt: number;
  readonly endedAt: number | null;
  /** The step that it does or did last, as a text for people. */
  readonly doing: string;
  readonly stepBeganAt: number;
  /** How far the step is; null if nobody knows how much it is. */
  readonly doneBytes: number | null;
  readonly totalBytes: number | null;
  /** Null for a step without files. */
  readonly doneFiles: number | null;
  readonly totalFiles: number | null;
  /** Why it failed, as a text for people. */
  readonly error: string | null;
}

export type BackupRunState = 'running' | 'done' | 'failed' | 'lost';

/** A process that has not written for this long counts as killed. It writes every two seconds. */
const silentMs = 60_000;

/** Returns how a backup is doing at `now`. */
export function stateOfRun(
  { endedAt, seenAt, error }: Pick<BackupRun, 'endedAt' | 'seenAt' | 'error'>,
  now: number,
): BackupRunState {
  if (endedAt !== null) return error === null ? 'done' : 'failed';
  return now - seenAt > silentMs ? 'lost' : 'running';
}
