import type { BackupPlace } from '#server/config/backup.ts';
import { backupsView } from '#server/handlers/operator/views/backups.ts';
import { columns } from '../columns.ts';
import type { Answer } from '../operator.ts';
import { bytesWords } from '../progress-line.ts';

/** Lists the generations of a place, the oldest first. */
export async function listBackup(place: BackupPlace): Promise<Answer> {
  const { listBackups } = await import('#server/stores/list-backups.ts');
  const json = backupsView(await listBackups(place));
  const rows = json.generations.map((one) => [
    one.generation,
    one.database_bytes === null ? 'PostgreSQL' : bytesWords(one.database_bytes),
    String(one.blobs.count),
    bytesWords(one.blobs.bytes),
    String(one.damaged_blobs.length),
  ]);
  return { json, text: columns([['GENERATION', 'DATABASE', 'FILES', 'SIZE', 'DAMAGED'], ...rows]) };
}
