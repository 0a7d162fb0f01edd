import { randomBytes } from 'node:crypto';

import { BucketBlobStore } from '#server/stores/bucket/bucket-blobs.ts';
import { randomIds } from '#server/stores/system/ids.ts';
import type { BucketAccess } from '#test/support/bucket/access.ts';
import { startBucket } from '#test/support/bucket/start-bucket.ts';
import { noPackage } from '#test/support/packages.ts';
import { median, perSecond, rounded, type Report } from './report.ts';

const mebibyte = 1_048_576;
const parallel = 16;
const durationMs = 3_000;
const rounds = 3;

/** A way to a bucket. */
interface Way {
  put(id: string, bytes: Uint8Array): Promise<unknown>;
  /** Resolves with the number of bytes. */
  get(id: string): Promise<number>;
}

/** One measurement: units of work a second, and processor time of this process for each unit. */
interface Figure {
  readonly rate: number;
  readonly costMs: number;
}

/** Measures the store of blobs in a bucket, in turns with the AWS SDK over the same bucket. */
export async function bucket({ say, row }: Report): Promise<void> {
  const { access, stop } = await startBucket();
  const store = new BucketBlobStore({ ...access, prefix: 'own/', isPathStyle: true });
  const sdk = await sdkWay(access);
  const ways = { own: ownWay(store), sdk };
  const figures = new Map<string, Figure[]>();
  const note = (name: string, figure: Figure) => figures.set(name, [...(figures.get(name) ?? []), figure]);
  try {
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`);
      for (const [name, way] of Object.entries(ways)) {
        const small = randomBytes(4096);
        const ids: string[] = [];
        const putSmall = () => {
          const id = randomIds.opaqueId();
          return way.put(id, small).then(() => ids.push(id));
        };
        note(`put 4 KiB ${name}`, await many(putSmall));
        let at = 0;
        note(`get 4 KiB ${name}`, await many(() => way.get(ids[at++ % ids.length]!)));
        const [id, large] = [randomIds.opaqueId(), randomBytes(100 * mebibyte)];
        note(`put 100 MiB ${name}`, await once(() => way.put(id, large)));
        note(`get 100 MiB ${name}`, await once(() => way.get(id)));
      }
    }
  } finally {
    await store.close();
    sdk.destroy();
    await stop();
  }
  const shown = (name: string, unit: string) => {
    const all = figures.get(name)!;
    const cost = median(all.map(({ costMs }) => costMs));
    return (
      `${rounded(median(all.map(({ rate }) => rate)))} ${unit}, ` +
      `${cost < 10 ? `${Math.round(cost * 1000)} µs` : `${Math.round(cost)} ms`}`
    );
  };
  for (const what of ['put 4 KiB', 'get 4 KiB'])
    row(`${what}, ${parallel} at a time`, shown(`${what} own`, '/s'), `AWS SDK: ${shown(`${what} sdk`, '/s')}`);
  for (const what of ['put 100 MiB', 'get 100 MiB'])
    row(what, shown(`${what} own`, 'MiB/s'), `AWS SDK: ${shown(`${what} sdk`, 'MiB/s')}`);
}

function ownWay(store: BucketBlobStore): Way {
  return {
    put: (id, bytes) => store.put(id, pieces(bytes), { announcedBytes: bytes.byteLength, isExact: true }),
    async get(id) {
      let sizeBytes = 0;
      for await (const chunk of await store.open(id)) sizeBytes += (chunk as Buffer).length;
      return sizeBytes;
    },
  };
}

async function sdkWay(access: BucketAccess): Promise<Way & { destroy(): void }> {
  const missing = noPackage('@aws-sdk/client-s3');
  if (missing !== undefined) throw new Error(`The bench compares with the AWS SDK, and ${missing}.`);
  const { GetObjectCommand, PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const { endpoint, region, bucket: Bucket, accessKeyId, secretAccessKey } = access;
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  return {
    destroy: () => client.destroy(),
    put: (id, Body) => client.send(new PutObjectCommand({ Bucket, Key: `sdk/${id}`, Body })),
    async get(id) {
      let sizeBytes = 0;
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: `sdk/${id}` }));
      for await (const chunk of Body as AsyncIterable<Uint8Array>) sizeBytes += chunk.length;
      return sizeBytes;
    },
  };
}

/** Bytes as they come from a socket. */
async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

async function many(work: () => Promise<unknown>): Promise<Figure> {
  const usedBefore = process.cpuUsage();
  const startedAt = performance.now();
  let count = 0;
  const worker = async () => {
    while (performance.now() - startedAt < durationMs) {
      await work();
      count++;
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return { rate: perSecond(count, performance.now() - startedAt), costMs: usedMs(usedBefore) / count };
}

async function once(work: () => Promise<unknown>): Promise<Figure> {
  const usedBefore = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  return { rate: perSecond(100, performance.now() - startedAt), costMs: usedMs(usedBefore) };
}

function usedMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
