import { shownBackupPlace, type BackupPlace } from '#server/config/backup.ts';
import type { Config } from '#server/config/config.ts';
import { standardKeep } from '#server/domain/backup/generation.ts';
import { backupErrorWords, noteRun, type NotedRun } from '#server/domain/backup/note-run.ts';
import type { OperatorBackups } from '#server/domain/operator/backups.ts';
import { backupsStatus } from '#server/domain/operator/upkeep.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Log } from '../log.ts';
import type { Stores } from '../stores/open.ts';

/** Backups that this server runs, until it stops. */
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
      running = runBackup({ config, stores, place, run, signal }, log);
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
  readonly stores: Stores;
  readonly place: BackupPlace;
  readonly run: NotedRun;
  readonly signal: AbortSignal;
}

/** Takes one generation. Never rejects: its end is noted. */
async function runBackup({ config, stores, place, run, signal }: Running, log: Log): Promise<void> {
  try {
    const { openBackupSession } = await import('../stores/open-backup.ts');
    const options = { keep: standardKeep, isNew: false, withMasterKey: false, onStep: () => {} };
    const session = await openBackupSession({ config, stores, place, run, signal, ...options });
    try {
      const { generation, sent } = await session.take();
      log.info({ generation, sent_files: sent.count, sent_bytes: sent.bytes }, 'backup done');
    } finally {
      await session.close();
    }
  } catch (error) {
    // If it failed before its target was open, nobody has noted that yet.
    await run.end(signal.aborted ? 'It was stopped.' : backupErrorWords(error)).catch(() => {});
    if (!signal.aborted) log.error({ error }, 'THE BACKUP FAILED. Earlier generations are whole');
  }
}
