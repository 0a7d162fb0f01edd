import { describe, expect, it, onTestFinished } from 'vitest';

import { ask, uploadFile, type Answer } from '#test/faults/client.ts';
import { CreateBucketCommand } from '#test/s3/small-client.ts';
import { askSharedServer } from '#test/support/ask-shared-server.ts';
import { clientOf, type BucketAccess } from '#test/support/bucket/access.ts';
import { bucketAt } from '#test/support/bucket/bucket.ts';
import { startDelayingProxy, type DelayingProxy } from '#test/support/delaying-proxy.ts';
import { startFaultyHttp, type FaultyHttp } from '#test/support/faulty-http.ts';
import { sha256, someBytes } from '#test/support/files.ts';
import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { noRadosgw, startRadosgw } from '#test/support/radosgw/radosgw.ts';
import { startReplicas } from './replicas.ts';
import { expectOrder } from './stored-state.ts';

const missing = noPostgres();
const noCeph = process.env.CUBBY_TEST_LONG === '1' ? missing || noRadosgw() : 'only in the long run';

/** How long a request may take whose bucket fails in the middle of it: 10 s, a retry, and what a busy machine adds. */
const boundMs = 20_000;

/** The bucket of replicas, behind two proxies that can make it fail. */
interface FailingBucket {
  readonly access: BucketAccess;
  readonly line: DelayingProxy;
  readonly http: FaultyHttp;
}

async function failing(access: BucketAccess): Promise<FailingBucket> {
  const http = await startFaultyHttp(access.endpoint);
  const line = await startDelayingProxy({ port: Number(new URL(http.url).port) });
  onTestFinished(() => line.close());
  return { access, line, http };
}

/** Makes the bucket fail. Returns a function that ends it. */
type Fault = (bucket: FailingBucket) => () => void;

const ofLine =
  (kind: 'hang' | 'refuse' | 'drop'): Fault =>
  ({ line }) => {
    line[kind]();
    return () => line.heal();
  };

const faults: Readonly<Record<string, Fault>> = {
  hangs: ofLine('hang'),
  'refuses connections': ofLine('refuse'),
  'is cut off': ofLine('drop'),
  // The bytes of a request and its response take 16 s.
  'is slow'({ line }) {
    line.delay(8_000);
    return () => line.delay(0);
  },
  'answers 503'({ http }) {
    http.fault = () => ({ kind: 'status', status: 503, body: '<Error><Code>SlowDown</Code></Error>' });
    return () => void (http.fault = () => undefined);
  },
};

function expectRefused({ status, json, headers }: Answer): void {
  expect([status, json?.code, headers.get('retry-after')]).toEqual([503, 'STORAGE_UNAVAILABLE', '1']);
}

/** Uploads and reads while the bucket fails and after it, and checks that nothing is lost and nothing is left over. */
async function expectBounded(bucketThatFails: FailingBucket, fault: Fault): Promise<void> {
  const { access, line } = bucketThatFails;
  const database = await freshDatabase(migrated);
  onTestFinished(() => database.drop());
  const bucket = bucketAt(access);
  onTestFinished(() => bucket.remove());
  const through = { ...bucket.settings };
  through.CUBBY_BLOBS_URL = through.CUBBY_BLOBS_URL!.replace(
    encodeURIComponent(access.endpoint),
    encodeURIComponent(`http://127.0.0.1:${line.port}`),
  );
  const replicas = await startReplicas({ databaseUrls: [database.url, database.url], env: through });
  onTestFinished(() => replicas.close());
  const [one, other] = [replicas.at(0), replicas.at(1)];
  const account = await one.account();
  const before = someBytes(300_000);
  const stored = await uploadFile(one, account, 'before', before);
  expect(stored.status).toBe(200);
  const path = `/${(stored.json.response.id as string).replace(/^pub\//, '')}`;

  const timed = async (request: Promise<Answer>) => {
    const beganAt = performance.now();
    const answer = await request;
    return { answer, ms: performance.now() - beganAt };
  };
  const inFlight = Array.from({ length: 4 }, (_, at) =>
    timed(uploadFile(one, account, `flying-${at}`, someBytes(900_000))),
  );
  const end = fault(bucketThatFails);
  const refused = [
    await timed(uploadFile(other, account, 'refused', someBytes(300_000))),
    await timed(ask(other.urls.public + path)),
  ];
  // The public host answers with a text.
  expect(refused.map(({ answer }) => answer.status)).toEqual([503, 503]);
  expectRefused(refused[0]!.answer);
  const flown = await Promise.all(inFlight);
  for (const { answer } of flown) if (answer.status !== 200) expectRefused(answer);
  const took = [...refused, ...flown].map(({ ms }) => Math.round(ms));
  expect(Math.max(...took), `the refusals took ${took.join(', ')} ms`).toBeLessThan(boundMs);
  for (const replica of [one, other]) {
    expect((await uploadFile(replica, account, 'small', someBytes(600))).status).toBe(200);
    expect((await ask(`${replica.urls.public}/${account.id}/small.png`)).status).toBe(200);
  }
  end();

  await expect.poll(async () => (await ask(other.urls.public + path)).status, { timeout: 60_000 }).toBe(200);
  expect(sha256((await ask(other.urls.public + path)).bytes)).toBe(sha256(before));
  for (const [at, { answer }] of flown.entries()) {
    const { status: found } = await replicas.send(`/${account.id}/flying-${at}.png`, { door: 'public' });
    expect(found).toBe(answer.status === 200 ? 200 : 404);
  }
  const again = await replicas.send('/v1/objects', {
    method: 'DELETE',
    credential: account.credential,
    body: JSON.stringify({ object: stored.json.response.id }),
  });
  expect(again.status).toBe(200);
  await expectOrder(database.url, bucket.blobs, 120_000);
  console.log(`the bucket failed for requests of ${took.join(', ')} ms`);
}

describe.skipIf(missing)(
  `replicas whose bucket fails${missing ? ` (skipped: ${missing})` : ''}`,
  { timeout: 300_000 },
  () => {
    it.each(Object.entries(faults))(
      'keep small files working, refuse larger ones in time, and leave no orphan when it %s',
      async (_, fault) => expectBounded(await failing(await askSharedServer('bucket')), fault),
    );
  },
);

describe.skipIf(noCeph)(`replicas over Ceph${noCeph ? ` (skipped: ${noCeph})` : ''}`, { timeout: 600_000 }, () => {
  it('keep small files working, refuse larger ones in time, and leave no orphan when its store hangs', async () => {
    const ceph = await startRadosgw();
    onTestFinished(() => ceph.stop());
    const access: BucketAccess = {
      endpoint: ceph.endpoint,
      bucket: 'replicas',
      region: 'default',
      accessKeyId: ceph.accessKey,
      secretAccessKey: ceph.secretKey,
    };
    const client = clientOf(access);
    await client.send(new CreateBucketCommand({ Bucket: access.bucket }));
    client.destroy();
    await expectBounded(await failing(access), () => {
      ceph.hang();
      return () => ceph.resume();
    });
  });
});
