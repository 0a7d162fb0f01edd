import { resolve } from 'node:path';

import { bucketExample, bucketPlace, keyPair, type BucketPlace } from './blobs.ts';
import type { Reader } from './values.ts';

/** The place of backups: the absolute path of a folder, or a bucket. */
export type BackupPlace =
  | { readonly folder: string; readonly bucket?: undefined }
  | { readonly bucket: BucketPlace; readonly folder?: undefined };

const name = 'CUBBY_BACKUP_TARGET';
const variables = { name, keys: 'CUBBY_BACKUP' };

/** The variables that `config check` does not list: files that hold the values of others. */
export const backupFileVariables = ['CUBBY_BACKUP_ACCESS_KEY_ID_FILE', 'CUBBY_BACKUP_SECRET_ACCESS_KEY_FILE'];

/** Reads the target of backups. Returns undefined if there is none. */
export function backupPlace(reader: Reader): BackupPlace | undefined {
  const value = reader.text(name);
  const isBucket = value?.startsWith('s3:') ?? false;
  const folder = value === undefined || isBucket ? undefined : folderOf(reader, value);
  const bucket = isBucket ? bucketPlace(reader, variables, value!) : undefined;
  reader.show(name, folder ?? (bucket && shownBucket(bucket)));
  const pair = keyPair(reader, variables, isBucket);
  if (folder !== undefined) return { folder };
  return bucket && pair && { bucket: { ...bucket, ...pair } };
}

function folderOf(reader: Reader, value: string): string | undefined {
  // A misspelt address of a bucket would become a folder.
  if (!/^[a-z][a-z0-9+.-]*:/i.test(value)) return resolve(value);
  reader.refuse(name, `${name} must be the path of a folder, or a bucket such as ${bucketExample}.`);
  return undefined;
}

/** Returns the address of a place for people, without secrets. */
export function shownBackupPlace({ folder, bucket }: BackupPlace): string {
  return folder ?? shownBucket(bucket);
}

function shownBucket({ bucket, prefix, endpoint }: Pick<BucketPlace, 'bucket' | 'prefix' | 'endpoint'>): string {
  return `s3://${bucket}/${prefix} at ${endpoint}`;
}
