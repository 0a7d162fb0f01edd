import type { BackupPlace } from '#server/config/backup.ts';
import { listGenerations, type GenerationList } from '#server/domain/backup/list-generations.ts';
import { openTarget } from './open-target.ts';

/** Lists the generations of a place. @throws {BackupRefused} */
export async function listBackups(place: BackupPlace): Promise<GenerationList> {
  const target = await openTarget(place, false);
  try {
    return await listGenerations(target);
  } finally {
    await target.close();
  }
}
