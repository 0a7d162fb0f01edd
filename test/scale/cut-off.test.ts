import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ask, rawUpload, uploadFile, type Answer } from '#test/faults/client.ts';
import { startDelayingProxy } from '#test/support/delaying-proxy.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { fileBlobs, postgresRows } from '#test/support/stored.ts';
import { startReplicas } from './replicas.ts';
import { expectOrder } from './stored-state.ts';

const missing = noPostgres();

/** How long a replica may take to notice that it has no database, and its locks may stay. */
const boundMs = 5_000;

/** Sends a request until it has this status. Returns how long that took. */
async function timeUntil(status: number, send: () => Promise<Answer>): Promise<number> {
  const beganAt = performance.now();
  for (;;) {
    const answer = await send();
    if (answer.status === status) return performance.now() - beganAt;
    await sleep(20);
    if (performance.now() - beganAt > 60_000)
      throw new Error(`It still answers ${answer.status} ${answer.bytes} after a minute, and not ${status}.`);
  }
}

async function heldUsesOf(databaseUrl: string): Promise<number> {
  const rows = await postgresRows(databaseUrl);
  try {
    return Number((await rows.all('SELECT coalesce(sum(uses), 0) AS uses FROM held_token_uses'))[0]!.uses);
  } finally {
    await rows.close();
  }
}

describe.skipIf(missing)(
  `a replica whose network to the database fails${missing ? ` (skipped: ${missing})` : ''}`,
  { timeout: 180_000 },
  () => {
    async function start() {
      const database = await freshDatabase(migrated);
      onTestFinished(() => database.drop());
      const direct = new URL(database.url);
      const proxy = await startDelayingProxy({ port: Number(direct.port) });
      onTestFinished(() => proxy.close());
      const through = new URL(database.url);
      through.port = String(proxy.port);
      const replicas = await startReplicas({ databaseUrls: [through.href, database.url] });
      onTestFinished(() => replicas.close());
      return { database, proxy, replicas, cutOff: replicas.at(0), other: replicas.at(1) };
    }

    it.each(['drop', 'refuse'] as const)(
      'answers 503 within 5 s, and works again when the network does (%s)',
      async (fault) => {
        const { database, proxy, replicas, cutOff } = await start();
        const account = await cutOff.account();
        const { json } = await uploadFile(cutOff, account, 'kept', someBytes());
        const path = `/${(json.response.id as string).replace(/^pub\//, '')}`;
        proxy[fault]();
        const requests: Readonly<Record<string, () => Promise<Answer>>> = {
          upload: () => uploadFile(cutOff, account, 'refused', someBytes()),
          list: () => ask(`${cutOff.urls.api}/v1/objects?limit=1`, { credential: account.credential }),
          download: () => ask(cutOff.urls.public + path),
          readyz: () => ask(`${cutOff.urls.api}/readyz`),
        };
        const took = await Promise.all(
          Object.entries(requests).map(async ([name, send]) => [name, await timeUntil(503, send)] as const),
        );
        for (const [name, ms] of took) expect(ms, `${name} took ${ms} ms`).toBeLessThan(boundMs);
        // The process lives, so its supervisor must not kill it.
        expect((await ask(`${cutOff.urls.api}/livez`)).status).toBe(200);
        proxy.heal();
        const backMs = await timeUntil(200, () => uploadFile(cutOff, account, 'again', someBytes()));
        expect(backMs).toBeLessThan(10_000);
        await expectOrder(database.url, fileBlobs(replicas.dataDir));
      },
    );

    it('leaves what it held to the others within 5 s', async () => {
      const { database, proxy, replicas, cutOff, other } = await start();
      const account = await cutOff.account();
      const minted = await ask(`${other.urls.base}/v1/upload-tokens`, {
        method: 'POST',
        credential: account.credential,
        body: JSON.stringify({ max_uses: 1 }),
      });
      const token = minted.json.response.token as string;
      const useToken = () =>
        ask(`${other.urls.base}/v1/objects?name=by-token`, {
          method: 'POST',
          credential: token,
          body: formWith(someBytes(600)),
        });
      // It holds the only use of the token, and room in the quota.
      const held = await rawUpload(cutOff, { ...account, credential: token }, 'held', someBytes(300_000));
      await held.sendUntil(held.at.content + 100_000);
      // A use of the token that comes before its hold would take its place.
      await expect.poll(() => heldUsesOf(database.url)).toBe(1);
      expect((await useToken()).json.code).toBe('UPLOAD_TOKEN_USED');
      // These are in the middle of their transactions, so some hold the account's row.
      const inFlight = Array.from({ length: 16 }, (_, at) =>
        uploadFile(cutOff, account, `in-flight-${at}`, someBytes()).catch(() => undefined),
      );
      await Promise.race(inFlight);
      const more = Array.from({ length: 16 }, (_, at) =>
        uploadFile(cutOff, account, `more-${at}`, someBytes()).catch(() => undefined),
      );
      proxy.drop();

      const writeMs = await timeUntil(200, () => uploadFile(other, account, 'beside', someBytes()));
      expect(writeMs, `a write of the same account took ${writeMs} ms`).toBeLessThan(boundMs);
      const useMs = writeMs + (await timeUntil(200, useToken));
      expect(useMs, `the use came back after ${useMs} ms`).toBeLessThan(boundMs);

      // What it finishes now is too late: its use belongs to another upload.
      await held.sendUntil(held.at.end);
      proxy.heal();
      expect(await held.status()).not.toBe(200);
      await Promise.all([...inFlight, ...more]);
      expect((await ask(`${other.urls.public}/${account.id}/held.png`)).status).toBe(404);
      expect((await useToken()).json.code).toBe('UPLOAD_TOKEN_USED');
      await expectOrder(database.url, fileBlobs(replicas.dataDir));
    });
  },
);
