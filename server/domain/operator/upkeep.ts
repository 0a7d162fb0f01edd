import { stateOfRun, type BackupRun, type BackupRunState } from '../backup/backup-run.ts';
import type { NotedBackup } from '../backup/table.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { ScrubSettings } from '../store-check/scrub.ts';
import { scrubStatus, type ScrubStatus } from '../store-check/scrub-status.ts';
import type { Installation } from './installation.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'backups' | 'storeCheck'>;
  readonly clock: Clock;
  readonly scrub?: Pick<ScrubSettings, 'periodMs'> | undefined;
  readonly places: Pick<Installation, 'database'>;
}

/** The last backup to a target. */
export interface TargetStatus {
  readonly run: BackupRun;
  /** Whether backups include the database. PostgreSQL's own tools copy that. */
  readonly includesRows: boolean;
  readonly state: BackupRunState;
  /** The newest whole generation; undefined if there is none yet. */
  readonly last: NotedBackup | undefined;
}

/** What keeps the installation safe over years. */
export interface Upkeep {
  readonly backups: readonly TargetStatus[];
  readonly scrub: ScrubStatus;
}

/** Returns the last backup to each target, and how far the scrub is, whichever process runs them. */
export async function upkeep(deps: Deps): Promise<Upkeep> {
  return { backups: await backupsStatus(deps), scrub: await scrubStatus(deps) };
}

/** Returns the last backup to each target, running or ended. */
export async function backupsStatus({ metadata: { read }, clock, places }: Deps): Promise<TargetStatus[]> {
  const [runs, whole] = [await read.backups.runs(), await read.backups.list()];
  const now = clock.now();
  // Versions before noted only the end of a backup.
  const older = whole.filter(({ target }) => runs.every((run) => run.target !== target)).map(runBefore);
  return [...runs, ...older].map((run) => ({
    run,
    includesRows: places.database === 'sqlite',
    state: stateOfRun(run, now),
    last: whole.find(({ target }) => target === run.target),
  }));
}

function runBefore({ target, completedAt }: NotedBackup): BackupRun {
  const figures = { doneBytes: null, totalBytes: null, doneFiles: null, totalFiles: null };
  const instants = { startedAt: completedAt, seenAt: completedAt, endedAt: completedAt, stepBeganAt: completedAt };
  return { target, runId: '', doing: 'done', error: null, ...instants, ...figures };
}
