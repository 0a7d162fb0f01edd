import { describe, expect, it, onTestFinished } from 'vitest';

import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '#test/s3/small-client.ts';
import { someBytes } from '#test/support/files.ts';
import { noRadosgw, startRadosgw } from './radosgw.ts';

const missing = process.env.CUBBY_TEST_LONG === '1' ? noRadosgw() : 'only in the long run';

describe.skipIf(missing)(`Ceph for tests${missing ? ` (skipped: ${missing})` : ''}`, { timeout: 240_000 }, () => {
  it('keeps what it acknowledged when its store is killed, and answers again after it hung', async () => {
    const ceph = await startRadosgw();
    onTestFinished(() => ceph.stop());
    const client = new S3Client({
      url: ceph.endpoint,
      region: 'default',
      accessKeyId: ceph.accessKey,
      secretAccessKey: ceph.secretKey,
    });
    const place = { Bucket: 'tests', Key: 'some/key' };
    const bytes = someBytes(300_000);
    await client.send(new CreateBucketCommand({ Bucket: place.Bucket }));
    await client.send(new PutObjectCommand({ ...place, Body: bytes }));
    const read = async () => (await client.send(new GetObjectCommand(place))).Body!.transformToByteArray();

    await ceph.killStore();
    expect(bytes.equals(await read())).toBe(true);

    ceph.hang();
    let isAnswered = false;
    const reading = read().finally(() => (isAnswered = true));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(isAnswered).toBe(false);
    ceph.resume();
    expect(bytes.equals(await reading)).toBe(true);
  });
});
