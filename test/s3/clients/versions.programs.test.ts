import { expect, it } from 'vitest';

import { describeClient, outputOf } from './client.ts';

const awscli =
  'export AWS_DEFAULT_REGION=auto AWS_PAGER=; api() { aws --endpoint-url "$S3_URL" s3api --output text "$@"; }; ' +
  'put() { printf %s "$2" > body; api put-object --bucket private --key "$1" --body body --query VersionId; }';

const rclone =
  'export RCLONE_CONFIG_CUBBY_TYPE=s3 RCLONE_CONFIG_CUBBY_PROVIDER=Other RCLONE_CONFIG_CUBBY_REGION=auto ' +
  'RCLONE_CONFIG_CUBBY_ENDPOINT="$S3_URL" RCLONE_CONFIG_CUBBY_ENV_AUTH=true; ';

describeClient('awscli with versions', 'aws', (prepare) => {
  it('lists versions and delete markers, reads, copies and deletes them', { timeout: 200_000 }, async () => {
    const { place, own } = await prepare();
    await own.keepDeleted('kept');
    const printed = await place.run(`${awscli}
      echo '== versioning'; api get-bucket-versioning --bucket private
      echo '== refused'
      api put-bucket-versioning --bucket private --versioning-configuration Status=Enabled 2>&1 || true
      put other/a zero > /dev/null
      ONE=$(put kept/a one); TWO=$(put kept/a second); put kept/b third > /dev/null
      echo '== plain'; api head-object --bucket private --key other/a --query VersionId
      api head-object --bucket private --key kept/a --query VersionId | grep -c "$TWO"
      echo '== old'; api get-object --bucket private --key kept/a --version-id "$ONE" old > /dev/null; cat old; echo
      MARKER=$(api delete-object --bucket private --key kept/a --query '[DeleteMarker,VersionId]')
      echo '== marker'; echo "$MARKER"
      echo '== gone'; api get-object --bucket private --key kept/a none 2>&1 || true
      echo '== versions'
      api list-object-versions --bucket private --prefix kept/ --query 'Versions[].[Key,IsLatest,Size]'
      echo '== markers'; api list-object-versions --bucket private --query 'DeleteMarkers[].[Key,IsLatest]'
      echo '== pages'
      api list-object-versions --bucket private --page-size 1 --query '[Versions[].Size,DeleteMarkers[].Key]' |
        tr '\\t' '\\n' | grep -v None | sort | tr '\\n' ' '
      echo; echo '== copied'
      api copy-object --bucket private --key kept/c --copy-source "private/kept/a?versionId=$ONE" \\
        --query CopySourceVersionId | grep -c "$ONE"
      api get-object --bucket private --key kept/c copy > /dev/null; cat copy; echo
      api delete-object --bucket private --key kept/a --version-id "$(echo "$MARKER" | cut -f2)" > /dev/null
      echo '== undeleted'; api get-object --bucket private --key kept/a back --query VersionId | grep -c "$TWO"
      cat back; echo
      api delete-object --bucket private --key kept/a --version-id "$TWO" > /dev/null
      echo '== former'; api get-object --bucket private --key kept/a former > /dev/null; cat former; echo
      echo '== missing'; api get-object --bucket private --key kept/a --version-id "$TWO" none 2>&1 || true`);
    expect(outputOf(printed, 'versioning')).toBe('Enabled');
    expect(outputOf(printed, 'refused')).toMatch(/NotImplemented.*keep_deleted_days/s);
    expect(outputOf(printed, 'plain')).toBe('None\n1');
    expect(outputOf(printed, 'old')).toBe('one');
    expect(outputOf(printed, 'marker')).toMatch(/^True\t\S+-d$/);
    expect(outputOf(printed, 'gone')).toMatch(/NoSuchKey/);
    expect(outputOf(printed, 'versions')).toBe('kept/a\tFalse\t6\nkept/a\tFalse\t3\nkept/b\tTrue\t5');
    expect(outputOf(printed, 'markers')).toBe('kept/a\tTrue');
    expect(outputOf(printed, 'pages')).toBe('3 4 5 6 kept/a');
    expect(outputOf(printed, 'copied')).toBe('1\none');
    expect(outputOf(printed, 'undeleted')).toBe('1\nsecond');
    expect(outputOf(printed, 'former')).toBe('one');
    expect(outputOf(printed, 'missing')).toMatch(/NoSuchVersion/);
  });
});

describeClient('boto3 with versions', 'boto3', (prepare) => {
  it('gets the version of uploads in parts, copies and deletions', { timeout: 200_000 }, async () => {
    const { place, own } = await prepare();
    await own.keepDeleted('kept');
    await place.write(
      'try.py',
      `import boto3, json, os
from botocore.config import Config
s3 = boto3.client('s3', endpoint_url=os.environ['S3_URL'], region_name='auto', config=Config(signature_version='s3v4'))
at = {'Bucket': 'private', 'Key': 'kept/a'}
upload = s3.create_multipart_upload(**at)['UploadId']
etag = s3.upload_part(**at, UploadId=upload, PartNumber=1, Body=b'part')['ETag']
done = s3.complete_multipart_upload(**at, UploadId=upload, MultipartUpload={'Parts': [{'PartNumber': 1, 'ETag': etag}]})
copy = s3.copy_object(Bucket='private', Key='kept/b', CopySource=at)
removed = s3.delete_object(**at)
many = s3.delete_objects(Bucket='private', Delete={'Objects': [{'Key': 'kept/b'}]})['Deleted'][0]
print(json.dumps({
    'done': done['VersionId'], 'source': copy['CopySourceVersionId'], 'copy': copy['VersionId'],
    'marker': [removed['DeleteMarker'], removed['VersionId']],
    'many': [many['DeleteMarker'], many['DeleteMarkerVersionId']],
}))
`,
    );
    const { done, source, copy, marker, many } = JSON.parse(await place.run('python3 try.py'));
    expect(source).toBe(done);
    expect(marker).toEqual([true, `${done}-d`]);
    expect(many).toEqual([true, `${copy}-d`]);
  });
});

describeClient('rclone with versions', 'rclone', (prepare) => {
  it('lists and reads versions with --s3-versions, and cleans them up', { timeout: 200_000 }, async () => {
    const { place, own } = await prepare();
    await own.keepDeleted('kept');
    const printed = await place.run(`${rclone}
      printf one | rclone rcat cubby:private/kept/a.txt; printf second | rclone rcat cubby:private/kept/a.txt
      printf third | rclone rcat cubby:private/kept/b.txt; rclone deletefile cubby:private/kept/b.txt
      echo '== now'; rclone lsf cubby:private/kept
      echo '== versions'; rclone lsf --s3-versions cubby:private/kept | sed 's/-v[0-9-]*/-v/' | sort
      echo '== old'; rclone copy --s3-versions --include 'a-v*' cubby:private/kept old; cat old/a-v*; echo
      echo '== status'; rclone backend versioning cubby:private
      rclone backend cleanup-hidden cubby:private
      echo '== clean'; rclone lsf --s3-versions cubby:private/kept`);
    expect(outputOf(printed, 'now')).toBe('a.txt');
    expect(outputOf(printed, 'versions')).toBe('a-v.txt\na.txt\nb-v.txt');
    expect(outputOf(printed, 'old')).toBe('one');
    expect(outputOf(printed, 'status')).toMatch(/Enabled/);
    expect(outputOf(printed, 'clean')).toBe('a.txt');
  });
});
