import { describe, expect, it } from 'vitest';

import { environmentsOf } from '#server/cli/store/move-environment.ts';
import { parseConfig } from '#server/config/config.ts';

/** What docs/scaling.md names for several machines, beside the addresses. */
const secrets = {
  CUBBY_DATABASE_PASSWORD_FILE: import.meta.filename,
  CUBBY_BLOBS_ACCESS_KEY_ID: 'id',
  CUBBY_BLOBS_SECRET_ACCESS_KEY: 'secret',
};
const postgres = 'postgres://cubby@db1.example.com/cubby?sslmode=verify-full';
const bucket = 's3://cubby?endpoint=https://s3.example.com';

const placesOf = (env: Parameters<typeof parseConfig>[0]) => {
  const { databaseUrl, bucket: blobs } = parseConfig(env);
  return [databaseUrl ? 'postgres' : 'sqlite', blobs ? 'bucket' : 'files'];
};

describe('a move with passwords and keys in the environment', () => {
  it.each([
    ['to both', {}, [], [postgres, bucket], 'sqlite files', 'postgres bucket'],
    ['to a database', {}, [], [postgres], 'sqlite files', 'postgres files'],
    ['to a bucket', {}, [], [bucket], 'sqlite files', 'sqlite bucket'],
    [
      'back',
      { CUBBY_DATABASE_URL: postgres, CUBBY_BLOBS_URL: bucket },
      [],
      ['sqlite:', 'files:'],
      'postgres bucket',
      'sqlite files',
    ],
    [
      'of the files back',
      { CUBBY_DATABASE_URL: postgres, CUBBY_BLOBS_URL: bucket },
      [],
      ['files:'],
      'postgres bucket',
      'postgres files',
    ],
    [
      'from a folder',
      { CUBBY_DATABASE_URL: postgres, CUBBY_BLOBS_URL: bucket },
      ['file:/old'],
      [postgres, bucket],
      'sqlite files',
      'postgres bucket',
    ],
    [
      'to a folder',
      { CUBBY_DATABASE_URL: postgres, CUBBY_BLOBS_URL: bucket },
      [],
      ['file:/new'],
      'postgres bucket',
      'sqlite files',
    ],
  ] as const)('%s: each side gets what it needs', (_name, addresses, from, to, source, target) => {
    const environments = environmentsOf({ ...secrets, ...addresses }, { from, to });
    expect(placesOf(environments.from).join(' ')).toBe(source);
    expect(placesOf(environments.to).join(' ')).toBe(target);
  });
});
