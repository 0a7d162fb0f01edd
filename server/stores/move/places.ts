import { join } from 'node:path';

import type { Config } from '#server/config/config.ts';
import { shownDatabase } from '#server/config/database-url.ts';

/**
 * Where rows and blobs are, for people, without secrets. Two configurations with the same texts have the same store.
 */
export interface Places {
  readonly rows: string;
  readonly blobs: string;
}

/** Returns where a configuration has its rows and its blobs. */
export function placesOf({ dataDir, bucket, databaseUrl }: Pick<Config, 'dataDir' | 'bucket' | 'databaseUrl'>): Places {
  return {
    rows: databaseUrl ? shownDatabase(databaseUrl).replace(/\?.*/, '') : `SQLite in ${dataDir}`,
    blobs: bucket
      ? `s3://${bucket.bucket}/${bucket.prefix} at ${bucket.endpoint}`
      : `files in ${join(dataDir, 'blobs')}`,
  };
}
