import type { AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Ids } from '../ports/ids.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { stateOfRun, type BackupRun } from './backup-run.ts';
import type { BackupStep, OnBackupStep } from './target.ts';

interface Deps {
  readonly metadata: Writes<'audit' | 'backups'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

interface NewRun {
  /** The address of the target, without secrets. */
  readonly target: string;
  /** Who starts it, for the audit log. Undefined for the next generation of a backup that goes on. */
  readonly by?: AuditActor | undefined;
  /** Whether a run of another process refuses this one. Otherwise the lock of the target decides. */
  readonly waitsForOthers?: boolean;
}

/** A backup whose progress others can read. */
export interface NotedRun {
  readonly onStep: OnBackupStep;
  /**
   * May be called twice: the first call counts.
   *
   * @param error why it failed, as a text for people; null if the generation is whole
   */
  end(error: string | null): Promise<void>;
}

/** How often the progress is written. */
const noteEveryMs = 2_000;

/**
 * Begins the run of a backup to a target, in place of the one before. Its progress is written until it ends.
 *
 * @throws BACKUP_RUNNING
 */
export async function noteRun({ metadata, ids }: Deps, wanted: NewRun): Promise<NotedRun> {
  const { target } = wanted;
  const runId = ids.opaqueId();
  let step: BackupStep = { doing: 'opening the target' };
  let stepBegan = performance.now();
  let isEnded = false;
  const startedAt = await metadata.atomically(async (tx) => {
    if (wanted.waitsForOthers) await requireNoneRunning(tx, target);
    await tx.backups.beginRun(runOf({ target, runId, startedAt: tx.now }, step, tx.now, 0));
    const { by } = wanted;
    if (by) await recordAudit(tx, { action: 'backup.started', by, accountId: null, subject: target, details: {} });
    return tx.now;
  });
  const figures = (now: number): BackupRun =>
    runOf({ target, runId, startedAt }, step, now, Math.round(performance.now() - stepBegan));
  // Figures that cannot be written now are written with the next ones.
  const note = () =>
    metadata.atomically((tx) => tx.backups.noteRun(figures(tx.now)), { isDurable: false }).catch(() => {});
  const timer = setInterval(() => void note(), noteEveryMs);
  timer.unref();
  return {
    onStep(next) {
      if (next.doing !== step.doing) stepBegan = performance.now();
      step = next;
    },
    async end(error) {
      if (isEnded) return;
      isEnded = true;
      clearInterval(timer);
      await metadata.atomically((tx) => tx.backups.noteRun({ ...figures(tx.now), endedAt: tx.now, error }));
    },
  };
}

async function requireNoneRunning(tx: Transaction<'backups'>, target: string): Promise<void> {
  const run = (await tx.backups.runs()).find((one) => one.target === target);
  if (run && stateOfRun(run, tx.now) === 'running') throw new Refusal('BACKUP_RUNNING');
}

function runOf(
  run: Pick<BackupRun, 'target' | 'runId' | 'startedAt'>,
  { doing, done, total, files }: BackupStep,
  now: number,
  stepMs: number,
): BackupRun {
  const isKnown = done !== undefined && total !== undefined;
  return {
    ...run,
    seenAt: now,
    endedAt: null,
    doing,
    stepBeganAt: now - stepMs,
    doneBytes: isKnown ? done : null,
    totalBytes: isKnown ? total : null,
    doneFiles: files?.done ?? null,
    totalFiles: files?.total ?? null,
    error: null,
  };
}

/** Returns why a backup failed, with its causes. */
export function backupErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${backupErrorMessage(error.cause)})`;
}

/** Returns why a whole generation counts as failed. */
export function damagedMessage(damaged: number): string {
  return `${damaged} files are damaged or missing in the store, and not in the backup.`;
}
