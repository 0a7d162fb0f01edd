import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { isOnPostgres, storedRows } from '#test/support/chosen-store.ts';
import { chunkedWork } from './crash-chunked.ts';
import { pushWork } from './crash-pushes.ts';
import { tokenWork } from './crash-tokens.ts';
import { uploadWork } from './crash-uploads.ts';
import type { CrashWork } from './crash-work.ts';
import { readDataFolder } from './data-folder.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const rounds = isLong ? 200 : 2;

/** On a busy machine, so much work at once waits longer for the database than the product allows. */
const relaxed = { timeLimitFactor: 3 };

/** Over PostgreSQL, what a killed server held is given back once its lease has ended. */
async function isGivenBack(dataDir: string): Promise<boolean> {
  const rows = await storedRows(dataDir);
  const held = await rows.all(
    'SELECT blob_id FROM reservations UNION ALL SELECT token_id FROM held_token_uses WHERE uses > 0',
  );
  await rows.close();
  return held.length === 0;
}

describe(`a server that is killed during work of all kinds (${rounds} rounds)`, () => {
  let first: SpawnedServer | undefined;
  let server: SpawnedServer | undefined;
  afterAll(async () => {
    await server?.kill();
    await first?.remove();
  });

  it(
    'has everything that it acknowledged after a restart, continues with it, and has no partial work',
    { timeout: 120_000 + rounds * 20_000 },
    async () => {
      first = server = await spawnServer(relaxed);
      const { dataDir } = first;
      const account = await server.account();
      const lasting: readonly CrashWork[] = [uploadWork(account), chunkedWork(), tokenWork(account)];
      // Each webhook gets one push, so they run out soon. They begin when all others are running.
      const brief: readonly CrashWork[] = [await pushWork(server, account)];
      let inDoubt = 0;
      for (let round = 0; round < rounds; round++) {
        const endings: Array<Promise<unknown>> = [];
        for (const works of [lasting, brief]) {
          const working = await Promise.all(works.map((work) => work.begin(server!)));
          endings.push(...working.map(({ ended }) => ended));
          await Promise.all(working.map(({ enough, ended }) => Promise.race([enough, ended])));
        }
        await sleep(randomInt(20));
        inDoubt += (await readDataFolder(dataDir)).reservations;
        await server.kill();
        await Promise.all(endings);

        server = await spawnServer({ dataDir, ...relaxed });
        const problems = async () => (await readDataFolder(dataDir, { bytes: true })).problems;
        if (isOnPostgres) await expect.poll(() => isGivenBack(dataDir), { timeout: 60_000 }).toBe(true);
        else expect(await problems(), `round ${round}`).toEqual([]);
        for (const work of [...lasting, ...brief]) expect(await work.check(server), `round ${round}`).toEqual([]);
        await expect.poll(problems, { message: `round ${round}`, timeout: 60_000 }).toEqual([]);
      }
      console.log(`${rounds} kills: ${[...lasting, ...brief].map((work) => work.summary()).join('; ')}`);
      console.log(`${inDoubt} larger uploads were under way`);
    },
  );
});
