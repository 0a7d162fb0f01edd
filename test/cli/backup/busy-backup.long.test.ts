import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { uploadFile } from '#test/faults/client.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { sha256, someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { cubbyOver, temporaryFolder } from '../cubby.ts';
import { killedCommand } from '../store/killed-command.ts';
import { expectFiles, expectWhole, restored } from './restored.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';

/** A short run shares its processors with other tests, so it asks for less. */
const uploadsPerSecond = isLong ? 210 : 20;

/** Uploads at an even pace, whatever the server's pace is, until it is stopped. */
function paced(server: SpawnedServer, account: TestAccount) {
  const startedAt = performance.now();
  const files = new Map<string, string>();
  const running = new Set<Promise<void>>();
  let [isStopped, sent] = [false, 0];
  const send = async () => {
    const bytes = someBytes([600, 4_000, 9_000, 40_000][sent % 4]);
    const { status, json } = await uploadFile(server, account, `busy-${sent++}`, bytes, { private: 'true' });
    expect(status, JSON.stringify(json)).toBe(200);
    files.set(json.response.id, sha256(bytes));
  };
  const clients = (async () => {
    while (!isStopped) {
      const due = ((performance.now() - startedAt) / 1000) * uploadsPerSecond;
      while (sent < due) {
        const one = send();
        running.add(one);
        void one.finally(() => running.delete(one)).catch(() => {});
      }
      await sleep(5);
    }
    await Promise.all(running);
  })();
  return {
    files,
    async stop(): Promise<{ readonly perSecond: number }> {
      const perSecond = files.size / ((performance.now() - startedAt) / 1000);
      isStopped = true;
      await clients;
      return { perSecond };
    },
  };
}

it('keeps all files through kills of the backup, while clients upload', { timeout: 600_000 }, async () => {
  const server = await spawnServer({ ownStores: true });
  onTestFinished(() => server.remove());
  const account = await server.account('enterprise');
  const before = new Map<string, string>();
  for (let at = 0; at < (isLong ? 2_000 : 20); at++) {
    const bytes = someBytes(at % 2 === 0 ? 2_000 : 30_000);
    before.set(
      (await uploadFile(server, account, `before-${at}`, bytes, { private: 'true' })).json.response.id,
      sha256(bytes),
    );
  }
  const load = paced(server, account);
  const target = join(await temporaryFolder(), 'backup');
  let kills = 0;
  for (let kill = 1; kill <= (isLong ? 20 : 2); kill++)
    if (await killedCommand(['backup', target], { CUBBY_DATA_DIR: server.dataDir }, kill * 350)) kills += 1;
  expect(kills).toBeGreaterThan(0);
  const acknowledged = new Map(load.files);
  const report = await cubbyOver(server.dataDir).json('backup', target);
  const { perSecond } = await load.stop();
  if (isLong) console.info(`${perSecond.toFixed(0)} of ${uploadsPerSecond} uploads a second were answered.`);
  expect(report).toMatchObject({ damaged_blobs: [] });

  const { dataDir, report: back } = await restored(target, server.dataDir);
  expect(back).toMatchObject({ missing_blobs: [] });
  await (await expectFiles(dataDir, account.credential, new Map([...before, ...acknowledged]))).stop();
  expect(await expectWhole(dataDir)).toBeGreaterThan(10);
});
