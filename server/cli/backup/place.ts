import type { BackupPlace } from '#server/config/backup.ts';
import type { Config } from '#server/config/config.ts';
import { Failure, type Operator } from '../operator.ts';

/** Returns the configuration with a place of backups: the named one, or that of the environment. */
export function configWithBackup(
  operator: Operator,
  address: string | undefined,
): { readonly config: Config; readonly place: BackupPlace } {
  const config = operator.config(address === undefined ? {} : { CUBBY_BACKUP_TARGET: address });
  if (config.backup) return { config, place: config.backup };
  throw new Failure('Name the place of the backup, or set CUBBY_BACKUP_TARGET. --help shows the forms of places.');
}

export const placeForms = `A place is a folder, best on another disk, or a bucket:
  s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1
The key pair of a bucket is in CUBBY_BACKUP_ACCESS_KEY_ID and
CUBBY_BACKUP_SECRET_ACCESS_KEY (or …_FILE, or the AWS_… variables).`;
