import { describe, expect, it } from 'vitest';

import { checkConfig, parseConfig } from '#server/config/config.ts';

const bucket = 's3://backups/cubby?endpoint=https://s3.example.com&region=eu-central-1';

describe('CUBBY_BACKUP_TARGET', () => {
  it('is a folder or a bucket with its own key pair', () => {
    expect(parseConfig({ CUBBY_BACKUP_TARGET: 'backups' }).backup).toEqual({ folder: `${process.cwd()}/backups` });
    const pair = {
      CUBBY_BACKUP_ACCESS_KEY_ID: 'own',
      CUBBY_BACKUP_SECRET_ACCESS_KEY: 'secret',
      AWS_ACCESS_KEY_ID: 'aws',
    };
    expect(parseConfig({ CUBBY_BACKUP_TARGET: bucket, ...pair }).backup).toMatchObject({
      bucket: { bucket: 'backups', prefix: 'cubby/', accessKeyId: 'own', secretAccessKey: 'secret' },
    });
  });

  it.each([
    [
      { CUBBY_BACKUP_TARGET: bucket },
      /CUBBY_BACKUP_TARGET needs a key pair for the bucket\. Set CUBBY_BACKUP_ACCESS_KEY_ID/,
    ],
    [{ CUBBY_BACKUP_TARGET: 'https://host/x' }, /must be the path of a folder, or a bucket such as s3:/],
    [{ CUBBY_BACKUP_TARGET: 's3://a:b@backups/x' }, /Put it into CUBBY_BACKUP_ACCESS_KEY_ID and CUBBY_BACKUP_SECRET/],
    [{ CUBBY_BACKUP_ACCESS_KEY_ID: 'own' }, /CUBBY_BACKUP_ACCESS_KEY_ID is set, but needs CUBBY_BACKUP_TARGET/],
  ])('is refused with words: %j', (env, words) => {
    expect(checkConfig(env).problems.join(' ')).toMatch(words);
  });
});
