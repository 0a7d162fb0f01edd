import { expect, it } from 'vitest';

import { sha256 } from '../gateway.ts';
import { describeClient, outputOf, report } from './client.ts';
import { noFuse } from './workplace.ts';

describeClient(
  's3fs',
  's3fs',
  (prepare) => {
    const unmount = 'mountpoint --quiet mounted && umount --lazy mounted || true';

    it('follows its recipe: mounts a bucket as a folder', { timeout: 200_000 }, async () => {
      const { place, own, expectReport } = await prepare();
      try {
        expect(await place.follow('s3fs')).toContain('april.pdf');
      } finally {
        await place.run(unmount);
      }
      expect(sha256(await place.read('again.pdf'))).toBe(sha256(report));
      await expectReport('notes/april.pdf');
      expect(await own.info('private', 'notes/report.pdf')).toBeUndefined();
    });

    it('changes files and folders of the public bucket in place', { timeout: 200_000 }, async () => {
      const { place, own } = await prepare();
      try {
        const printed = await place.run(`echo "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" > ~/.passwd-s3fs
        chmod 600 ~/.passwd-s3fs; mkdir mounted
        s3fs public mounted -o url="$S3_URL" -o use_path_request_style -o endpoint=auto \\
          -o passwd_file="$HOME/.passwd-s3fs" -o default_acl=public-read
        cd mounted; mkdir notes; echo first > notes/a.txt; echo second >> notes/a.txt
        chmod 600 notes/a.txt; ln -s a.txt notes/link
        truncate --size 9 notes/a.txt; cp -r ../photos photos; mv notes letters; rm -r photos/deep
        echo '== read'; cat letters/link; echo
        echo '== found'; find . -type f | sort`);
        expect(outputOf(printed, 'read')).toBe('first\nsec');
        expect(outputOf(printed, 'found').split('\n')).toEqual([
          './letters/a.txt',
          './photos/a b+c/empty.txt',
          './photos/a b+c/ünï (2).jpg',
          './photos/one.jpg',
        ]);
        expect(await own.info('public', 'letters/a.txt')).toMatchObject({ size: 9, private: false });
      } finally {
        await place.run(unmount);
      }
    });
  },
  noFuse,
);
