import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { getRequest, requestsPerSecond } from '../../bench/load.ts';
import { processorMs } from '../../bench/process-usage.ts';
import { median } from '../../bench/report.ts';
import { uploadFile } from '#test/faults/client.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { someBytes } from '#test/support/files.ts';

/** The processor time of a request as a multiple of a bare handler's, which no other work on the machine changes much. */
const bounds = { info: 20, publicFile: 8 };

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

/** Returns the processor time of one request, in microseconds. */
async function costUs(pid: number, url: string, credential?: string): Promise<number> {
  const request = getRequest(url, credential);
  const durationMs = 400;
  const load = (ms: number) => requestsPerSecond({ url, connections: 16, durationMs: ms, request: () => request });
  const costs: number[] = [];
  await load(durationMs);
  for (let round = 0; round < 3; round++) {
    const before = processorMs(pid);
    const rate = await load(durationMs);
    costs.push(((processorMs(pid) - before) * 1000) / ((rate * durationMs) / 1000));
  }
  return median(costs);
}

it('costs a bounded multiple of a bare handler: a threefold slowdown fails here', { timeout: 60_000 }, async () => {
  const [port] = (await once(bare, 'message')) as [number];
  const account = await server.account();
  const { id, url } = (await uploadFile(server, account, 'small', someBytes(4096))).json.response;
  const info = `${server.urls.base}/v1/objects/info?object=${id}`;
  const bareJson = await costUs(bare.pid!, `http://127.0.0.1:${port}/json`);
  const bareFile = await costUs(bare.pid!, `http://127.0.0.1:${port}/file`);
  const ratios = {
    info: (await costUs(server.pid, info, account.credential)) / bareJson,
    publicFile: (await costUs(server.pid, url)) / bareFile,
  };
  expect(ratios.info).toBeLessThan(bounds.info);
  expect(ratios.publicFile).toBeLessThan(bounds.publicFile);
});
