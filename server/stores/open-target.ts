import type { BackupPlace } from '#server/config/backup.ts';
import { folderTarget, type OpenTarget } from './backup/folder-target.ts';

/** Opens a place of backups for writing, or for reading. @throws {BackupRefused} */
export async function openTarget(place: BackupPlace, isWritten: boolean): Promise<OpenTarget> {
  if (place.folder !== undefined) return folderTarget(place.folder, isWritten);
  const { bucketTarget } = await import('./backup/bucket-target.ts');
  return bucketTarget(place.bucket);
}
