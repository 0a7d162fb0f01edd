import type { BackupReport } from '#server/stores/open-backup.ts';
import { bytesText } from '../progress-line.ts';

/** Returns a report for scripts. */
export function backupJson(report: BackupReport, target: string, hasMasterKey: boolean): unknown {
  const { generation, blobs, databaseBytes, sent, damaged, removedGenerations } = report;
  return {
    target,
    generation,
    blobs,
    database_bytes: databaseBytes,
    sent: { blobs: sent.count, bytes: sent.bytes, database_bytes: sent.databaseBytes },
    damaged_blobs: damaged,
    removed_generations: removedGenerations,
    master_key: hasMasterKey,
  };
}

/** Returns a report for people. */
export function backupText(
  report: BackupReport,
  target: string,
  { hasMasterKey, isEncrypted }: { readonly hasMasterKey: boolean; readonly isEncrypted: boolean },
): string {
  const { generation, blobs, databaseBytes, sent, damaged, removedGenerations } = report;
  const database =
    databaseBytes === null
      ? 'The rows are in PostgreSQL: keep the dump of pg_dump with this generation. It is not in the backup.'
      : `Database: ${bytesText(databaseBytes)}, of which ${bytesText(sent.databaseBytes)} were sent.`;
  const lines = [
    `The backup is whole: generation ${generation} in ${target}.`,
    database,
    `Files: ${blobs.count} of ${bytesText(blobs.bytes)}, of which ${sent.count} of ${bytesText(sent.bytes)} were sent.`,
    hasMasterKey
      ? 'The master key IS in the backup. Whoever can read the target can read and forge everything.'
      : 'The master key is NOT in the backup. Keep a copy of it elsewhere: without it, no API key and no link of a ' +
        'restored server works. --with-master-key includes it.',
  ];
  if (isEncrypted)
    lines.push(
      'Files are encrypted, and the key-encryption key is NOT in the backup. Keep a copy of it elsewhere: ' +
        'without it, these files cannot be read.',
    );
  if (removedGenerations.length > 0) lines.push(`Removed ${removedGenerations.length} older generations.`);
  if (damaged.length > 0)
    lines.push(
      `${damaged.length} files of the store are damaged or missing, so the backup lacks them: ` +
        `${damaged.slice(0, 3).join(', ')}. Run "cubby store check --bytes".`,
    );
  return lines.join('\n');
}
