import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { formWith, someBytes } from '#test/support/files.ts';
import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { fileBlobs } from '#test/support/stored.ts';
import { fileLoad } from './load/files.ts';
import { runLoads } from './load/load.ts';
import { shareLoad } from './load/shares.ts';
import { tokenLoad } from './load/tokens.ts';
import { startReplicas } from './replicas.ts';
import { expectOrder } from './stored-state.ts';

const lastingMs = process.env.CUBBY_TEST_LONG === '1' ? 60_000 : 4_000;
const missing = noPostgres();
const [tenMinutesMs, twoDaysMs, hourMs] = [600_000, 172_800_000, 3_600_000];

describe.skipIf(missing)(
  `replicas whose clocks are off by 10 minutes and 2 days${missing ? ` (skipped: ${missing})` : ''}`,
  { timeout: lastingMs + 180_000 },
  () => {
    async function start(env: Readonly<Record<string, string>> = {}) {
      const database = await freshDatabase(migrated);
      onTestFinished(() => database.drop());
      const replicas = await startReplicas({
        databaseUrls: [database.url, database.url, database.url],
        clockOffsetsMs: [0, tenMinutesMs, -twoDaysMs],
        env,
      });
      onTestFinished(() => replicas.close());
      return { database, replicas };
    }

    it('keep all caps exact, and delete nothing early', async () => {
      const { database, replicas } = await start();
      const accounts = await Promise.all(Array.from({ length: 4 }, () => replicas.at(0).account()));
      const { credential, id } = accounts[3]!;
      const uploaded = await replicas.send(
        '/v1/objects?name=lasting&expire=1h',
        { method: 'POST', credential, body: formWith(someBytes()) },
        { at: 2 },
      );
      expect(uploaded.status).toBe(200);
      const path = `/${(uploaded.json.response.id as string).replace(/^pub\//, '')}`;

      const loads = [fileLoad(accounts[0]!), shareLoad(accounts[1]!), tokenLoad(accounts[2]!)];
      await runLoads(replicas, loads, async (signal) => {
        // A clock that is set while the server runs.
        await replicas.at(1).setClockOff(twoDaysMs);
        for (let index = 0; index < replicas.count; index++) {
          await replicas.at(index).runJob('delete-expired');
          const { status } = await replicas.send(path, { door: 'public' }, { at: index });
          expect(status, `replica ${index} shows the file of ${id}`).toBe(200);
        }
        await sleep(lastingMs, undefined, { signal }).catch(() => {});
      });
      await expectOrder(database.url, fileBlobs(replicas.dataDir));
      for (const load of loads) expect(await load.check(replicas)).toEqual([]);
      console.log(loads.map((load) => load.summary()).join('; '));
    });

    it('agree on when a file expires', async () => {
      const { replicas } = await start();
      const { credential } = await replicas.at(0).account();
      for (let index = 0; index < replicas.count; index++) {
        const query = `name=from-${index}&expire=1h`;
        const body = formWith(someBytes());
        const answer = await replicas.send(`/v1/objects?${query}`, { method: 'POST', credential, body }, { at: index });
        const expiresAt = Date.parse(answer.json.response.expires_at as string);
        expect(Math.abs(expiresAt - Date.now() - hourMs), `replica ${index}`).toBeLessThan(5_000);
      }
    });

    it('count requests in the same windows', async () => {
      const { replicas } = await start({ CUBBY_RATE_LIMITS: 'on' });
      const { credential } = await replicas.at(0).account();
      const ask = (at: number) =>
        replicas.send('/v1/account/stats', { credential }, { at, forMs: 0 }).then(({ status }) => status);
      const statuses: number[] = [];
      for (let count = 0; count < 90; count += 9)
        statuses.push(...(await Promise.all(Array.from({ length: 9 }, (_, one) => ask(one % replicas.count)))));
      const limit = statuses.filter((status) => status === 200).length;
      // The same on one replica with another account.
      const other = await replicas.at(0).account();
      let alone = 0;
      for (let count = 0; count < 90; count++) {
        const { status } = await replicas.send('/v1/account/stats', { credential: other.credential }, { at: 0 });
        if (status === 200) alone++;
      }
      expect(limit).toBe(alone);
      expect(limit).toBeLessThan(90);
    });
  },
);
