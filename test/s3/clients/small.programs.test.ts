import { expect, it } from 'vitest';

import { sha256 } from '../gateway.ts';
import { describeClient, photos, report } from './client.ts';

describeClient('s4cmd', 's4cmd', (prepare) => {
  it('follows its recipe: puts, syncs, lists, gets, moves and removes', { timeout: 200_000 }, async () => {
    const { place, own, expectReport } = await prepare();
    const printed = await place.follow('s4cmd');
    for (const name of photos.keys()) expect(printed).toContain(`s3://public/photos/${name}`);
    expect(sha256(await place.read('again.pdf'))).toBe(sha256(report));
    await expectReport();
    expect(await own.info('public', 'photos/first.jpg')).toBeUndefined();
  });
});

describeClient('curl', 'curl', (prepare) => {
  it('follows its recipe: puts, lists, gets and removes', async () => {
    const { place, own } = await prepare();
    const printed = await place.follow('curl');
    expect(printed).toContain('<Key>reports/report.pdf</Key>');
    expect(sha256(await place.read('again.pdf'))).toBe(sha256(report));
    expect(await own.info('private', 'reports/report.pdf')).toBeUndefined();
  });

  it('gets an error that names the missing header, unless it is new enough to send it', async () => {
    const { place } = await prepare();
    expect(
      await place.run(
        'curl --silent --aws-sigv4 aws:amz:auto:s3 --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" ' +
          '"$S3_URL/private"',
      ),
    ).toMatch(/UNSIGNED-PAYLOAD|ListBucketResult/);
  });
});

describeClient('boto3', 'boto3', (prepare) => {
  it('follows its recipe: uploads, lists, copies, downloads and presigns', { timeout: 200_000 }, async () => {
    const { place, own, expectReport } = await prepare();
    const printed = await place.follow('Python, with boto3');
    const [line, address] = printed.trim().split('\n');
    expect(line).toBe(`reports/report.pdf ${report.length}`);
    expect(sha256(await place.read('again.pdf'))).toBe(sha256(report));
    expect((await fetch(address!)).status).toBe(200);
    await expectReport();
    expect(await own.info('public', 'report.pdf')).toMatchObject({ size: report.length });
  });

  it(
    'writes back the ACL that it reads, and gets an error with the setting to change when it signs by Version 2',
    { timeout: 200_000 },
    async () => {
      const { place } = await prepare();
      await place.write(
        'try.py',
        `import boto3, io, json, os
s3 = boto3.client('s3', endpoint_url=os.environ['S3_URL'], region_name='us-east-1')
for bucket, acl in (('private', 'private'), ('public', 'public-read')):
    s3.upload_fileobj(io.BytesIO(b'hello'), bucket, 'a', ExtraArgs={'ACL': acl})
    rights = s3.get_object_acl(Bucket=bucket, Key='a')
    policy = {'Owner': rights['Owner'], 'Grants': rights['Grants']}
    s3.put_object_acl(Bucket=bucket, Key='a', AccessControlPolicy=policy)
address = s3.generate_presigned_url('get_object', Params={'Bucket': 'private', 'Key': 'a'})
print(json.dumps({'address': address, 'form': s3.generate_presigned_post('private', 'b')}))
`,
      );
      const { address, form } = JSON.parse(await place.run('python3 try.py')) as {
        address: string;
        form: { url: string; fields: Record<string, string> };
      };
      expect(address).toContain('AWSAccessKeyId=');
      const refused = await (await fetch(address)).text();
      expect(refused).toContain('Config(signature_version=');
      const body = new FormData();
      for (const [name, value] of Object.entries(form.fields)) body.append(name, value);
      body.append('file', new Blob(['hello']), 'b');
      expect(await (await fetch(form.url, { method: 'POST', body })).text()).toContain('Config(signature_version=');
    },
  );
});

describeClient('JavaScript', undefined, (prepare) => {
  it('with the AWS SDK, follows its recipe', async () => {
    const { place, expectReport } = await prepare();
    const [hello, address] = (await place.follow('JavaScript, with the AWS SDK')).trim().split('\n');
    expect(hello).toBe('Hello');
    expect(await (await fetch(address!)).text()).toBe('Hello');
    await expectReport();
  });

  it('with minio, follows its recipe', async () => {
    const { place, expectReport } = await prepare();
    const [line, address] = (await place.follow('JavaScript, with minio')).trim().split('\n');
    expect(line).toBe(`reports/report.pdf ${report.length}`);
    expect(sha256(await place.read('again.pdf'))).toBe(sha256(report));
    expect((await fetch(address!)).status).toBe(200);
    await expectReport();
  });

  it('with aws4fetch, follows its recipe', async () => {
    const { place, expectReport } = await prepare();
    const address = (await place.follow('JavaScript, with aws4fetch')).trim();
    expect(sha256(await place.read('again.pdf'))).toBe(sha256(report));
    expect((await fetch(address)).status).toBe(200);
    await expectReport();
  });
});
