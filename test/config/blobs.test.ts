import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { checkConfig, parseConfig } from '#server/config/config.ts';

const pair = { CUBBY_BLOBS_ACCESS_KEY_ID: 'AKIAEXAMPLE', CUBBY_BLOBS_SECRET_ACCESS_KEY: 'secret/key+1' };

const bucketOf = (url: string, env: Record<string, string> = pair) =>
  parseConfig({ CUBBY_BLOBS_URL: url, ...env }).bucket;
const problemsOf = (env: Record<string, string>) => checkConfig(env).problems;

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-config-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'key'), text);
  return join(folder, 'key');
}

describe('CUBBY_BLOBS_URL', () => {
  it('names a bucket, a prefix, an endpoint and a region', () => {
    expect(bucketOf('s3://files/cubby/a?endpoint=http://127.0.0.1:9000&region=eu-central-1')).toEqual({
      endpoint: 'http://127.0.0.1:9000',
      bucket: 'files',
      prefix: 'cubby/a/',
      isPathStyle: true,
      region: 'eu-central-1',
      accessKeyId: 'AKIAEXAMPLE',
      secretAccessKey: 'secret/key+1',
      redirects: false,
    });
  });

  it('needs nothing but the bucket at Amazon', () => {
    expect(bucketOf('s3://my-files')).toMatchObject({
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      prefix: '',
      isPathStyle: false,
      region: 'us-east-1',
    });
    expect(bucketOf('s3://my-files/?region=eu-west-1&style=path')).toMatchObject({
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
      isPathStyle: true,
    });
  });

  it.each([
    'https://files.example.com',
    's3://',
    's3://ab',
    's3://Files',
    's3://key:secret@files',
    's3://files?endpoint=s3.example.com',
    's3://files?endpoint=https://key:secret@s3.example.com',
    's3://files?endpoint=https://s3.example.com/path',
    's3://files?secret_access_key=secret',
    's3://files?style=dns',
    's3://files?region=eu west',
    's3://files/a/../secret%2f',
    's3://files#secret',
  ])('rejects %s, and does not show it', (url) => {
    const problems = problemsOf({ CUBBY_BLOBS_URL: url, ...pair });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^CUBBY_BLOBS_URL .* Its form is s3:\/\/bucket\/prefix\?/);
    expect(problems[0]!.replace(/CUBBY_BLOBS_SECRET_ACCESS_KEY/g, '')).not.toMatch(/secret(?!_)/);
  });
});

describe('the key pair of the bucket', () => {
  it('is read from variables, from files, or from the variables of Amazon', async () => {
    const files = {
      CUBBY_BLOBS_ACCESS_KEY_ID_FILE: await fileWith('FROMFILE\n'),
      CUBBY_BLOBS_SECRET_ACCESS_KEY_FILE: await fileWith('file-secret\n'),
    };
    const ofAmazon = { AWS_ACCESS_KEY_ID: 'AMAZON', AWS_SECRET_ACCESS_KEY: 'amazon-secret' };
    expect(bucketOf('s3://files', { ...files, ...ofAmazon })).toMatchObject({
      accessKeyId: 'FROMFILE',
      secretAccessKey: 'file-secret',
    });
    expect(bucketOf('s3://files', ofAmazon)).toMatchObject({
      accessKeyId: 'AMAZON',
      secretAccessKey: 'amazon-secret',
    });
    expect(bucketOf('s3://files', { ...pair, ...ofAmazon })).toMatchObject({ accessKeyId: 'AKIAEXAMPLE' });
  });

  it('must be whole, readable and given once', async () => {
    expect(problemsOf({ CUBBY_BLOBS_URL: 's3://files', CUBBY_BLOBS_ACCESS_KEY_ID: 'A' })).toEqual([
      'CUBBY_BLOBS_URL needs a key pair for the bucket. Set CUBBY_BLOBS_SECRET_ACCESS_KEY, ' +
        'CUBBY_BLOBS_SECRET_ACCESS_KEY_FILE or AWS_SECRET_ACCESS_KEY.',
    ]);
    const missing = { CUBBY_BLOBS_ACCESS_KEY_ID: 'A', CUBBY_BLOBS_SECRET_ACCESS_KEY_FILE: '/nowhere/secret' };
    expect(problemsOf({ CUBBY_BLOBS_URL: 's3://files', ...missing })).toEqual([
      'CUBBY_BLOBS_SECRET_ACCESS_KEY_FILE must name a file that can be read (ENOENT).',
    ]);
    const twice = { ...pair, CUBBY_BLOBS_ACCESS_KEY_ID_FILE: await fileWith('B') };
    expect(problemsOf({ CUBBY_BLOBS_URL: 's3://files', ...twice })).toEqual([
      'CUBBY_BLOBS_ACCESS_KEY_ID and CUBBY_BLOBS_ACCESS_KEY_ID_FILE are both set. Keep one of them.',
    ]);
    expect(problemsOf({ CUBBY_BLOBS_URL: 's3://files', ...pair, CUBBY_BLOBS_ACCESS_KEY_ID: 'a b' })).toEqual([
      'CUBBY_BLOBS_ACCESS_KEY_ID has other characters than letters, digits and signs, or spaces within.',
    ]);
  });

  it('is never shown', () => {
    const { settings } = checkConfig({ CUBBY_BLOBS_URL: 's3://files/a?region=auto', ...pair });
    const shown = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
    expect(shown).toMatchObject({
      CUBBY_BLOBS_URL: 's3://files/a/ at https://s3.auto.amazonaws.com, region auto',
      CUBBY_BLOBS_ACCESS_KEY_ID: 'set, not shown',
      CUBBY_BLOBS_SECRET_ACCESS_KEY: 'set, not shown',
    });
  });

  it('and the redirect need a bucket', () => {
    expect(problemsOf({ ...pair, CUBBY_BLOBS_REDIRECT: 'on' })).toEqual([
      'CUBBY_BLOBS_ACCESS_KEY_ID is set, but needs CUBBY_BLOBS_URL: the bucket that it is for.',
      'CUBBY_BLOBS_SECRET_ACCESS_KEY is set, but needs CUBBY_BLOBS_URL: the bucket that it is for.',
      'CUBBY_BLOBS_REDIRECT is on, but needs CUBBY_BLOBS_URL: a bucket.',
    ]);
    expect(bucketOf('s3://files', { ...pair, CUBBY_BLOBS_REDIRECT: 'on' })!.redirects).toBe(true);
  });
});
