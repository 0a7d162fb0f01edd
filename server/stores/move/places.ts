import { join } from 'node:path';

import type { Config } from '#server/config/config.ts';

/** Where rows and blobs are, for people, without secrets. Two configurations with the same texts have the same store. */
export interface Places {
  readonly rows: string;
  readonly blobs: string;
}

/** Returns where a configuration has its rows and its blobs. */
export function placesOf({ dataDir, bucket }: Pick<Config, 'dataDir' | 'bucket'>): Places {
  return {
    rows: `SQLite in ${dataDir}`,
    blobs: bucket
      ? `s3://${bucket.bucket}/${bucket.prefix} at ${bucket.endpoint}`
      : `files in ${join(dataDir, 'blobs')}`,
  };
}
