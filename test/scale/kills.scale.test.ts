import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { fileBlobs } from '#test/support/stored.ts';
import { chunkedLoad } from './load/chunked.ts';
import { fileLoad } from './load/files.ts';
import { runLoads } from './load/load.ts';
import { shareLoad } from './load/shares.ts';
import { tokenLoad } from './load/tokens.ts';
import { startReplicas } from './replicas.ts';
import { expectOrder } from './stored-state.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const lastingMs = isLong ? 600_000 : 6_000;
const replicaCount = isLong ? 3 : 2;
const missing = noPostgres();

describe.skipIf(missing)(
  `${replicaCount} replicas, one of which is killed every few seconds for ${lastingMs / 1000} s` +
    (missing ? ` (skipped: ${missing})` : ''),
  () => {
    it(
      'lose nothing that they acknowledged, exceed no cap, and end with the right sums',
      { timeout: lastingMs + 180_000 },
      async () => {
        const database = await freshDatabase(migrated);
        onTestFinished(() => database.drop());
        const replicas = await startReplicas({ databaseUrls: Array<string>(replicaCount).fill(database.url) });
        onTestFinished(() => replicas.close());
        const accounts = await Promise.all(Array.from({ length: 4 }, () => replicas.at(0).account()));
        const loads = [
          fileLoad(accounts[0]!),
          shareLoad(accounts[1]!),
          tokenLoad(accounts[2]!),
          chunkedLoad(accounts[3]!),
        ];
        let kills = 0;
        await runLoads(replicas, loads, async (signal) => {
          const endAt = Date.now() + lastingMs;
          while (!signal.aborted && Date.now() < endAt) {
            await sleep(isLong ? 2_000 + randomInt(2_000) : 1_000 + randomInt(500));
            await replicas.kill(kills++ % replicaCount);
          }
        });

        await expectOrder(database.url, fileBlobs(replicas.dataDir));
        for (const load of loads) expect(await load.check(replicas)).toEqual([]);
        console.log(
          `${kills} kills, ${replicas.retries} requests were sent again: ` +
            `${loads.map((load) => load.summary()).join('; ')}`,
        );
      },
    );
  },
);
