import { expect, it } from 'vitest';

import { sha256, type Gateway } from '../gateway.ts';
import { describeClient, outputOf, photos, report } from './client.ts';

describeClient('s3cmd', 's3cmd', (prepare) => {
  const configured = (own: Gateway, more = '') =>
    `printf '[default]\\naccess_key = ${own.accessKeyId}\\nsecret_key = ${own.secretAccessKey}\\nhost_base = ` +
    `${new URL(own.url).host}\\nhost_bucket = ${new URL(own.url).host}\\nuse_https = False\\n${more}' > ~/.s3cfg; `;

  it(
    'follows its recipe: puts, syncs, lists, gets, copies, moves, changes and removes',
    { timeout: 200_000 },
    async () => {
      const { place, own, expectReport } = await prepare();
      const printed = await place.follow('s3cmd');
      for (const name of photos.keys()) expect(printed).toContain(`s3://public/photos/${name}`);
      expect(sha256(await place.read('again.pdf'))).toBe(sha256(report));
      await expectReport();
      expect(await own.info('public', 'report.pdf')).toMatchObject({
        size: report.length,
        cache_control: 'public, max-age=3600',
      });
      expect(await place.run('s3cmd ls s3://public/photos/')).toBe('');
    },
  );

  it('sends large files in parts, and later only changes', { timeout: 200_000 }, async () => {
    const { place, own, expectReport } = await prepare();
    await place.run(
      `${configured(own)} s3cmd put --multipart-chunk-size-mb=5 report.pdf s3://private/parts.pdf && s3cmd sync ` +
        'photos/ s3://private/photos/',
    );
    await expectReport('parts.pdf');
    await place.write('photos/one.jpg', 'changed');
    const again = await place.run('s3cmd sync photos/ s3://private/photos/');
    expect(again).toContain('one.jpg');
    expect(again).not.toContain('three.jpg');
  });

  it(
    'copies, moves and syncs within and between buckets, and writes back the ACLs that it reads',
    { timeout: 200_000 },
    async () => {
      const { place, own, expectReport, expectPhotos } = await prepare();
      await place.run(`${configured(own)}
      s3cmd put report.pdf s3://private/a.pdf
      s3cmd cp s3://private/a.pdf s3://private/b.pdf
      s3cmd mv s3://private/b.pdf s3://private/c.pdf
      s3cmd cp s3://private/c.pdf s3://public/c.pdf
      s3cmd cp --acl-public s3://private/c.pdf s3://public/d.pdf
      s3cmd cp s3://public/c.pdf s3://private/back.pdf
      s3cmd modify --add-header='Cache-Control: max-age=60' s3://private/a.pdf
      s3cmd sync photos/ s3://public/photos/
      s3cmd sync s3://public/photos/ s3://private/copied/
      s3cmd mv --recursive s3://private/copied/ s3://private/moved/
      s3cmd sync s3://private/moved/ photos-again/`);
      for (const key of ['a.pdf', 'c.pdf', 'back.pdf']) await expectReport(key);
      expect(await own.info('private', 'b.pdf')).toBeUndefined();
      for (const key of ['c.pdf', 'd.pdf'])
        expect(await own.info('public', key)).toMatchObject({ size: report.length });
      expect(await own.info('private', 'a.pdf')).toMatchObject({ cache_control: 'public, max-age=60' });
      expect(await own.info('private', 'copied/one.jpg')).toBeUndefined();
      await expectPhotos('photos-again');
    },
  );

  it(
    'accepts an ACL that matches the bucket, and gets an error that names the right bucket for others',
    { timeout: 200_000 },
    async () => {
      const { place, own } = await prepare();
      const printed = await place.run(`${configured(own)}
      s3cmd put photos/one.jpg s3://private/a; s3cmd put --acl-public photos/one.jpg s3://public/a
      s3cmd setacl --acl-private s3://private/a s3://private; s3cmd setacl --acl-public --recursive s3://public
      echo '== public'; s3cmd setacl --acl-public s3://private/a 2>&1 || true
      echo '== private'; s3cmd setacl --acl-private s3://public/a 2>&1 || true
      echo '== grant'; s3cmd setacl --acl-grant=read:someone s3://private/a 2>&1 || true
      echo '== put'; s3cmd put --acl-public photos/one.jpg s3://private/b 2>&1 || true
      echo '== info'; s3cmd info s3://public s3://private/a`);
      expect(outputOf(printed, 'public')).toMatch(/501 \(NotImplemented\).*bucket public/);
      expect(outputOf(printed, 'private')).toMatch(/501 \(NotImplemented\).*bucket private/);
      expect(outputOf(printed, 'grant')).toMatch(/NotImplemented/);
      expect(outputOf(printed, 'put')).toMatch(/AccessControlListNotSupported.*bucket public/);
      expect(outputOf(printed, 'info')).toMatch(/\*anon\*: READ[^]*FULL_CONTROL/);
      expect(await own.info('private', 'b')).toBeUndefined();
    },
  );

  it(
    'pipes, resumes a download, counts, and removes settings that a bucket does not have',
    { timeout: 200_000 },
    async () => {
      const { place, own, expectReport } = await prepare();
      const printed = await place.run(`${configured(own)}
      cat report.pdf | s3cmd put - s3://private/piped.pdf
      head --bytes 6000000 report.pdf > again.pdf
      s3cmd get --continue s3://private/piped.pdf again.pdf; cmp again.pdf report.pdf
      echo '== cat'; s3cmd get s3://private/piped.pdf - | cmp - report.pdf && echo same
      echo '== du'; s3cmd du s3://private
      echo '== multipart'; s3cmd multipart s3://private
      echo '== bucket'; s3cmd mb s3://private 2>&1 || true; s3cmd rb s3://private 2>&1 || true
      echo '== none'; s3cmd delpolicy s3://private; s3cmd delcors s3://private; s3cmd dellifecycle s3://private
      s3cmd delnotification s3://private; s3cmd payer s3://private
      echo '== expire'; s3cmd expire s3://private --expiry-days=7 2>&1 || true`);
      await expectReport('piped.pdf');
      expect(outputOf(printed, 'cat')).toBe('same');
      expect(outputOf(printed, 'du')).toMatch(new RegExp(`^${report.length} +1 objects`));
      expect(outputOf(printed, 'multipart')).toContain('Initiated');
      expect(outputOf(printed, 'bucket')).toMatch(/BucketAlreadyOwnedByYou[^]*Delete the files/);
      expect(outputOf(printed, 'none')).not.toMatch(/ERROR/);
      expect(outputOf(printed, 'expire')).toMatch(/NotImplemented.*\/v1\/account\/settings/);
    },
  );

  it(
    'continues with Version 4 if its settings say Version 2, except signurl, whose URL answers with alternatives',
    { timeout: 200_000 },
    async () => {
      const { place, own } = await prepare();
      const printed = await place.run(
        `${configured(own, 'signature_v2 = True\\n')} s3cmd put photos/one.jpg s3://private/a; echo '== url'; ` +
          's3cmd signurl s3://private/a +600',
      );
      expect(await own.info('private', 'a')).toMatchObject({ size: 3000 });
      const refused = await fetch(outputOf(printed, 'url'));
      expect(refused.status).toBe(400);
      expect(await refused.text()).toMatch(
        /s3cmd signurl has no such setting: presign with aws s3 presign or rclone link/,
      );
    },
  );
});
