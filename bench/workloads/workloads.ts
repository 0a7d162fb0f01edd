import { mkdir, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { ask, uploadFile } from '#test/faults/client.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { sign, type Endpoint, type S3Request } from '#test/s3/signed-request.ts';
import { someBytes } from '#test/support/files.ts';
import { getRequest, requestsPerSecond, uploadRequest } from '../load.ts';
import { processorMs, residentMb } from '../process-usage.ts';
import { median, rounded, type Report } from '../report.ts';
import { streamBytes } from '../stream-bytes.ts';
import { chartOf, type Group } from './chart.ts';
import { bareStore, largeBytes, nginx, smallBytes, tusServer, type Peer } from './servers.ts';
import { startFigures } from './start.ts';
import { numberMark, wrk, type WrkFigures, type WrkLoad } from './wrk.ts';

const rounds = 3;
const seconds = 3;
const megabyte = 1_048_576;
const partBytes = 16 * megabyte;
const small = someBytes(smallBytes);

/** One server under one kind of load. */
interface Contender {
  readonly name: string;
  readonly pids: readonly number[];
  /** Sends the load for some seconds. Returns the number of requests, and any other measured figures. */
  readonly run: () => Promise<Pick<WrkFigures, 'count' | 'perSecond'> & Partial<WrkFigures>>;
}

interface Workload {
  readonly name: string;
  /** The first is the baseline that the others are compared with. Cubby's own come last. */
  readonly contenders: readonly Contender[];
  readonly unit: '/s' | 'MB/s';
  /** Size of each request's file, for MB/s. */
  readonly megabytesEach?: number;
}

/** The servers of one run. All of them run from the beginning to the end, and take turns. */
interface Servers {
  readonly cubby: SpawnedServer;
  readonly bare: Peer;
  readonly tus: Peer;
  readonly nginx: Peer | undefined;
}

/**
 * Sends the same load to Cubby, to bare handlers of the same runtime and to peers, in turns. The figure that counts is
 * the processor time of a request, and its ratio to that of the bare handlers. Rates depend on other load on the
 * machine.
 *
 * @param only the beginning of the name of one workload, such as `W4`. Empty: all workloads
 */
export async function workloads(report: Report, only = ''): Promise<void> {
  if (only === 'W7') return startFigures(report);
  const servers: Servers = {
    cubby: await spawnServer(),
    bare: await bareStore(),
    tus: await tusServer(),
    nginx: await nginx(),
  };
  let peakMb = 0;
  const sampling = setInterval(() => (peakMb = Math.max(peakMb, residentMb(servers.cubby.pid))), 50);
  try {
    const groups: Group[] = [];
    const chosen = (await all(servers, report)).filter(({ name }) => name.startsWith(only));
    for (const workload of chosen) groups.push(await compare(workload, report));
    if (only === '') await writeChart(groups, report);
    report.row('RSS of Cubby at the peak of all of these', `${peakMb.toFixed(0)} MB`, 'sampled every 50 ms');
  } finally {
    clearInterval(sampling);
    await Promise.all([
      servers.cubby.remove(),
      ...[servers.bare, servers.tus, servers.nginx].map((peer) => peer?.remove()),
    ]);
  }
  if (only === '') await startFigures(report);
}

/** What the workloads find on the servers. */
interface Stored {
  readonly servers: Servers;
  readonly credential: string;
  readonly s3: Endpoint;
  /** A file of 4 KiB and one of 100 MB. */
  readonly small: StoredFile;
  readonly large: StoredFile;
  /** An account with 20,000 files. */
  readonly paged: { readonly credential: string; readonly s3: Endpoint };
}

interface StoredFile {
  readonly id: string;
  readonly url: string;
}

async function all(servers: Servers, { say }: Report): Promise<Workload[]> {
  const { cubby } = servers;
  const account = await cubby.account();
  const { credential } = account;
  say('storing the files to be read');
  const store = async (name: string, bytes: Buffer): Promise<StoredFile> =>
    (await uploadFile(cubby, account, name, bytes)).json.response;
  const paged = await cubby.account();
  await cubby.fill({ accountId: paged.id, rows: 20_000, folders: 0, prefix: 'listed/' });
  const stored: Stored = {
    servers,
    credential,
    s3: await endpointOf(cubby, credential),
    small: await store('small', small),
    large: await store('large', Buffer.alloc(largeBytes, someBytes(65_536))),
    paged: { credential: paged.credential, s3: await endpointOf(cubby, paged.credential) },
  };
  return [
    smallUploads(stored),
    largeUploads(stored),
    ...downloads(stored),
    details(stored),
    pages(stored),
    {
      name: 'W8 512 MB in parts of 16 MB, 4 at a time',
      unit: 'MB/s',
      megabytesEach: 512,
      contenders: [{ name: 'Cubby, REST', pids: [cubby.pid], run: () => inParts(cubby, credential) }],
    },
  ];
}

async function endpointOf({ urls }: SpawnedServer, credential: string): Promise<Endpoint> {
  const { json } = await ask(`${urls.base}/v1/s3/credentials`, { credential });
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = json.response;
  return { url: urls.s3, accessKeyId, secretAccessKey };
}

function pathOf({ id }: StoredFile): string {
  return `/public/${id.split('/').slice(2).join('/')}`;
}

function loaded(name: string, pids: readonly number[], load: Omit<WrkLoad, 'seconds'>): Contender {
  return { name, pids, run: () => wrk({ ...load, seconds }) };
}

function one(name: string, peer: Peer | undefined, path: string, connections: number): Contender[] {
  return peer ? [loaded(name, peer.pids, { url: peer.url, connections, requests: [getRequest(peer.url + path)] })] : [];
}

/** Returns Cubby as a contender, with requests that are made once. */
function own({ servers: { cubby } }: Stored, name: string, load: Omit<WrkLoad, 'seconds'>): Contender {
  return loaded(name, [cubby.pid], load);
}

/** Returns Cubby's S3 door as a contender. A signature is good for 15 minutes, so each run makes its own. */
function signed(
  { servers: { cubby }, s3 }: Pick<Stored, 'servers' | 's3'>,
  connections: number,
  ...requests: S3Request[]
): Contender {
  return {
    name: 'Cubby, S3',
    pids: [cubby.pid],
    run: () => wrk({ url: s3.url, connections, seconds, requests: requests.map((wanted) => wire(s3, wanted)) }),
  };
}

/** Returns Cubby's S3 door as a contender. wrk waits for the body that a HEAD does not have. */
function heads({ servers: { cubby }, s3 }: Stored, connections: number, path: string): Contender {
  return {
    name: 'Cubby, S3 HEAD',
    pids: [cubby.pid],
    async run() {
      const request = wire(s3, { method: 'HEAD', path });
      const load = { url: s3.url, connections, durationMs: seconds * 1000, request: () => request, isHead: true };
      const perSecond = await requestsPerSecond(load);
      return { count: perSecond * seconds, perSecond };
    },
  };
}

function smallUploads(stored: Stored): Workload {
  const { cubby, bare, tus } = stored.servers;
  const { base } = cubby.urls;
  const s3Puts = Array.from({ length: 64 }, (_, number) => ({
    method: 'PUT',
    path: `/private/put/${number}`,
    body: small,
  }));

  return {
    name: 'W1 durable upload of 4 KiB, 16 at a time',
    unit: '/s',
    contenders: [
      loaded('bare handler with MD5 and fsync', bare.pids, {
        url: bare.url,
        connections: 16,
        requests: [plainPost(bare.url, '/file', small)],
      }),
      loaded('tus, no sync', tus.pids, {
        url: tus.url,
        connections: 16,
        requests: [
          plainPost(tus.url, '/files', small, {
            'Tus-Resumable': '1.0.0',
            'Upload-Length': String(smallBytes),
            'Content-Type': 'application/offset+octet-stream',
          }),
        ],
      }),
      own(stored, 'Cubby, REST', {
        url: base,
        connections: 16,
        requests: [uploadRequest(base, stored.credential, `put-${numberMark}`, small)],
      }),
      signed(stored, 16, ...s3Puts),
    ],
  };
}

function largeUploads({ servers: { cubby, bare }, credential, s3 }: Stored): Workload {
  return {
    name: 'W2 upload of 100 MB, 2 at a time',
    unit: 'MB/s',
    megabytesEach: 100,
    contenders: [
      streamed('bare handler with MD5 and fsync', bare.pids, 2, () => ({ url: `${bare.url}/file`, method: 'POST' })),
      streamed('Cubby, S3', [cubby.pid], 2, (number) => {
        const { method, target, headers } = sign(s3, {
          method: 'PUT',
          path: `/private/large-${number % 4}`,
          payload: 'unsigned',
        });
        return { url: s3.url + target, method, headers: Object.fromEntries(headers) };
      }),
      streamed('Cubby, REST in one part of 100 MB', [cubby.pid], 2, (number) => ({
        url: `${cubby.urls.base}/v1/objects?name=raw-${number % 4}`,
        method: 'POST',
        headers: { Authorization: credential },
        isForm: true,
      })),
    ],
  };
}

function downloads(stored: Stored): Workload[] {
  const { servers, small: file, large } = stored;
  const { bare, nginx } = servers;
  return [
    {
      name: 'W3 download of 4 KiB, 32 at a time',
      unit: '/s',
      contenders: [
        ...one('bare handler, readFile', bare, '/small/small', 32),
        ...one('nginx, sendfile', nginx, '/small', 32),
        own(stored, 'Cubby, public host', { url: file.url, connections: 32, requests: [getRequest(file.url)] }),
        signed(stored, 32, { path: pathOf(file) }),
      ],
    },
    {
      name: 'W4 download of 100 MB, 4 at a time',
      unit: 'MB/s',
      megabytesEach: 100,
      contenders: [
        ...one('bare handler, createReadStream', bare, '/large/large', 4),
        ...one('nginx, sendfile', nginx, '/large', 4),
        own(stored, 'Cubby, public host', { url: large.url, connections: 4, requests: [getRequest(large.url)] }),
        signed(stored, 4, { path: pathOf(large) }),
      ],
    },
  ];
}

function details(stored: Stored): Workload {
  const { servers, credential, small: file } = stored;
  const { base } = servers.cubby.urls;
  return {
    name: 'W5 details of a file, 32 at a time',
    unit: '/s',
    contenders: [
      ...one('bare handler, a fixed object', servers.bare, '/json', 32),
      own(stored, 'Cubby, Info', {
        url: base,
        connections: 32,
        requests: [getRequest(`${base}/v1/objects/info?object=${file.id}`, credential)],
      }),
      heads(stored, 32, pathOf(file)),
    ],
  };
}

function pages({ servers, paged }: Stored): Workload {
  const { cubby, bare } = servers;
  const { base } = cubby.urls;
  let fetched = 0;
  // A page of another prefix or length is another page to the cache.
  const freshPages = () => {
    const requests = Array.from({ length: 900 }, () => {
      const prefix = 'listed/0000'.slice(0, 1 + (fetched % 11));
      const limit = 1000 - Math.floor(fetched++ / 11);
      return getRequest(`${base}/v1/objects?prefix=${prefix}&limit=${limit}`, paged.credential);
    });
    return wrk({ url: base, connections: 1, seconds, requests });
  };
  return {
    name: 'W6 page of 1000 out of 20,000, one at a time',
    unit: '/s',
    contenders: [
      ...one('bare handler, a fixed object', bare, '/json', 1),
      { name: 'Cubby, REST, pages of 670 to 1000, none of them cached', pids: [cubby.pid], run: () => freshPages() },
      loaded('Cubby, REST, the first page, cached', [cubby.pid], {
        url: base,
        connections: 1,
        requests: [getRequest(`${base}/v1/objects`, paged.credential)],
      }),
      signed({ servers, s3: paged.s3 }, 1, {
        path: '/public',
        query: { prefix: 'listed/', marker: 'listed/00010000' },
      }),
    ],
  };
}

/**
 * Contenders take turns, so that other load on the machine affects all. The first round warms up and does not count.
 */
async function compare({ name, contenders, unit, megabytesEach = 0 }: Workload, { say, row }: Report): Promise<Group> {
  const measured = contenders.map(() => ({
    rates: [] as number[],
    us: [] as number[],
    p99: [] as number[],
    p999: [] as number[],
  }));
  for (let round = 0; round <= rounds; round++) {
    say(`${name}, ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`);
    for (const [index, { pids, run }] of contenders.entries()) {
      const usedMs = sum(pids.map(processorMs));
      const { count, perSecond, p99Ms, p999Ms } = await run();
      if (round === 0) continue;
      const of = measured[index]!;
      of.rates.push(unit === '/s' ? perSecond : perSecond * megabytesEach);
      of.us.push(((sum(pids.map(processorMs)) - usedMs) * 1000) / count);
      if (p99Ms !== undefined) of.p99.push(p99Ms);
      if (p999Ms !== undefined) of.p999.push(p999Ms);
    }
  }
  row(name, '');
  const bareUs = median(measured[0]!.us);
  const bars = measured.map(({ rates, us, p99, p999 }, index) => {
    const times = p99.length > 0 ? `, p99 ${median(p99).toFixed(1)}, p99.9 ${median(p999).toFixed(1)} ms` : '';
    const ratio = median(us) / bareUs;
    const of = contenders[index]!.name;
    const rate = `${rounded(median(rates))} ${unit}`;
    row(
      `  ${of}`,
      rate,
      `${ratio.toFixed(2)} times the first; ${rounded(median(us))} µs of processor time each${times}`,
    );
    return { name: of, ratio, label: `${rounded(median(us))} µs, ${rate}`, isOwn: of.startsWith('Cubby') };
  });
  return { name, bars };
}

const chartPath = join(import.meta.dirname, '../../dist/bench/workloads.svg');

async function writeChart(groups: readonly Group[], { say }: Report): Promise<void> {
  await mkdir(join(chartPath, '..'), { recursive: true });
  await writeFile(chartPath, chartOf('Processor time of a request, as a multiple of bare handlers', groups));
  say(`the chart is ${chartPath}`);
}

function sum(figures: readonly number[]): number {
  return figures.reduce((all, figure) => all + figure, 0);
}

/** Returns a request as it goes over the wire. */
function wire(endpoint: Endpoint, wanted: S3Request): Buffer {
  const { method, target, headers, body } = sign(endpoint, wanted);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`), body]);
}

function plainPost(base: string, path: string, body: Buffer, headers: Readonly<Record<string, string>> = {}): Buffer {
  const lines = Object.entries({ ...headers, Host: new URL(base).host, 'Content-Length': body.length })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines}\r\n`), body]);
}

interface LargeRequest {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the bytes are wrapped as the file of a form. */
  readonly isForm?: boolean;
}

/** Sends large bodies from this process for some seconds: `wrk` would hold each of them in memory. */
function streamed(
  name: string,
  pids: readonly number[],
  atOnce: number,
  requestOf: (number: number) => LargeRequest,
): Contender {
  const agent = new Agent({ keepAlive: true });
  let number = 0;
  const run = async () => {
    let count = 0;
    const startedAt = performance.now();
    const worker = async () => {
      while (performance.now() - startedAt < seconds * 1000) {
        const { url, method, headers = {}, isForm = false } = requestOf(number++);
        const { status, text } = await streamBytes({ url, method, headers, sizeBytes: largeBytes, agent, isForm });
        if (status !== 200) throw new Error(`${name}: ${status} ${text}`);
        count++;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return { count, perSecond: (count * 1000) / (performance.now() - startedAt) };
  };
  return { name, pids, run };
}

/** Uploads one file in parts. */
async function inParts({ urls }: SpawnedServer, credential: string): Promise<{ count: number; perSecond: number }> {
  const agent = new Agent({ keepAlive: true });
  const path = `${urls.base}/v1/objects/chunked`;
  const startedAt = performance.now();
  const { upload } = (await ask(`${path}?name=parts`, { method: 'POST', credential })).json.response;
  let sent = 0;
  const worker = async () => {
    while (sent < 32) {
      const url = `${path}?upload=${upload}&part=${++sent}`;
      const { status, text } = await streamBytes({
        url,
        method: 'PUT',
        headers: { Authorization: credential },
        sizeBytes: partBytes,
        agent,
      });
      if (status !== 200) throw new Error(`A part: ${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  const { status } = await ask(path, { method: 'PATCH', credential, body: JSON.stringify({ upload }) });
  if (status !== 200) throw new Error(`The completion: ${status}`);
  const tookMs = performance.now() - startedAt;
  agent.destroy();
  // The hash of the whole is computed after the response: its processor time belongs to this upload.
  await sleep(1_000);
  return { count: 1, perSecond: 1000 / tookMs };
}
