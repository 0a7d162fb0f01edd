import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { getRequest, statusesOf } from '../../bench/load.ts';
import { processorMs } from '../../bench/process-usage.ts';
import { uploadFile } from '#test/faults/client.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { someBytes } from '#test/support/files.ts';

/**
 * The processor time of a request as a multiple of a bare handler's, which no other work on the machine changes much.
 */
const bounds = { info: 12, publicFile: 8 };

let server: SpawnedServer;
let bare: ReturnType<typeof fork>;
beforeAll(async () => {
  server = await spawnServer();
  bare = fork(join(import.meta.dirname, '../../bench/bare-server.ts'));
});
afterAll(async () => {
  bare?.disconnect();
  await server?.remove();
});

interface Target {
  readonly pid: number;
  readonly url: string;
  /** Enough requests that a tick of the clock, 10 ms, is a small part of their time. */
  readonly count: number;
  readonly credential?: string;
}

/** Returns a function that makes the requests, and returns the processor time of one in microseconds. */
function costOf({ pid, url, count, credential }: Target): () => Promise<number> {
  const request = getRequest(url, credential);
  return async () => {
    const before = processorMs(pid);
    const statuses = await statusesOf({ url, connections: 16, count, perSecond: undefined, request: () => request });
    expect([...statuses.keys()]).toEqual([200]);
    return ((processorMs(pid) - before) * 1000) / count;
  };
}

/**
 * Returns the least of several ratios. Both sides take turns, because the speed of a machine changes while other
 * programs run on it. The rounds are counted in requests, not in time, so that on a busy machine as much is compiled
 * before the first.
 */
async function ratioOf(target: Target, base: Target): Promise<number> {
  const [cost, baseCost] = [costOf(target), costOf(base)];
  await cost();
  await baseCost();
  const ratios: number[] = [];
  for (let round = 0; round < 5; round++) ratios.push((await cost()) / (await baseCost()));
  return Math.min(...ratios);
}

it('costs a bounded multiple of a bare handler: a threefold slowdown fails here', { timeout: 180_000 }, async () => {
  const [port] = (await once(bare, 'message')) as [number];
  const account = await server.account();
  const { id, url } = (await uploadFile(server, account, 'small', someBytes(4096))).json.response;
  const info = `${server.urls.base}/v1/objects/info?object=${id}`;
  const bareOf = (path: string): Target => ({ pid: bare.pid!, url: `http://127.0.0.1:${port}/${path}`, count: 24_000 });
  const { pid } = server;
  const ratios = {
    info: await ratioOf({ pid, url: info, count: 6000, credential: account.credential }, bareOf('json')),
    publicFile: await ratioOf({ pid, url, count: 8000 }, bareOf('file')),
  };
  expect(ratios.info).toBeLessThan(bounds.info);
  expect(ratios.publicFile).toBeLessThan(bounds.publicFile);
});
