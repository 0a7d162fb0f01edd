import { shownBackupPlace, type BackupPlace } from '#server/config/backup.ts';
import { goneMessage } from '#server/domain/backup/open-backup.ts';
import { listGenerations, type GenerationList } from '#server/domain/backup/list-generations.ts';
import type { NotedBackup } from '#server/domain/backup/table.ts';
import { BackupRefused, NoBackupYet } from '#server/domain/backup/target.ts';
import { openTarget } from './open-target.ts';

/**
 * Lists the generations of a place. Before the first backup there are none.
 *
 * @param known returns the backups that this installation has made. Called only for a place without any
 * @throws {BackupRefused} also when the place has lost them, for instance because its disk is not mounted
 */
export async function listBackups(
  place: BackupPlace,
  known: () => Promise<readonly NotedBackup[]>,
): Promise<GenerationList> {
  const list = await generationsOf(place);
  if (list.generations.length > 0) return list;
  const last = (await known()).find(({ target }) => target === list.target);
  if (last) throw new BackupRefused(goneMessage(last));
  return list;
}

async function generationsOf(place: BackupPlace): Promise<GenerationList> {
  try {
    const target = await openTarget(place, false);
    try {
      return await listGenerations(target);
    } finally {
      await target.close();
    }
  } catch (error) {
    if (error instanceof NoBackupYet) return { target: shownBackupPlace(place), generations: [] };
    throw error;
  }
}
