import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openChatReservations } from '#server/features/chat/stores/open-reservations.ts';
import { createApp } from '#server/features/apps/create-app.ts';
import { setWebhook } from '#server/features/deploys/set-webhook.ts';
import { takeDeploy } from '#server/features/deploys/take-deploy.ts';
import { maxOpenUploads } from '#server/features/uploads/limits.ts';
import type { Bucket } from '#server/domain/ports/rate-limits.ts';
import type { Answer } from '#test/faults/client.ts';
import { expectOrder } from '#test/scale/stored-state.ts';
import { ofKey, roomy, unlimited } from '#test/support/chat-gateway.ts';
import { formWith, sha256, someBytes } from '#test/support/files.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { changePostgres } from '#test/support/stored.ts';
import { startTwoServers, type TwoServers } from '#test/support/two-servers.ts';

const rounds = process.env.CUBBY_TEST_LONG === '1' ? 200 : 2;
const parallel = 32;

/** The caps of a service, from `parallel` requests at once to two servers: each is exact. */
describe.skipIf(noPostgres() !== undefined)(
  `${parallel} requests at once to two servers (${rounds} rounds)`,
  { timeout: 60_000 + rounds * 5_000 },
  () => {
    let pair: TwoServers;
    beforeAll(async () => void (pair = await startTwoServers()));
    afterAll(() => pair.stop());

    const together = <T>(one: (index: number) => Promise<T>, count = parallel): Promise<T[]> =>
      Promise.all(Array.from({ length: count }, (_, index) => one(index)));
    const stores = (index = 0) => pair.servers[index % 2]!.app.stores;
    const shared = (index: number) => stores(index).shared!;
    const reservations = (index: number) => openChatReservations(shared(index), stores(index).metadata);
    const codesOf = (answers: readonly Answer[]) =>
      new Set(answers.filter(({ status }) => status !== 200).map(({ json }) => json.code as string));
    const passed = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200);
    const upload = (index: number, credential: string, name: string, bytes: Uint8Array) =>
      pair.send(index, `/v1/objects?${new URLSearchParams({ name })}`, {
        method: 'POST',
        credential,
        body: formWith(bytes),
      });
    const json = (method: string, credential: string, body: object) => ({
      method,
      credential,
      body: JSON.stringify(body),
    });
    const inOrder = async () => {
      await expectOrder(pair.databaseUrl, pair.blobs);
      expect(pair.log.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
    };

    it('never store more than the quota', async () => {
      for (let round = 0; round < rounds; round++) {
        const { id, credential } = await pair.account();
        const sizeBytes = round % 2 ? 20_000 : 3_000;
        await stores().metadata.atomically((tx) => tx.accounts.setQuota(id, 10 * sizeBytes + 100));
        const answers = await together((index) => upload(index, credential, `f${index}`, someBytes(sizeBytes)));
        expect(codesOf(answers)).toEqual(new Set(['STORAGE_QUOTA_EXCEEDED']));
        const stored = passed(answers).length;
        expect(stored).toBeLessThanOrEqual(10);
        for (let more = stored; more < 10; more++)
          expect((await upload(more, credential, `more${more}`, someBytes(sizeBytes))).status).toBe(200);
        expect((await upload(0, credential, 'too-much', someBytes(sizeBytes))).status).not.toBe(200);
        expect((await stores().metadata.read.accounts.find(id))!.usedBytes).toBe(10 * sizeBytes);
      }
      await inOrder();
    });

    it('open exactly the allowed chunked uploads', async () => {
      for (let round = 0; round < rounds; round++) {
        const { credential } = await pair.account();
        const open = (index: number) =>
          pair.send(index, `/v1/objects/chunked?name=u${index}`, { method: 'POST', credential });
        const answers = await together(open, maxOpenUploads + 16);
        expect(passed(answers)).toHaveLength(maxOpenUploads);
        expect(codesOf(answers)).toEqual(new Set(['TOO_MANY_OPEN_UPLOADS']));
      }
    });

    it('that send the same part keep one of them', async () => {
      for (let round = 0; round < rounds; round++) {
        const { id, credential } = await pair.account();
        const opened = await pair.send(round, '/v1/objects/chunked?name=big', { method: 'POST', credential });
        const { upload: handle } = opened.json.response;
        const sent = new Map<string, number>();
        await together((index) => {
          const bytes = someBytes(600 + 1000 * index);
          sent.set(sha256(bytes), bytes.length);
          const query = new URLSearchParams({ upload: handle, part: '1' });
          return pair.send(index, `/v1/objects/chunked?${query}`, { method: 'PUT', credential, body: bytes });
        });
        const completed = await pair.send(
          round + 1,
          '/v1/objects/chunked',
          json('PATCH', credential, { upload: handle }),
        );
        const { size, sha256: hash } = completed.json.response;
        expect(sent.get(hash)).toBe(size);
        expect(await stores().metadata.read.accounts.find(id)).toMatchObject({ usedBytes: size, reservedBytes: 0 });
      }
      await inOrder();
    });

    it('that copy and delete files of the same bytes lose no copy', async () => {
      for (let round = 0; round < rounds; round++) {
        const { id, credential } = await pair.account();
        const bytes = someBytes(round % 2 ? 20_000 : 3_000);
        const of = (name: string) => `pub/${id}/${name}.png`;
        for (const name of ['a', 'b']) await upload(0, credential, name, bytes);
        const answers = await together((index) => {
          if (index % 4 === 3) return pair.send(index, '/v1/objects', json('DELETE', credential, { object: of('a') }));
          const source = index === 0 ? of('b') : of(index % 2 ? 'a' : `copy${index - 2}`);
          const copied = { source, destination: { name: `copy${index}` } };
          return pair.send(index, '/v1/objects/copy', json('POST', credential, copied));
        });
        for (const { status, json: body } of answers) if (status !== 200) expect(body.code).toBe('OBJECT_NOT_FOUND');
        const list = await pair.send(round, '/v1/objects?limit=1000', { credential });
        const names: string[] = list.json.response.objects.map((one: { id: string }) => one.id);
        expect(names).toEqual(expect.arrayContaining([of('b'), of('copy0')]));
        for (const name of names) {
          const { status, bytes: read } = await pair.send(0, `/${name.replace(/^pub\//, '')}`, { door: 'public' });
          expect([name, status, sha256(read)]).toEqual([name, 200, sha256(bytes)]);
        }
      }
      await inOrder();
    });

    it('spend exactly the uses of an upload token', async () => {
      for (let round = 0; round < rounds; round++) {
        const { credential } = await pair.account();
        const minted = await pair.send(round, '/v1/upload-tokens', json('POST', credential, { max_uses: 5 }));
        const { token } = minted.json.response;
        const answers = await together((index) =>
          upload(index, token, `t${index}`, someBytes(round % 2 ? 20_000 : 900)),
        );
        expect(passed(answers)).toHaveLength(5);
        expect(codesOf(answers)).toEqual(new Set(['UPLOAD_TOKEN_USED']));
      }
      await inOrder();
    });

    it('spend exactly the downloads of a link', async () => {
      const { credential } = await pair.account();
      const file = (
        await pair.send(0, '/v1/objects?name=shared&private=true', {
          method: 'POST',
          credential,
          body: formWith(someBytes(20_000)),
        })
      ).json.response.id;
      for (let round = 0; round < rounds; round++) {
        const made = await pair.send(round, '/v1/shares', json('POST', credential, { object: file, max_downloads: 5 }));
        const path = new URL(made.json.response.url).pathname;
        const answers = await together((index) =>
          pair.send(index, path, { door: 'files', headers: { 'User-Agent': `client/${index}` } }),
        );
        expect(passed(answers)).toHaveLength(5);
        expect(codesOf(answers)).toEqual(new Set(['SHARE_EXHAUSTED']));
      }
    });

    it('take exactly the limit of a rate, with and without a block, and one block holds on both', async () => {
      for (let round = 0; round < rounds; round++) {
        const bucket: Bucket = { key: `race:${round}`, name: 'race', limit: 10, windowMs: 60_000, cost: 1 };
        const blocking: Bucket = { ...bucket, key: `block:${round}`, blockMs: 60_000 };
        for (const buckets of [[bucket], [blocking, { ...bucket, key: `other:${round}`, limit: 1000 }]]) {
          const decisions = await together((index) => shared(index).rates.take(buckets, stores(index).clock.now()));
          expect(decisions.filter(({ isAllowed }) => isAllowed)).toHaveLength(10);
        }
        for (const index of [0, 1])
          expect(await shared(index).rates.blockedMs(blocking.key, stores(index).clock.now())).toBeGreaterThan(50_000);
      }
    });

    it('wait for exactly the places of the next window, and for slots one after the other', async () => {
      const signal = new AbortController().signal;
      for (let round = 0; round < rounds; round++) {
        const now = (index: number) => stores(index).clock.now();
        const bucket: Bucket = {
          ...{ key: `s3:${round}`, name: 's3', limit: 3, cost: 1 },
          windowMs: 15_000,
          maxWaiting: 3,
        };
        const decisions = await together((index) => shared(index).rates.take([bucket], now(index)));
        const begins = decisions.filter(({ isAllowed }) => isAllowed).map(({ booked }) => booked?.beginsAt);
        expect(begins.filter((at) => at === undefined)).toHaveLength(3);
        expect(begins.filter((at) => at !== undefined)).toHaveLength(3);
        expect(new Set(begins).size).toBe(2);

        const key = `line:${round}`;
        let held = 0;
        const mostHeld: number[] = [];
        const outcomes = await together(async (index) => {
          const slot = { key, id: String(index) };
          const outcome = await shared(index).slots.wait(
            { slot, limit: 2 },
            { maxWaiting: 100, withinMs: 60_000, signal },
            now(index),
          );
          mostHeld.push(++held);
          await sleep(2);
          held--;
          await shared(index).slots.release(slot, now(index));
          return outcome;
        });
        expect(new Set(outcomes)).toEqual(new Set(['taken']));
        expect(Math.max(...mostHeld)).toBeLessThanOrEqual(2);
      }
    });

    it('get exactly the allowed slots', async () => {
      for (let round = 0; round < rounds; round++) {
        const key = `race:${round}`;
        const admitted = await together((index) =>
          shared(index).admission.admit([], { slot: { key, id: String(index) }, limit: 4 }, stores(index).clock.now()),
        );
        expect(admitted.filter(({ hasSlot }) => hasSlot)).toHaveLength(4);
        await together((index) => shared(index).slots.release({ key, id: String(index) }, stores(index).clock.now()));
      }
    });

    it('fit exactly into the budget of the AI gateway', async () => {
      for (let round = 0; round < rounds; round++) {
        const { id: accountId } = await pair.account();
        const startedAt = stores().clock.now();
        const day = startedAt - (startedAt % 86_400_000);
        const held = await together(async (index) =>
          (await reservations(index)).reserve(
            {
              lease: {
                id: `${accountId} ${index}`,
                ...ofKey,
                accountId,
                startedAt,
                expiresAt: startedAt + 600_000,
                day,
                inputTokens: 10,
                outputTokens: 10,
              },
              leastOutputTokens: 10,
            },
            { quota: { ...roomy, tokensPerDay: 100 }, capacity: unlimited, key: null },
            startedAt,
          ),
        );
        const leases = held.flatMap((one) => ('lease' in one ? [one.lease] : []));
        expect(leases).toHaveLength(5);
        const usage = { inputTokens: 9, outputTokens: 9 };
        // Each is charged once, whichever server charges it, and however often.
        await together(async (index) => (await reservations(index)).settle(leases[index % 5]!, usage, roomy));
        const { today } = await stores().metadata.read.chat.chargedTo(accountId, day);
        expect(today).toEqual({ requests: 5, inputTokens: 45, outputTokens: 45, cost: 0 });
      }
    });

    it('count one push in its window, and begin each deploy once', async () => {
      for (let round = 0; round < rounds; round++) {
        const { id: accountId } = await pair.account();
        const { id: appId } = (await createApp(stores(), { accountId, name: 'shop' }))!;
        await setWebhook(stores(), { accountId, appId, accessToken: 'token', secret: undefined });
        const now = stores().clock.now();
        const pushes = await together((index) =>
          stores(index).metadata.atomically((tx) => tx.gitWebhooks.spendPush(appId, now, 10_000, 1)),
        );
        expect(pushes.filter(Boolean)).toHaveLength(1);
        await stores().metadata.atomically(async (tx) => {
          for (let branch = 0; branch < 6; branch++)
            await tx.deploys.add({
              id: `dep_${accountId}${branch}`,
              appId,
              state: 'pending',
              branch: `b${branch}`,
              commit: 'a'.repeat(40),
              message: null,
              repository: null,
              host: 'github',
              createdAt: now,
              updatedAt: now,
              tries: 0,
              dueAt: now,
              lease: null,
              cancelRequestedAt: null,
            });
        });
        const taken = (await together((index) => takeDeploy(stores(index)))).flatMap(({ deploy }) => deploy?.id ?? []);
        expect(taken.toSorted()).toEqual(Array.from({ length: 6 }, (_, branch) => `dep_${accountId}${branch}`));
      }
    });

    it('run each job in one of them', async () => {
      const { id, credential } = await pair.account();
      const deleted = () =>
        pair.log.filter(({ job }) => job === 'delete-expired').reduce((sum, { count }) => sum + Number(count), 0);
      for (let round = 0; round < rounds; round++) {
        await together((index) => upload(index, credential, `gone${index}`, someBytes(900)));
        const before = deleted();
        await changePostgres(pair.databaseUrl, `UPDATE objects SET expires_at = 1 WHERE account_id = '${id}'`);
        await Promise.all(pair.servers.map((server) => server.app.jobs.runNow()));
        expect(deleted() - before).toBe(parallel);
      }
      await inOrder();
    });
  },
);
