import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ask, rawUpload, uploadFile, type Answer } from '#test/faults/client.ts';
import type { SpawnedServer } from '#test/faults/spawned-server.ts';
import { startDelayingProxy } from '#test/support/delaying-proxy.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { fileBlobs, postgresRows, type StoredRow } from '#test/support/stored.ts';
import { startReplicas } from './replicas.ts';
import { expectOrder } from './stored-state.ts';

const missing = noPostgres();

/** How long a replica may take to notice that it has no database, and its locks may stay. */
const boundMs = 5_000;

/** How long a request may wait for a database that cannot be reached. */
const heldMs = 2_000;

/** What a busy machine and the pause between two looks add to it. */
const toleratedMs = 500;

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

async function read(databaseUrl: string, sql: string): Promise<readonly StoredRow[]> {
  const rows = await postgresRows(databaseUrl);
  try {
    return await rows.all(sql);
  } finally {
    await rows.close();
  }
}

async function heldUsesOf(databaseUrl: string): Promise<number> {
  const [row] = await read(databaseUrl, 'SELECT coalesce(sum(uses), 0) AS uses FROM reserved_token_uses');
  return Number(row!.uses);
}

/** Returns the number of deletions in all activity. */
async function deletionsIn(databaseUrl: string): Promise<number> {
  const [row] = await read(databaseUrl, "SELECT count(*) AS count FROM activity WHERE type = 'object.deleted'");
  return Number(row!.count);
}

/** Returns what `writeForJob()` has written. */
async function writtenRows(databaseUrl: string): Promise<readonly unknown[]> {
  const rows = await read(databaseUrl, 'SELECT purge_id FROM purges ORDER BY purge_id');
  return rows.map(({ purge_id: id }) => id);
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
      'answers 503 within 2 s, then at once, and works again when the network does (%s)',
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
        for (const [name, ms] of took) expect(ms, `${name} took ${ms} ms`).toBeLessThan(heldMs + toleratedMs);
        for (const [name, send] of Object.entries(requests)) {
          const beganAt = performance.now();
          expect((await send()).status, name).toBe(503);
          const ms = performance.now() - beganAt;
          expect(ms, `${name} took ${ms} ms once the replica knew`).toBeLessThan(toleratedMs);
        }
        // The process lives, so its supervisor must not kill it.
        expect((await ask(`${cutOff.urls.api}/livez`)).status).toBe(200);
        proxy.heal();
        const backMs = await timeUntil(200, () => uploadFile(cutOff, account, 'again', someBytes()));
        expect(backMs).toBeLessThan(10_000);
        await expectOrder(database.url, fileBlobs(replicas.dataDir));
      },
    );

    it('leaves its job to the others within 5 s, and then writes nothing more for it', async () => {
      const { database, proxy, cutOff, other } = await start();
      const take = (of: SpawnedServer) => of.takeJob('tested');
      const write = (of: SpawnedServer, row: string) => of.writeForJob({ job: 'tested', row });
      expect(await take(cutOff)).toBe(1);
      expect(await take(other)).toBeUndefined();
      await write(cutOff, 'in time');
      proxy.hang();
      const cutAt = performance.now();
      // What it sends now arrives when the network is back.
      const onItsWay = expect(write(cutOff, 'on its way')).rejects.toThrow(/JobLeaseLost|MetadataUnavailable/);
      await expect.poll(() => take(other), { timeout: 20_000, interval: 20 }).toBe(2);
      const freeMs = performance.now() - cutAt;
      expect(freeMs, `the job was free after ${freeMs} ms`).toBeLessThan(boundMs + toleratedMs);
      await write(other, 'of the other');
      proxy.heal();
      await onItsWay;
      const account = await other.account();
      await timeUntil(200, () => uploadFile(cutOff, account, 'again', someBytes()));
      await expect(write(cutOff, 'late')).rejects.toThrow(/JobLeaseLost/);
      expect(await take(cutOff)).toBeUndefined();
      await write(other, 'at last');
      expect(await writtenRows(database.url)).toEqual(['at last', 'in time', 'of the other']);
    });

    it('in the middle of a job leaves the rest to the others, and each item is done once', async () => {
      const { database, proxy, replicas, cutOff, other } = await start();
      const { id: accountId } = await other.account();
      const rows = 1_000;
      await other.fill({ accountId, rows, folders: 0, prefix: 'expired/', expiredMs: 60_000 });
      proxy.delay(20);
      const cutShort = expect(cutOff.runLeasedJob('delete-expired')).rejects.toThrow(
        /MetadataUnavailable|JobLeaseLost/,
      );
      await expect.poll(() => deletionsIn(database.url), { timeout: 30_000, interval: 20 }).toBeGreaterThan(0);
      proxy.hang();
      const doneBefore = await deletionsIn(database.url);
      expect(doneBefore).toBeLessThan(rows);
      let done: number | undefined;
      await expect
        .poll(async () => (done ??= await other.runLeasedJob('delete-expired')), { timeout: 60_000, interval: 20 })
        .toBeGreaterThan(0);
      proxy.delay(0);
      proxy.heal();
      await cutShort;
      expect(await deletionsIn(database.url)).toBe(rows);
      await expectOrder(database.url, fileBlobs(replicas.dataDir));
    });

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
