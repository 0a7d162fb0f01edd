import { ask } from '#test/faults/client.ts';
import { spawnServer } from '#test/faults/spawned-server.ts';
import { CreateBucketCommand } from '#test/s3/small-client.ts';
import { noRadosgw, startRadosgw } from '#test/support/radosgw/radosgw.ts';
import { clientOf, type BucketAccess } from './access.ts';

/**
 * Starts a server with a bucket: the gateway of a Cubby server over SQLite and files. The long run takes Ceph's gateway
 * where it is installed.
 */
export async function startBucket(): Promise<{ readonly access: BucketAccess; stop(): Promise<void> }> {
  return process.env.CUBBY_TEST_LONG === '1' && noRadosgw() === undefined ? startCephBucket() : startCubbyBucket();
}

async function startCubbyBucket(): ReturnType<typeof startBucket> {
  const server = await spawnServer({ sync: false, ownStores: true });
  const { credential } = await server.account();
  const { json } = await ask(`${server.urls.api}/v1/s3/credentials`, { credential });
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = json.response;
  return {
    access: { endpoint: server.urls.s3, bucket: 'private', region: 'auto', accessKeyId, secretAccessKey },
    stop: () => server.remove(),
  };
}

async function startCephBucket(): ReturnType<typeof startBucket> {
  const { endpoint, accessKey, secretKey, stop } = await startRadosgw();
  const access = {
    endpoint,
    bucket: 'tests',
    region: 'default',
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
  };
  const client = clientOf(access);
  await client.send(new CreateBucketCommand({ Bucket: access.bucket }));
  client.destroy();
  return { access, stop };
}
