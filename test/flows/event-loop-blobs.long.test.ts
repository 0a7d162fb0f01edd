import { afterAll, beforeAll, expect, it } from 'vitest';

import { deleteFiles } from '#test/faults/client.ts';
import { expectShortHolds } from '#test/faults/loop-hold.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { relaxed } from '#test/support/postgres/time-limits.ts';
import type { TestAccount } from '#test/support/server.ts';

/** As in event-loop.long.test.ts: the goal is 50 ms, and the test only detects severe blocking. */
const boundMs = 100;

/** The most parts of a file. Fifty such files in one transaction held the event loop for 150 ms and more. */
const blobs = 2048;
const files = 50;

let server: SpawnedServer;
let account: TestAccount;
beforeAll(async () => {
  server = await spawnServer({ timeLimitFactor: relaxed });
  account = await server.account();
});
afterAll(() => server?.remove());

let folders = 0;
const fill = (more: { readonly expiredMs?: number } = {}) =>
  server.fill({
    ...{ accountId: account.id, rows: files, folders: 0, prefix: `${folders++}/` },
    ...{ sizeBytes: 1000 * blobs, blobs, ...more },
  });

it('is not held by the deletion of fifty files of the most parts', async () => {
  const filled = [await fill(), await fill(), await fill()];
  await expectShortHolds(server, boundMs, 'deleting', async () => {
    const { status } = await deleteFiles(server, account, filled.pop()!);
    expect(status).toBe(200);
  });
});

it('is not held by their expiry', async () => {
  await expectShortHolds(server, boundMs, 'expiring', async () => {
    // Each try needs files of its own, and making them is not watched.
    await fill({ expiredMs: 1 });
    await fill({ expiredMs: 1 });
    await server.watchLoop();
    expect((await server.runJob('delete-expired')).count).toBe(2 * files);
  });
});
