import { describe, expect, it } from 'vitest';

import { freePort } from '#test/support/free-port.ts';
import { sha256 } from '../gateway.ts';
import { describeClient, outputOf, photos, report } from './client.ts';
import { noFuse } from './workplace.ts';

const remote =
  'export RCLONE_CONFIG_CUBBY_TYPE=s3 RCLONE_CONFIG_CUBBY_PROVIDER=Other RCLONE_CONFIG_CUBBY_REGION=auto ' +
  'RCLONE_CONFIG_CUBBY_ENDPOINT="$S3_URL" RCLONE_CONFIG_CUBBY_ENV_AUTH=true; ';

describeClient('rclone', 'rclone', (prepare) => {
  it('follows its recipe: syncs both ways, publishes, moves and links', { timeout: 200_000 }, async () => {
    const { place, own, expectPhotos } = await prepare();
    const printed = await place.follow('rclone');
    await expectPhotos('photos-again');
    for (const bucket of ['private', 'public'] as const)
      expect(await own.info(bucket, 'photos/one.jpg')).toMatchObject({
        size: 3000,
        sha256: sha256(photos.get('one.jpg')!),
      });
    expect(await own.info('public', 'albums/er/three.jpg')).toMatchObject({ size: 700_000 });
    const address = /^http\S+X-Amz-Signature=\S+$/m.exec(printed)![0];
    expect((await (await fetch(address)).arrayBuffer()).byteLength).toBe(3000);
  });

  it('syncs only changes, sends and copies in parts, pipes, measures and checks', { timeout: 200_000 }, async () => {
    const { place, own, expectReport } = await prepare();
    const printed = await place.run(`${remote}
      rclone sync photos cubby:private/photos
      echo '== again'; rclone sync --verbose photos cubby:private/photos 2>&1
      rm photos/one.jpg; rclone sync photos cubby:private/photos
      rclone copy --s3-upload-cutoff 5Mi --s3-chunk-size 5Mi report.pdf cubby:private/parts
      rclone copy --s3-copy-cutoff 5Mi cubby:private/parts cubby:private/copied
      rclone move cubby:private/parts/report.pdf cubby:private/moved
      echo '== pipe'; cat report.pdf | rclone rcat cubby:private/piped.pdf 2>/dev/null
      rclone cat cubby:private/piped.pdf | cmp - report.pdf && echo same
      echo '== check'; rclone check photos cubby:private/photos 2>&1
      rclone check --download photos cubby:private/photos 2>&1
      echo '== size'; rclone size cubby:private
      echo '== lsf'; rclone lsf --recursive cubby:private
      rclone touch cubby:private/piped.pdf; rclone deletefile cubby:private/piped.pdf
      rclone purge cubby:private/copied; rclone rmdirs cubby:private/photos; rclone cleanup cubby:private
      echo '== refused'; rclone copy --retries 1 --s3-acl private photos cubby:public/photos 2>&1 || true
      rclone mkdir --retries 1 cubby:photos 2>&1 || true
      echo '== older'; rclone lsf --retries 1 --s3-v2-auth cubby:private 2>&1 || true`);
    expect(outputOf(printed, 'again')).toMatch(/nothing to transfer/);
    expect(await own.info('private', 'photos/one.jpg')).toBeUndefined();
    await expectReport('moved/report.pdf');
    expect(outputOf(printed, 'pipe')).toBe('same');
    expect(outputOf(printed, 'check').match(/0 differences found/g)).toHaveLength(2);
    expect(outputOf(printed, 'size')).toMatch(/Total objects: 6 /);
    expect(outputOf(printed, 'lsf').split('\n')).toEqual(
      expect.arrayContaining(['moved/report.pdf', 'copied/report.pdf', 'piped.pdf', 'photos/a b+c/ünï (2).jpg']),
    );
    expect(await own.info('private', 'copied/report.pdf')).toBeUndefined();
    expect(outputOf(printed, 'refused')).toMatch(/AccessControlListNotSupported.*rclone: --s3-acl[^]*under a prefix/);
    expect(outputOf(printed, 'older')).toMatch(/v2_auth = false/);
  });

  it('syncs in both directions with bisync, and serves a bucket over HTTP', { timeout: 200_000 }, async () => {
    const { place, own } = await prepare();
    const port = await freePort();
    const printed = await place.run(`${remote}
      rclone bisync --resync photos cubby:private/photos 2>/dev/null
      echo here > photos/here.txt; echo there | rclone rcat cubby:private/photos/there.txt
      rclone bisync photos cubby:private/photos 2>/dev/null
      rclone serve http --addr 127.0.0.1:${port} cubby:private/photos 2>/dev/null & trap "kill $!" EXIT
      echo '== served'
      curl --silent --fail --retry 50 --retry-delay 1 --retry-connrefused --range 0-3 \\
        http://127.0.0.1:${port}/here.txt`);
    expect((await place.read('photos/there.txt')).toString()).toBe('there\n');
    expect(await own.info('private', 'photos/here.txt')).toMatchObject({ size: 5 });
    expect(outputOf(printed, 'served')).toBe('here');
  });

  describe.skipIf(noFuse !== undefined)(`mounted${noFuse === undefined ? '' : ` (skipped: ${noFuse})`}`, () => {
    it('reads and writes a bucket as a folder', { timeout: 200_000 }, async () => {
      const { place, own, expectReport } = await prepare();
      try {
        await place.run(`${remote} mkdir mounted
          rclone mount cubby:private mounted --daemon --vfs-cache-mode writes --vfs-write-back 0s
          mkdir mounted/notes; cp report.pdf mounted/notes/report.pdf; cmp report.pdf mounted/notes/report.pdf
          echo first > mounted/notes/a.txt; echo second >> mounted/notes/a.txt`);
        await expect
          .poll(() => own.info('private', 'notes/report.pdf'), { timeout: 20_000 })
          .toMatchObject({ size: report.length });
        await place.run('mv mounted/notes/report.pdf mounted/notes/april.pdf');
        await expect.poll(() => own.info('private', 'notes/a.txt'), { timeout: 20_000 }).toMatchObject({ size: 13 });
      } finally {
        await place.run('mountpoint --quiet mounted && umount mounted || true');
      }
      await expectReport('notes/april.pdf');
    });
  });
});
