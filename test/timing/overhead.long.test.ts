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
const bounds = { info: 16, publicFile: 8 };

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

/**
 * Returns the processor time of one request, in microseconds: the least of several rounds, because other programs only
 * ever add to it. The rounds are counted in requests, not in time, so that on a busy machine as much is compiled first.
 */
async function costUs(pid: number, url: string, count: number, credential?: string): Promise<number> {
  const request = getRequest(url, credential);
  const load = () => statusesOf({ url, connections: 16, count, perSecond: undefined, request: () => request });
  const costs: number[] = [];
  await load();
  for (let round = 0; round < 5; round++) {
    const before = processorMs(pid);
    expect([...(await load()).keys()]).toEqual([200]);
    costs.push(((processorMs(pid) - before) * 1000) / count);
  }
  return Math.min(...costs);
}

it('costs a bounded multiple of a bare handler: a threefold slowdown fails here', { timeout: 60_000 }, async () => {
  const [port] = (await once(bare, 'message')) as [number];
  const account = await server.account();
  const { id, url } = (await uploadFile(server, account, 'small', someBytes(4096))).json.response;
  const info = `${server.urls.base}/v1/objects/info?object=${id}`;
  const bareJson = await costUs(bare.pid!, `http://127.0.0.1:${port}/json`, 6000);
  const bareFile = await costUs(bare.pid!, `http://127.0.0.1:${port}/file`, 6000);
  const ratios = {
    info: (await costUs(server.pid, info, 1500, account.credential)) / bareJson,
    publicFile: (await costUs(server.pid, url, 3000)) / bareFile,
  };
  expect(ratios.info).toBeLessThan(bounds.info);
  expect(ratios.publicFile).toBeLessThan(bounds.publicFile);
});
