import { describe, expect, it } from 'vitest';

import { checkConfig } from '#server/config/config.ts';

const pair = { CUBBY_BLOBS_URL: 's3://bucket', CUBBY_BLOBS_ENDPOINT: 'http://127.0.0.1:1' };
const backup = { CUBBY_BACKUP_TARGET: 's3://bucket?endpoint=http://127.0.0.1:1' };
const database = { CUBBY_DATABASE_URL: 'postgres://user@localhost/cubby' };

/** Each variable that names a file with a secret, and what it needs beside it. */
const secrets: ReadonlyArray<readonly [variable: string, beside: Readonly<Record<string, string>>]> = [
  ['CUBBY_MASTER_KEY_FILE', {}],
  ['CUBBY_KEY_ENCRYPTION_KEY_FILE', {}],
  ['CUBBY_BLOBS_ACCESS_KEY_ID_FILE', { ...pair, CUBBY_BLOBS_SECRET_ACCESS_KEY: 'secret' }],
  ['CUBBY_BLOBS_SECRET_ACCESS_KEY_FILE', { ...pair, CUBBY_BLOBS_ACCESS_KEY_ID: 'id' }],
  ['CUBBY_BACKUP_ACCESS_KEY_ID_FILE', { ...backup, CUBBY_BACKUP_SECRET_ACCESS_KEY: 'secret' }],
  ['CUBBY_BACKUP_SECRET_ACCESS_KEY_FILE', { ...backup, CUBBY_BACKUP_ACCESS_KEY_ID: 'id' }],
  ['CUBBY_DATABASE_PASSWORD_FILE', database],
];

describe.each(secrets)('%s', (variable, beside) => {
  it.each([
    ['/dev/zero', `${variable} must name a file of at most 64 KiB.`],
    ['/nowhere/secret', `${variable} must name a file that can be read (ENOENT).`],
    ['/', `${variable} must name a file that can be read (EISDIR).`],
  ])('refuses %s at once', (path, words) => {
    expect(checkConfig({ ...beside, [variable]: path }).problems).toContainEqual(expect.stringContaining(words));
  });
});

it('a certificate is no endless file either', () => {
  const url = 'postgres://user@localhost/cubby?sslmode=verify-full&sslrootcert=/dev/zero';
  expect(checkConfig({ CUBBY_DATABASE_URL: url }).problems).toEqual([expect.stringContaining('sslrootcert')]);
});
