import { describe, expect, it, onTestFinished } from 'vitest';

import { ask, uploadFile } from '#test/faults/client.ts';
import { askSharedServer } from '#test/support/ask-shared-server.ts';
import { bucketAt } from '#test/support/bucket/bucket.ts';
import { startDelayingProxy } from '#test/support/delaying-proxy.ts';
import { sha256, someBytes } from '#test/support/files.ts';
import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { startReplicas } from './replicas.ts';
import { expectOrder } from './stored-state.ts';

const missing = noPostgres();

/**
 * How long an upload may take whose bucket stops to answer in the middle of it. The bucket has a minute to store what it
 * has received.
 */
const boundMs = 70_000;

describe.skipIf(missing)(
  `replicas whose bucket fails${missing ? ` (skipped: ${missing})` : ''}`,
  { timeout: 300_000 },
  () => {
    it.each(['hang', 'refuse', 'drop'] as const)(
      'keep small files working, refuse larger ones in time, and leave no orphan (%s)',
      async (fault) => {
        const database = await freshDatabase(migrated);
        onTestFinished(() => database.drop());
        const access = await askSharedServer('bucket');
        const proxy = await startDelayingProxy({ port: Number(new URL(access.endpoint).port) });
        onTestFinished(() => proxy.close());
        const bucket = bucketAt(access);
        onTestFinished(() => bucket.remove());
        const through = { ...bucket.settings };
        through.CUBBY_BLOBS_URL = through.CUBBY_BLOBS_URL!.replace(
          encodeURIComponent(access.endpoint),
          encodeURIComponent(`http://127.0.0.1:${proxy.port}`),
        );
        const replicas = await startReplicas({ databaseUrls: [database.url, database.url], env: through });
        onTestFinished(() => replicas.close());
        const [one, other] = [replicas.at(0), replicas.at(1)];
        const account = await one.account();
        const before = someBytes(300_000);
        const stored = await uploadFile(one, account, 'before', before);
        expect(stored.status).toBe(200);
        const path = `/${(stored.json.response.id as string).replace(/^pub\//, '')}`;

        const inFlight = Array.from({ length: 4 }, (_, at) =>
          uploadFile(one, account, `flying-${at}`, someBytes(900_000)),
        );
        proxy[fault]();
        const beganAt = performance.now();
        const refused = await uploadFile(other, account, 'refused', someBytes(300_000));
        expect(refused.status).toBeGreaterThanOrEqual(500);
        const flown = await Promise.all(inFlight);
        expect(performance.now() - beganAt).toBeLessThan(boundMs);
        for (const replica of [one, other]) {
          expect((await uploadFile(replica, account, 'small', someBytes(600))).status).toBe(200);
          expect((await ask(`${replica.urls.public}/${account.id}/small.png`)).status).toBe(200);
        }
        proxy.heal();

        await expect.poll(async () => (await ask(other.urls.public + path)).status, { timeout: 60_000 }).toBe(200);
        expect(sha256((await ask(other.urls.public + path)).bytes)).toBe(sha256(before));
        for (const [at, { status }] of flown.entries()) {
          const { status: found } = await ask(`${one.urls.public}/${account.id}/flying-${at}.png`);
          expect(found).toBe(status === 200 ? 200 : 404);
        }
        const again = await replicas.send('/v1/objects', {
          method: 'DELETE',
          credential: account.credential,
          body: JSON.stringify({ object: stored.json.response.id }),
        });
        expect(again.status).toBe(200);
        await expectOrder(database.url, bucket.blobs, 120_000);
      },
    );
  },
);
