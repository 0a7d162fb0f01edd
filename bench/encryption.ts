import { get } from 'node:http';

import { generatedUpload } from '#test/faults/generated-upload.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { testKeyEncryptionKey } from '#test/support/decrypted.ts';
import { someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { getRequest, requestsPerSecond, uploadRequest } from './load.ts';
import { processorMs } from './process-usage.ts';
import { median, perSecond, rounded, type Report } from './report.ts';

const megabyte = 1_048_576;
const smallBytes = 4096;
const parallel = 16;
const durationMs = 3_000;
const rounds = 3;

/** A server, with a small and a large public file. */
interface Place {
  readonly server: SpawnedServer;
  readonly account: TestAccount;
  readonly small: string;
  readonly large: string;
}

/** Work of one kind. Returns its rate per second. */
interface Work {
  readonly what: string;
  /** Of the rate: requests, or megabytes. */
  readonly unit: '' | 'MB';
  run(place: Place, round: number): Promise<number>;
}

const works: readonly Work[] = [
  { what: `uploads of 4 KiB, ${parallel} at a time`, unit: '', run: smallUploads },
  { what: `downloads of 4 KiB, ${parallel} at a time`, unit: '', run: ({ small }) => downloads(small) },
  {
    what: `ranges of 100 bytes of 100 MB, ${parallel} at a time`,
    unit: '',
    run: ({ large }) => downloads(large, true),
  },
  { what: 'uploads of 100 MB, two at a time', unit: 'MB', run: largeUploads },
  { what: 'downloads of 100 MB, two at a time', unit: 'MB', run: ({ large }) => largeDownloads(large) },
];

/** Measures what encrypted files cost: the same work with a key-encryption key and without, in turns. */
export async function encryption({ say, row }: Report): Promise<void> {
  const places = [await openPlace({}), await openPlace({ CUBBY_KEY_ENCRYPTION_KEY: testKeyEncryptionKey })];
  try {
    for (const work of works) {
      const measured = places.map(() => ({ rates: [] as number[], costs: [] as number[] }));
      for (let round = 0; round < rounds; round++)
        for (const [at, place] of places.entries()) {
          say(`${work.what}, ${at === 0 ? 'clear' : 'encrypted'}`);
          const [usedMs, startedAt] = [processorMs(place.server.pid), performance.now()];
          const rate = await work.run(place, round);
          const count = (rate * (performance.now() - startedAt)) / 1000;
          measured[at]!.rates.push(rate);
          measured[at]!.costs.push((processorMs(place.server.pid) - usedMs) / count);
        }
      const [clear, encrypted] = measured.map(({ rates, costs }) => ({ rate: median(rates), cost: median(costs) }));
      const each = work.unit === '' ? 'each' : 'for each MB';
      row(
        work.what,
        `${(encrypted!.cost / clear!.cost).toFixed(2)} times the processor time`,
        `${rounded(1000 * encrypted!.cost)} instead of ${rounded(1000 * clear!.cost)} µs ${each}; ` +
          `${rounded(encrypted!.rate)} instead of ${rounded(clear!.rate)} ${work.unit}/s`,
      );
    }
  } finally {
    for (const { server } of places) await server.remove();
  }
}

async function openPlace(env: Readonly<Record<string, string>>): Promise<Place> {
  const server = await spawnServer({ env, ownStores: true });
  const account = await server.account();
  return {
    server,
    account,
    small: await stored(server, account, 'small', smallBytes),
    large: await stored(server, account, 'large', 100 * megabyte),
  };
}

/** Returns the address of a new file. */
async function stored(
  { urls }: SpawnedServer,
  { credential }: TestAccount,
  name: string,
  sizeBytes: number,
): Promise<string> {
  const form = new FormData();
  form.append('file', new File([someBytes(sizeBytes) as Uint8Array<ArrayBuffer>], 'file.png', { type: 'image/png' }));
  const headers = { Authorization: credential };
  const answer = await fetch(`${urls.base}/v1/objects?name=${name}`, { method: 'POST', headers, body: form });
  const { response } = (await answer.json()) as { readonly response: { readonly url: string } };
  return response.url;
}

function smallUploads({ server, account: { credential } }: Place, round: number): Promise<number> {
  const bytes = someBytes(smallBytes);
  const request = (number: number) => uploadRequest(server.urls.base, credential, `small-${round}-${number}`, bytes);
  return requestsPerSecond({ url: server.urls.base, connections: parallel, durationMs, request });
}

function downloads(url: string, isRange = false): Promise<number> {
  const whole = getRequest(url);
  const ranged = Buffer.from(whole.toString().replace(/\r\n\r\n$/, '\r\nRange: bytes=50000000-50000099\r\n\r\n'));
  const request = () => (isRange ? ranged : whole);
  return requestsPerSecond({ url, connections: parallel, durationMs, request, expected: isRange ? 206 : 200 });
}

async function largeUploads({ server, account }: Place, round: number): Promise<number> {
  const startedAt = performance.now();
  const names = [1, 2].map((number) => `large-${round}-${number}`);
  const statuses = await Promise.all(
    names.map((name) => generatedUpload(server, account, { name, sizeBytes: 100 * megabyte })),
  );
  if (statuses.some((status) => status !== 200)) throw new Error(`Not all uploads succeeded: ${statuses}`);
  return perSecond(200, performance.now() - startedAt);
}

/** Several times, because one takes less time than the clock of the processor can tell. */
async function largeDownloads(url: string): Promise<number> {
  const startedAt = performance.now();
  const times = 3;
  for (let time = 0; time < times; time++) await Promise.all([readAll(url), readAll(url)]);
  return perSecond(times * 200, performance.now() - startedAt);
}

function readAll(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, (response) => void response.resume().once('end', resolve).once('error', reject)).once('error', reject);
  });
}
