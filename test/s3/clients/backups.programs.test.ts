import { expect, it } from 'vitest';

import { describeClient, outputOf } from './client.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';

describeClient('restic', 'restic', (prepare) => {
  it(
    'follows its recipe: backs up, checks every byte, restores, forgets and prunes',
    { timeout: 200_000 },
    async () => {
      const { place, own, expectPhotos } = await prepare();
      const printed = await place.follow('restic');
      expect(printed).toContain('no errors were found');
      await expectPhotos('restored/photos');
      await place.write('photos/more.txt', 'more');
      const again =
        await place.run(`export RESTIC_REPOSITORY="s3:$S3_URL/private/backups" RESTIC_PASSWORD=choose-your-own
      export AWS_DEFAULT_REGION=auto
      ${isLong ? 'restic backup --quiet photos' : ''}
      echo piped | restic backup --quiet --stdin --stdin-filename notes.txt
      restic forget --quiet --keep-last 1 --group-by '' --prune
      echo '== dump'; restic dump latest notes.txt
      echo '== check'; restic check`);
      expect(outputOf(again, 'dump')).toBe('piped');
      const snapshots = '/v1/objects?prefix=backups/snapshots';
      const { objects } = (await own.server.send(snapshots, { credential: own.account.credential })).json().response;
      expect(objects).toHaveLength(1);
      expect(outputOf(again, 'check')).toContain('no errors were found');
    },
  );
});

describeClient('duplicity', 'duplicity', (prepare) => {
  it(
    'follows its recipe: backs up in full and incrementally, verifies, restores and removes',
    { timeout: 200_000 },
    async () => {
      const { place, own, expectPhotos } = await prepare();
      try {
        const printed = await place.follow('duplicity');
        expect(printed).toMatch(/Verify complete: \d+ files compared, 0 differences found/);
        await expectPhotos('restored');
        const { objects } = (
          await own.server.send('/v1/objects?prefix=duplicity', { credential: own.account.credential })
        ).json().response;
        expect(objects.length).toBeGreaterThan(5);
      } finally {
        await place.run('gpgconf --kill gpg-agent || true');
      }
    },
  );
});
