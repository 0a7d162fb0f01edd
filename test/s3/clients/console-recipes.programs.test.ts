import { expect, it } from 'vitest';

import { recipeOf, type Program } from '#console/screens/s3/recipes.ts';
import { noPackage } from '#test/support/packages.ts';
import type { Gateway } from '../gateway.ts';
import { describeClient } from './client.ts';

/** Returns the lines that the console shows for a key pair. */
function linesFor(program: Program, { url, accessKeyId, secretAccessKey }: Gateway): string {
  return recipeOf(program, {
    endpoint: url,
    region: 'auto',
    accessKeyId,
    secretAccessKey,
    bucket: 'private',
    folder: 'team',
  });
}

for (const [program, name] of [
  ['awscli', 'aws'],
  ['rclone', 'rclone'],
  ['s3cmd', 's3cmd'],
] as const)
  describeClient(`the console’s lines for ${program}`, name, (prepare) => {
    it('upload a file and list it', { timeout: 200_000 }, async () => {
      const { place, own, expectReport } = await prepare();
      const printed = await place.run(linesFor(program, own));
      expect(printed).toContain('report.pdf');
      await expectReport('team/report.pdf');
    });
  });

describeClient('the console’s lines for restic', 'restic', (prepare) => {
  it('make a repository and a snapshot', { timeout: 200_000 }, async () => {
    const { place, own } = await prepare();
    await place.write('documents/note.txt', Buffer.from('note'));
    expect(await place.run(linesFor('restic', own))).toContain('1 snapshots');
  });
});

describeClient(
  'the console’s lines for JavaScript',
  undefined,
  (prepare) => {
    it('write an object', async () => {
      const { place, own } = await prepare();
      const client = import.meta.resolve('@aws-sdk/client-s3');
      await place.write('hello.mjs', linesFor('JavaScript', own).replace("'@aws-sdk/client-s3'", `'${client}'`));
      await place.run(`${process.execPath} hello.mjs`);
      expect(await own.info('private', 'team/hello.txt')).toMatchObject({ size: 5 });
    });
  },
  noPackage('@aws-sdk/client-s3'),
);

describeClient('the console’s lines for Python', 'boto3', (prepare) => {
  it('write an object', { timeout: 200_000 }, async () => {
    const { place, own } = await prepare();
    await place.write('hello.py', linesFor('Python', own));
    await place.run('python3 hello.py');
    expect(await own.info('private', 'team/hello.txt')).toMatchObject({ size: 5 });
  });
});
