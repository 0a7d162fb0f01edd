import { shownBackupPlace, type BackupPlace } from '#server/config/backup.ts';
import type { Config } from '#server/config/config.ts';
import { backupErrorMessage, damagedMessage, noteRun, type NotedRun } from '#server/domain/backup/note-run.ts';
import { BackupRefused } from '#server/domain/backup/target.ts';
import type { OperatorBackups } from '#server/domain/operator/backups.ts';
import { backupsStatus } from '#server/domain/operator/upkeep.ts';
import { BlobStoreFailed } from '#server/domain/ports/blobs.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Log } from '../log.ts';
import type { Stores } from '../stores/open.ts';
import { runBackupProcess } from './backup-process/backup-process.ts';

/** Backups that this server starts, each in a process of its own that ends with the server. */
interface ServerBackups extends OperatorBackups {
  /** Waits for a running backup. Abort the signal before. */
  stop(): Promise<void>;
}

/** Returns backups to the target of the configuration. */
export function composeBackups(config: Config, stores: Stores, log: Log, signal: AbortSignal): ServerBackups {
  let running: Promise<void> = Promise.resolve();
  return {
    async list() {
      const place = requireTarget(config);
      const { listBackups } = await import('../stores/list-backups.ts');
      return listBackups(place, () => stores.metadata.read.backups.list()).catch((error: unknown) => {
        throw isOfTarget(error) ? unusable(error, log) : error;
      });
    },
    async start(by) {
      const place = requireTarget(config);
      const target = shownBackupPlace(place);
      const run = await noteRun(stores, { target, by, waitsForOthers: true });
      running = runBackup({ config, place, run, signal }, log);
      return (await backupsStatus(stores)).find((one) => one.run.target === target)!;
    },
    stop: () => running,
  };
}

/** @throws BACKUP_TARGET_MISSING */
function requireTarget({ backup }: Config): BackupPlace {
  if (backup) return backup;
  throw new Refusal('BACKUP_TARGET_MISSING');
}

/** Whether an error comes from the target: its disk, its bucket, or what it holds. */
function isOfTarget(error: unknown): boolean {
  return (
    error instanceof BackupRefused || error instanceof BlobStoreFailed || (error instanceof Error && 'syscall' in error)
  );
}

/** It has no cause, because it is no fault of the server. The log has the reason. */
function unusable(error: unknown, log: Log): Refusal {
  const detail = backupErrorMessage(error);
  log.warn({ reason: detail }, 'the target of backups cannot be read');
  return new Refusal('BACKUP_TARGET_UNUSABLE', { detail });
}

interface Running {
  readonly config: Config;
  readonly place: BackupPlace;
  readonly run: NotedRun;
  readonly signal: AbortSignal;
}

/** Takes one generation. Never rejects: its end is noted. */
async function runBackup({ config, place, run, signal }: Running, log: Log): Promise<void> {
  try {
    const { generation, sent, damaged } = await runBackupProcess({ config, place, signal, onStep: run.onStep });
    await run.end(damaged === 0 ? null : damagedMessage(damaged));
    log.info({ generation, sent_files: sent.count, sent_bytes: sent.bytes }, 'backup done');
  } catch (error) {
    await run.end(signal.aborted ? 'It was stopped.' : backupErrorMessage(error)).catch(() => {});
    if (!signal.aborted) log.error({ error }, 'THE BACKUP FAILED. Earlier generations are whole');
  }
}
