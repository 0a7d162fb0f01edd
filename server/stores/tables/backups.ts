import type { BackupRun } from '#server/domain/backup/backup-run.ts';
import type { BackupsTable, NotedBackup } from '#server/domain/backup/table.ts';
import { record, snakeCase } from './columns.ts';
import { table, type Rows, type TableContext } from './rows.ts';

const backups = table(
  'backups',
  record<NotedBackup>({ target: 'target', generation: 'generation', completedAt: 'completed_at' }),
  'target',
);

const runs = table(
  'backup_runs',
  record<BackupRun>({
    ...snakeCase(
      'target',
      'runId',
      'startedAt',
      'seenAt',
      'endedAt',
      'doing',
      'stepBeganAt',
      'doneBytes',
      'totalBytes',
      'doneFiles',
      'totalFiles',
      'error',
    ),
  }),
  'target',
);

/** Backups, and the bytes that they hold. */
export function backupsTable(rows: Rows, { now }: Pick<TableContext, 'now'>): BackupsTable {
  return {
    installationId: async () => rows.value<string>('SELECT installation_id FROM installation'),
    list: async () => rows.all(backups, 'ORDER BY target'),
    runs: async () => rows.all(runs, 'ORDER BY target'),
    async nameInstallation(installationId) {
      const name = 'INSERT INTO installation (one, installation_id) VALUES (1, ?) ON CONFLICT (one) DO NOTHING';
      await rows.write(name, installationId);
    },
    async hold(holdId, until) {
      const hold = `INSERT INTO blob_holds (hold_id, expires_at) VALUES (?, ?)
        ON CONFLICT (hold_id) DO UPDATE SET expires_at = excluded.expires_at`;
      await rows.write(hold, holdId, until);
    },
    isHoldOpen: async (holdId) =>
      (await rows.value('SELECT 1 FROM blob_holds WHERE hold_id = ? AND expires_at > ?', holdId, now)) !== undefined,
    async endHold(holdId) {
      await rows.write('DELETE FROM blob_holds WHERE hold_id = ? OR expires_at <= ?', holdId, now);
    },
    note: async (backup) => rows.put(backups, backup),
    beginRun: async (run) => rows.put(runs, run),
    async noteRun(run) {
      await rows.update(runs, run, 'target = ? AND run_id = ?', run.target, run.runId);
    },
  };
}
