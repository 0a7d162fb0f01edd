import type { BackupPlace } from '#server/config/backup.ts';
import type { NotedBackup } from '#server/domain/backup/table.ts';
import { backupsView } from '#server/handlers/operator/views/backups.ts';
import { columns } from '../columns.ts';
import type { Answer, Operator } from '../operator.ts';
import { bytesText } from '../progress-line.ts';

/** Lists the generations of a place, the oldest first. Needs no installation: its data folder may be lost. */
export async function listBackup(operator: Operator, place: BackupPlace): Promise<Answer> {
  const { listBackups } = await import('#server/stores/list-backups.ts');
  const json = backupsView(await listBackups(place, () => knownBackups(operator)));
  if (json.generations.length === 0)
    return { json, text: `There is no backup in ${json.target} yet. If there should be one: is its disk mounted?` };
  const rows = json.generations.map((one) => [
    one.generation,
    one.database_bytes === null ? 'PostgreSQL' : bytesText(one.database_bytes),
    String(one.blobs.count),
    bytesText(one.blobs.bytes),
    String(one.damaged_blobs.length),
  ]);
  return { json, text: columns([['GENERATION', 'DATABASE', 'FILES', 'SIZE', 'DAMAGED'], ...rows]) };
}

/** Returns the backups that the installation of the data folder has made; none if it cannot be read. */
function knownBackups(operator: Operator): Promise<readonly NotedBackup[]> {
  return operator.onStores(({ metadata }) => metadata.read.backups.list()).catch(() => []);
}
