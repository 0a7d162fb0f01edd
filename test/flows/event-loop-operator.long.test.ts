import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { jobNames } from '#server/jobs/jobs.ts';
import { ask } from '#test/faults/client.ts';
import { expectShortHolds } from '#test/faults/loop-hold.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { relaxed } from '#test/support/postgres/time-limits.ts';

/** The design goal is 50 ms. @see event-loop.long.test.ts */
const boundMs = 250;

const [auditEntries, accounts, files, blobs] = [100_000, 20_000, 100_000, 20_000];

describe("the operator's door over many rows", () => {
  let server: SpawnedServer;
  let backups: string;
  let credential: string;
  beforeAll(async () => {
    backups = await mkdtemp(join(tmpdir(), 'cubby-loop-backups-'));
    const env = { CUBBY_BACKUP_TARGET: join(backups, 'target') };
    server = await spawnServer({ timeLimitFactor: relaxed, sync: false, env });
    credential = await server.operatorKey();
    const { id: accountId } = await server.account();
    await server.fillAudit(auditEntries);
    await server.fillAccounts(accounts);
    await server.fill({ accountId, rows: files, folders: 0, prefix: 'flat/' });
    await server.fillBlobs(blobs);
  }, 600_000);
  afterAll(async () => {
    await server?.remove();
    await rm(backups, { recursive: true, force: true });
  });

  const operator = (path: string, method = 'GET') =>
    ask(`${server.urls.operator}/v2/operator${path}`, { method, credential });

  it.each([
    '/audit/verify',
    '/audit?limit=1000',
    '/accounts?limit=1000',
    '/accounts?limit=1000&search=9999',
    '/installation',
    '/configuration',
    '/jobs',
    '/purges',
    '/upkeep',
  ])('GET %s holds the event loop for a short time', async (path) => {
    await expectShortHolds(server, boundMs, path, async () => expect((await operator(path)).status).toBe(200));
  });

  it('GET /metrics', async () => {
    await expectShortHolds(server, boundMs, 'metrics', async () => {
      expect((await fetch(`${server.urls.operator}/metrics`)).status).toBe(200);
    });
  });

  it.each(jobNames)('the job %s', async (name) => {
    await expectShortHolds(server, boundMs, name, () => server.runJob(name));
  });

  it('a backup', async () => {
    const state = async () => (await operator('/upkeep')).json.response.backups[0].state;
    await expectShortHolds(server, boundMs, 'a backup', async () => {
      expect((await operator('/backups', 'POST')).status).toBe(202);
      await expect.poll(state, { timeout: 100_000, interval: 250 }).not.toBe('running');
      expect(await state()).toBe('done');
    });
    await expectShortHolds(server, boundMs, 'a list of backups', () => operator('/backups'));
  });
});
