import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { ask } from '#test/faults/client.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import type { TestAccount } from '#test/support/server.ts';
import { answerTimes, getRequest, jsonRequest, type Times } from './load.ts';
import { processorMs } from './process-usage.ts';
import { median, rounded, type Report } from './report.ts';

const rows = 1_000_000;
const gibibyte = 1_073_741_824;
/** The number of blobs that an upload of 1 GiB in parts of 32 MiB leaves. */
const blobsOfGibibyte = 32;
const rounds = 3;

interface Case {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
  /** Number of requests in a round. */
  readonly count: number;
  /** Returns the request with this number. Numbers continue from round to round. */
  readonly request: (number: number) => Buffer;
}

/**
 * Measures reads and changes of single files in an account of 1,000,000, compared with a bare HTTP server in the same
 * run.
 */
export async function changes({ say, row }: Report): Promise<void> {
  const bare = fork(join(import.meta.dirname, 'bare-server.ts'));
  const [port] = (await once(bare, 'message')) as [number];
  const server = await spawnServer({ onProgress: (done) => say(`${done.toLocaleString('en')} rows`) });
  try {
    const account = await server.account();
    say(`making ${rows.toLocaleString('en')} rows`);
    const ids = await server.fill({ accountId: account.id, rows, folders: 50_000, prefix: 'photos/' });
    const [huge] = await server.fill({
      accountId: account.id,
      rows: 1,
      folders: 0,
      prefix: 'huge/',
      sizeBytes: gibibyte,
      blobs: blobsOfGibibyte,
    });
    const url = `http://127.0.0.1:${port}/json`;
    const cases: readonly Case[] = [
      { name: 'bare node:http, the same JSON', pid: bare.pid!, url, count: 2_000, request: () => getRequest(url) },
      ...casesOf(server, account, ids, huge!),
    ];
    const measured = new Map(cases.map((one) => [one, { times: [] as Times[], costs: [] as number[] }]));
    for (let round = 0; round < rounds; round++) {
      say(`round ${round + 1} of ${rounds}`);
      for (const [one, { times, costs }] of measured) {
        const usedMs = processorMs(one.pid);
        times.push(await answerTimes(one.url, one.count, (number) => one.request(round * one.count + number)));
        costs.push((processorMs(one.pid) - usedMs) / one.count);
      }
    }
    await requireMoved(server, account, 3 * rounds);
    for (const [{ name }, { times, costs }] of measured) {
      const p50 = median(times.map(({ p50Ms }) => p50Ms));
      const p99 = median(times.map(({ p99Ms }) => p99Ms));
      row(
        name,
        `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
        `${rounded(median(costs) * 1000)} µs of the server's processor time each`,
      );
    }
  } finally {
    bare.disconnect();
    await server.remove();
  }
}

function casesOf(
  { pid, urls }: SpawnedServer,
  { credential }: TestAccount,
  ids: readonly string[],
  huge: string,
): Case[] {
  const url = `${urls.base}/v1/objects`;
  const at = (number: number) => ids[number % ids.length]!;
  const fifty = (number: number) => Array.from({ length: 50 }, (_, place) => at(number * 50 + place));
  const patch = (objects: readonly string[], number: number) =>
    jsonRequest('PATCH', url, credential, { objects, metadata: { seen: String(number) } });
  const copy = (value: unknown) => jsonRequest('POST', `${url}/copy`, credential, value);
  // Each move starts where the previous one ended.
  const place = (number: number) => (number === 0 ? huge : huge.replace('huge/00000000', `huge/moved-${number}`));
  const cases: ReadonlyArray<Omit<Case, 'pid' | 'url'>> = [
    { name: 'Info', count: 1_000, request: (number) => getRequest(`${url}/info?object=${at(number)}`, credential) },
    { name: 'Stats', count: 1_000, request: () => getRequest(`${urls.base}/v1/account/stats`, credential) },
    { name: 'Update of one file', count: 500, request: (number) => patch([at(number)], number) },
    { name: 'Update of 50 files', count: 60, request: (number) => patch(fifty(number), number) },
    {
      name: 'Copy',
      count: 500,
      request: (number) => copy({ source: at(number), destination: { name: `copy-${number}`, prefix: 'copies' } }),
    },
    {
      name: 'move of 1 GiB in 32 blobs',
      count: 300,
      request: (number) =>
        copy({ source: place(number), destination: { name: `moved-${number + 1}`, prefix: 'huge' }, move: true }),
    },
  ];
  return cases.map((one) => ({ ...one, pid, url }));
}

/** Checks that the file is where the last move put it. Otherwise the figures would mean nothing. */
async function requireMoved({ urls }: SpawnedServer, { credential }: TestAccount, atLeast: number): Promise<void> {
  const { json } = await ask(`${urls.base}/v1/objects?prefix=huge/`, { credential });
  const names: string[] = json.response.objects.map(({ id }: { id: string }) => id);
  const number = Number(/moved-(\d+)/.exec(names[0] ?? '')?.[1]);
  if (names.length !== 1 || !(number >= atLeast)) throw new Error(`After the moves there are ${names.join(', ')}.`);
}
