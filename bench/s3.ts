import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { ask } from '#test/faults/client.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '#test/s3/small-client.ts';
import { sign, type Endpoint, type S3Request } from '#test/s3/signed-request.ts';
import { noRadosgw, startRadosgw } from '#test/support/radosgw/radosgw.ts';
import { processorMs, residentMb } from './process-usage.ts';
import { perSecond, rounded, type Report } from './report.ts';

const megabyte = 1_048_576;
const limitMb = 400;
const atOnce = 8;
const listed = 100_000;
const rounds = 3;
const chunk = Buffer.alloc(65_536, 'Cubby generates these bytes while it sends them. ');
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** A measured server. */
interface Measured {
  readonly endpoint: Endpoint;
  /** The first process is the one that serves. */
  readonly pids: readonly [number, ...number[]];
  /** Creates keys `listed/00000000` and so on. */
  fill(keys: number): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Uploads and downloads eight files of 1 GiB at once. Then sends small and large requests in turns with Ceph's gateway
 * on the same disk, where its programs are installed.
 */
export async function s3(report: Report): Promise<void> {
  const own = await cubby();
  try {
    await memory(own, report);
  } finally {
    await own.remove();
  }
  const servers = { cubby: await cubby(), ...(noRadosgw() === undefined && { radosgw: await radosgw() }) };
  try {
    await speed(servers, report);
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.remove()));
  }
}

async function memory({ endpoint, pids: [pid] }: Measured, { say, row }: Report): Promise<void> {
  const idleMb = residentMb(pid);
  let peakMb = 0;
  const sampling = setInterval(() => (peakMb = Math.max(peakMb, residentMb(pid))), 50);
  for (const method of ['PUT', 'GET']) {
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: atOnce }, (_, number) =>
        transfer(endpoint, { method, path: `/private/large-${number}`, payload: 'unsigned' }, 1024 * megabyte),
      ),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    say(`${method}: ${atOnce} GiB in ${seconds.toFixed(0)} s, peak so far ${peakMb.toFixed(0)} MB`);
    row(`${atOnce} files of 1 GiB at once, ${method}`, `${((atOnce * 1024) / seconds).toFixed(0)} MB/s`);
  }
  clearInterval(sampling);
  row('the server before', `${idleMb.toFixed(0)} MB RSS`);
  row(
    'its peak meanwhile, sampled every 50 ms',
    `${peakMb.toFixed(0)} MB RSS`,
    `limit ${limitMb} MB: ${peakMb < limitMb ? 'kept' : 'NOT KEPT'}`,
  );
}

async function speed(servers: Readonly<Record<string, Measured>>, report: Report): Promise<void> {
  const small = chunk.subarray(0, 4096);
  const runs: ReadonlyArray<
    readonly [
      what: string,
      connections: number,
      seconds: number,
      make: (number: number) => S3Request,
      sizeBytes?: number,
    ]
  > = [
    [
      'PUT of 4 KiB, 16 at a time',
      16,
      3,
      (number) => ({ method: 'PUT', path: `/private/small/${number % 5000}`, body: small }),
    ],
    ['GET of 4 KiB, 16 at a time', 16, 3, (number) => ({ path: `/private/small/${number % 16}` })],
    ['HEAD, 16 at a time', 16, 3, (number) => ({ method: 'HEAD', path: `/private/small/${number % 16}` })],
    [
      'PUT of 100 MB, one at a time',
      1,
      4,
      () => ({ method: 'PUT', path: '/private/large', payload: 'unsigned' }),
      100 * megabyte,
    ],
    ['GET of 100 MB, one at a time', 1, 4, () => ({ path: '/private/large' }), 100 * megabyte],
  ];
  for (const [what, connections, seconds, make, sizeBytes] of runs)
    await compare(servers, report, { what, connections, seconds, make, sizeBytes });
  for (const server of Object.values(servers)) await server.fill(listed);
  report.say(`${listed.toLocaleString('en')} keys are there`);
  await compare(servers, report, {
    what: `a page of 1000 out of ${listed.toLocaleString('en')} keys`,
    connections: 1,
    seconds: 6,
    make: () => ({ path: '/public', query: { prefix: 'listed/', marker: 'listed/00050000' } }),
    sizeBytes: undefined,
  });
}

interface Run {
  readonly what: string;
  readonly connections: number;
  readonly seconds: number;
  readonly make: (number: number) => S3Request;
  readonly sizeBytes: number | undefined;
}

async function compare(
  servers: Readonly<Record<string, Measured>>,
  { say, row }: Report,
  { what, connections, seconds, make, sizeBytes }: Run,
): Promise<void> {
  const total = Object.fromEntries(
    Object.keys(servers).map((name) => [name, { next: 0, sent: 0, tookMs: 0, usedMs: 0 }]),
  );
  // In turns, so that other load affects both. The first round warms up and does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { endpoint, pids }] of Object.entries(servers)) {
      let sent = 0;
      const usedMs = usedBy(pids);
      const startedAt = performance.now();
      const work = async () => {
        for (; performance.now() - startedAt < (seconds * 1000) / rounds; sent++)
          await transfer(endpoint, make(total[name]!.next++), sizeBytes);
      };
      await Promise.all(Array.from({ length: connections }, work));
      if (round === 0) continue;
      total[name]!.sent += sent;
      total[name]!.tookMs += performance.now() - startedAt;
      total[name]!.usedMs += usedBy(pids) - usedMs;
    }
  }
  const found = Object.entries(total).map(([name, { sent, tookMs, usedMs }]) => {
    const rate = perSecond(sent, tookMs);
    const figure =
      sizeBytes === undefined ? `${rounded(rate)} /s` : `${((rate * sizeBytes) / megabyte).toFixed(0)} MB/s`;
    say(`${what}: ${name} ${figure}`);
    return `${figure}, ${(usedMs / sent).toFixed(2)} ms of processor time each`;
  });
  row(what, found[0]!, found[1] === undefined ? noRadosgw() : `radosgw: ${found[1]}`);
}

const usedBy = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + processorMs(pid), 0);

/**
 * Sends one request. The body of a large PUT is generated.
 *
 * @throws on any other status than 200
 */
async function transfer(endpoint: Endpoint, wanted: S3Request, sizeBytes = 0): Promise<void> {
  const { hostname, port } = new URL(endpoint.url);
  const { method, target, headers, body } = sign(endpoint, { region: 'us-east-1', ...wanted });
  const isLargePut = method === 'PUT' && body.length === 0;
  const outgoing = request({
    hostname,
    port,
    agent,
    method,
    path: target,
    headers: { ...Object.fromEntries(headers), ...(isLargePut && { 'content-length': String(sizeBytes) }) },
  });
  const answered = once(outgoing, 'response');
  if (isLargePut) await pipeline(Readable.from(generated(sizeBytes), { objectMode: false }), outgoing);
  else outgoing.end(body);
  const [response] = await answered;
  let receivedBytes = 0;
  for await (const piece of response) receivedBytes += piece.length;
  if (response.statusCode !== 200) throw new Error(`${method} ${target} got status ${response.statusCode}.`);
  if (method === 'GET' && sizeBytes > 0 && receivedBytes !== sizeBytes)
    throw new Error(`${target} returned ${receivedBytes} bytes.`);
}

function* generated(sizeBytes: number): Generator<Buffer> {
  for (let left = sizeBytes; left > 0; left -= chunk.length)
    yield left < chunk.length ? chunk.subarray(0, left) : chunk;
}

async function cubby(): Promise<Measured> {
  const server: SpawnedServer = await spawnServer();
  const account = await server.account();
  const { json } = await ask(`${server.urls.base}/v1/s3/credentials`, { credential: account.credential });
  return {
    endpoint: {
      url: server.urls.s3,
      accessKeyId: json.response.access_key_id,
      secretAccessKey: json.response.secret_access_key,
    },
    pids: [server.pid],
    fill: async (keys) =>
      void (await server.fill({ accountId: account.id, rows: keys, folders: 0, prefix: 'listed/' })),
    remove: () => server.remove(),
  };
}

async function radosgw(): Promise<Measured> {
  const { endpoint: url, accessKey: accessKeyId, secretKey: secretAccessKey, pids, stop } = await startRadosgw();
  const endpoint = { url, accessKeyId, secretAccessKey };
  const client = new S3Client(endpoint);
  for (const Bucket of ['private', 'public']) await client.send(new CreateBucketCommand({ Bucket }));
  return {
    endpoint,
    pids,
    async fill(keys) {
      let next = 0;
      const work = async () => {
        for (let number = next++; number < keys; number = next++) {
          const Key = `listed/${String(number).padStart(8, '0')}.png`;
          await client.send(new PutObjectCommand({ Bucket: 'public', Key, Body: 'x' }));
        }
      };
      await Promise.all(Array.from({ length: 32 }, work));
    },
    remove: stop,
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
