import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { uploadFile } from '#test/faults/client.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { someBytes } from '#test/support/files.ts';
import { getRequest, requestsPerSecond } from './load.ts';
import { processorMs } from './process-usage.ts';
import { median, rounded, type Report } from './report.ts';

const connections = 32;
const durationMs = 3_000;
const rounds = 3;

/**
 * Measures what routing, authentication, validation, the database and the log cost, compared with a bare HTTP server in
 * the same run.
 */
export async function overhead({ say, row }: Report): Promise<void> {
  const bare = fork(join(import.meta.dirname, 'bare-server.ts'));
  const [port] = (await once(bare, 'message')) as [number];
  const quiet = await spawnServer();
  const logging = await spawnServer({ env: { CUBBY_LOG: 'info' } });
  try {
    const [ofQuiet, ofLogging] = [await requestsOf(quiet), await requestsOf(logging)];
    const cases: readonly Case[] = [
      { name: 'bare node:http, the same JSON', pid: bare.pid!, url: `http://127.0.0.1:${port}/json` },
      { name: 'Info', pid: quiet.pid, url: ofQuiet.info, credential: ofQuiet.credential },
      { name: 'Info, with the access log', pid: logging.pid, url: ofLogging.info, credential: ofLogging.credential },
      { name: 'bare node:http, the same 4 KiB', pid: bare.pid!, url: `http://127.0.0.1:${port}/file` },
      { name: 'public GET of 4 KiB', pid: quiet.pid, url: ofQuiet.file },
      { name: 'public GET of 64 KiB from a blob', pid: quiet.pid, url: ofQuiet.blob },
    ];
    const measured = new Map(cases.map((one) => [one, { rates: [] as number[], costs: [] as number[] }]));
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`);
      for (const [one, { rates, costs }] of measured) {
        const { rate, costUs } = await measure(one);
        rates.push(rate);
        costs.push(costUs);
      }
    }
    for (const [{ name }, { rates, costs }] of measured) {
      row(
        name,
        `${rounded(median(rates))} /s`,
        `${rounded(median(costs))} µs of the server's processor time a request`,
      );
    }
  } finally {
    bare.disconnect();
    await Promise.all([quiet.remove(), logging.remove()]);
  }
}

interface Case {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
  readonly credential?: string;
}

async function measure({ pid, url, credential }: Case): Promise<{ rate: number; costUs: number }> {
  const request = getRequest(url, credential);
  const usedMs = processorMs(pid);
  const rate = await requestsPerSecond({ url, connections, durationMs, request: () => request });
  return { rate, costUs: ((processorMs(pid) - usedMs) * 1000) / ((rate * durationMs) / 1000) };
}

async function requestsOf(
  server: SpawnedServer,
): Promise<{ info: string; file: string; blob: string; credential: string }> {
  const account = await server.account();
  const [small, large] = await Promise.all(
    [4096, 65_536].map((size) => uploadFile(server, account, `file-${size}`, someBytes(size))),
  );
  const { id, url } = small!.json.response;
  return {
    info: `${server.urls.base}/v1/objects/info?object=${id}`,
    file: url,
    blob: large!.json.response.url,
    credential: account.credential,
  };
}
