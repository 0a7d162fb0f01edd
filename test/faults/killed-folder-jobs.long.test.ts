import { setTimeout as sleep } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { ask } from './client.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';

const files = process.env.CUBBY_TEST_LONG === '1' ? 100_000 : 4_000;

/** Later than the time that a server has a job for, once it has taken it. */
const laterMs = 20_000;

it('a job over a folder changes each file once, however often its server is killed', { timeout: 600_000 }, async () => {
  const first = await spawnServer();
  onTestFinished(() => first.remove());
  const { id: accountId, credential } = await first.account();
  await first.fill({ accountId, rows: files, folders: 5, prefix: 'from/' });
  const send = async (server: SpawnedServer, path: string, method = 'GET', body?: unknown) =>
    (
      await ask(`${server.urls.base}${path}`, {
        method,
        credential,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    ).json.response;
  const { id } = await send(first, '/v1/folders/jobs', 'POST', { action: 'move', prefix: 'from', destination: 'to' });
  const done: number[] = [];
  let server = first;
  for (let kill = 1; kill <= 4; kill++) {
    // Killed while it counts, and at several places of the work.
    const share = ((kill - 1) / 5) * files;
    for (;;) {
      const job = await send(server, `/v1/folders/jobs/${id}`);
      if (kill === 1 || job.done >= share || job.state === 'done') break;
      await sleep(5);
    }
    await server.kill();
    server = await spawnServer({ dataDir: first.dataDir, clockOffsetMs: kill * laterMs });
    const last = server;
    onTestFinished(() => last.kill());
    done.push((await send(server, `/v1/folders/jobs/${id}`)).done);
  }
  await expect
    .poll(async () => (await send(server, `/v1/folders/jobs/${id}`)).state, { timeout: 300_000, interval: 100 })
    .toBe('done');
  expect(await send(server, `/v1/folders/jobs/${id}`)).toMatchObject({ total: files, done: files, failed: 0 });
  expect(done.some((count) => count > 0 && count < files)).toBe(true);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect((await send(server, '/v1/objects?prefix=from/')).objects).toEqual([]);
  let moved = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: { objects: unknown[]; continuationToken?: string } = await send(
      server,
      `/v1/objects?prefix=to/${cursor && `&cursor=${cursor}`}`,
    );
    moved += page.objects.length;
    cursor = page.continuationToken;
  }
  expect(moved).toBe(files);
  expect((await send(server, '/v1/account/stats')).usage.objects).toBe(files);
});
