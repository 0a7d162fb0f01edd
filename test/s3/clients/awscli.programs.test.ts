import { expect, it } from 'vitest';

import { sha256 } from '../gateway.ts';
import { describeClient, outputOf, photos, report } from './client.ts';

describeClient('awscli', 'aws', (prepare) => {
  it(
    'follows its recipe: copies, syncs both ways, lists, moves, presigns and removes',
    { timeout: 200_000 },
    async () => {
      const { place, own, expectReport } = await prepare();
      const printed = await place.follow('awscli');
      for (const name of photos.keys()) expect(printed).toContain(`photos/${name}`);
      await expectReport();
      expect(sha256(await place.read('photos-again/first.jpg'))).toBe(sha256(photos.get('one.jpg')!));
      expect(await own.info('public', 'photos/first.jpg')).toBeUndefined();
      const address = /^http\S+X-Amz-Signature=\S+$/m.exec(printed)![0];
      expect(sha256(new Uint8Array(await (await fetch(address)).arrayBuffer()))).toBe(sha256(report));
    },
  );

  const setUp =
    'export AWS_DEFAULT_REGION=auto AWS_PAGER=; s3() { aws --endpoint-url "$S3_URL" s3 "$@" --no-progress; }; ' +
    'plain() { aws --endpoint-url "$S3_URL" s3 "$@"; }; api() { aws --endpoint-url "$S3_URL" s3api "$@"; };';

  it(
    'copies within and between buckets, pipes, and accepts an ACL that matches the bucket',
    { timeout: 200_000 },
    async () => {
      const { place, own, expectReport } = await prepare();
      const printed = await place.run(`${setUp}
      s3 cp report.pdf s3://private/in.pdf --acl private --metadata colour=green
      s3 cp s3://private/in.pdf s3://public/out.pdf --grants read=uri=http://acs.amazonaws.com/groups/global/AllUsers
      s3 mv s3://private/in.pdf s3://private/moved.pdf
      echo '== refused'; s3 cp photos/one.jpg s3://private/one.jpg --acl public-read 2>&1 || true
      echo '== acl'; api get-object-acl --bucket public --key out.pdf > acl.json &&
        api put-object-acl --bucket public --key out.pdf --access-control-policy file://acl.json && echo set
      echo '== pipe'; cat report.pdf | plain cp - s3://private/piped.pdf
      plain cp s3://private/piped.pdf - | cmp - report.pdf && echo same`);
      await expectReport('moved.pdf');
      expect(await own.info('private', 'moved.pdf')).toMatchObject({ metadata: { colour: 'green' } });
      expect(await own.info('public', 'out.pdf')).toMatchObject({ size: report.length, private: false });
      expect(outputOf(printed, 'refused')).toMatch(/AccessControlListNotSupported.*bucket public/s);
      expect(outputOf(printed, 'acl')).toBe('set');
      expect(outputOf(printed, 'pipe')).toBe('same');
    },
  );

  const isLong = process.env.CUBBY_TEST_LONG === '1';

  it.runIf(isLong)(
    'filters, deletes missing files in a sync, lists, and gets the reason why buckets cannot be created or deleted',
    { timeout: 200_000 },
    async () => {
      const { place } = await prepare();
      const printed = await place.run(`${setUp}
      s3 sync photos s3://private/photos --exclude '*.txt'
      rm -r photos/deep; s3 sync photos s3://private/photos --delete
      echo '== list'; plain ls s3://private/ --recursive --summarize
      echo '== bucket'; plain mb s3://private 2>&1 || true; plain mb s3://photos 2>&1 || true
      plain rb s3://private 2>&1 || true`);
      expect(outputOf(printed, 'list')).toMatch(
        /photos\/a b\+c\/empty\.txt\n.*photos\/a b\+c\/ünï \(2\)\.jpg\n.*photos\/one\.jpg\n\nTotal Objects: 3\n/s,
      );
      expect(outputOf(printed, 'list')).not.toContain('deep');
      expect(outputOf(printed, 'bucket')).toMatch(
        /BucketAlreadyOwnedByYou.*AccessDenied.*under a prefix.*AccessDenied.*Delete the files/s,
      );
    },
  );

  it.runIf(isLong)(
    'reads the settings of a bucket, and gets errors for settings that the gateway does not have',
    { timeout: 200_000 },
    async () => {
      const { place } = await prepare();
      const printed = await place.run(`${setUp}
      api put-object --bucket private --key a --body photos/one.jpg > /dev/null
      echo '== location'; api get-bucket-location --bucket private --query LocationConstraint --output text
      echo '== versions'; api list-object-versions --bucket private --query 'Versions[].[Key,VersionId]' --output text
      echo '== tags'; api get-object-tagging --bucket private --key a --query TagSet --output json
      api put-object-tagging --bucket private --key a --tagging 'TagSet=[{Key=a,Value=b}]' 2>&1 || true
      echo '== policy'; api get-bucket-policy --bucket private 2>&1 || true
      api delete-bucket-policy --bucket private && echo deleted
      echo '== versioning'; api get-bucket-versioning --bucket private
      api put-bucket-versioning --bucket private --versioning-configuration Status=Suspended && echo suspended
      echo '== attributes'
      api get-object-attributes --bucket private --key a --object-attributes ObjectSize --query ObjectSize`);
      expect(outputOf(printed, 'location')).toBe('auto');
      expect(outputOf(printed, 'versions')).toBe('a\tnull');
      expect(outputOf(printed, 'tags')).toMatch(/^\[\]\s.*NotImplemented.*x-amz-meta-/s);
      expect(outputOf(printed, 'policy')).toMatch(/NoSuchBucketPolicy.*deleted$/s);
      expect(outputOf(printed, 'versioning')).toBe('suspended');
      expect(outputOf(printed, 'attributes')).toBe('3000');
    },
  );
});
