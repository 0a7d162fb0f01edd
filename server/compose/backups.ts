import { shownBackupPlace, type BackupPlace } from '#server/config/backup.ts';
import type { Config } from '#server/config/config.ts';
import { backupErrorWords, damagedWords, noteRun, type NotedRun } from '#server/domain/backup/note-run.ts';
import type { OperatorBackups } from '#server/domain/operator/backups.ts';
import { backupsStatus } from '#server/domain/operator/upkeep.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Log } from '../log.ts';
import type { Stores } from '../stores/open.ts';
import { runBackupProcess } from './backup-process/backup-process.ts';

/** Backups that this server starts, each in a process of its own that ends with the server. */
export interface ServerBackups extends OperatorBackups {
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
      return listBackups(place).catch((error: unknown) => {
        throw unusable(error);
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

function unusable(error: unknown): Refusal {
  const detail = error instanceof Error ? error.message : undefined;
  return new Refusal('BACKUP_TARGET_UNUSABLE', { cause: error, ...(detail !== undefined && { detail }) });
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
    await run.end(damaged === 0 ? null : damagedWords(damaged));
    log.info({ generation, sent_files: sent.count, sent_bytes: sent.bytes }, 'backup done');
  } catch (error) {
    await run.end(signal.aborted ? 'It was stopped.' : backupErrorWords(error)).catch(() => {});
    if (!signal.aborted) log.error({ error }, 'THE BACKUP FAILED. Earlier generations are whole');
  }
}
