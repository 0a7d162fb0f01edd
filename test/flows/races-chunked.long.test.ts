import { randomInt } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fetchFile } from '#test/faults/client.ts';
import { readDataFolder } from '#test/faults/data-folder.ts';
import { chunking } from '#test/support/chunked.ts';
import { sha256, someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
/** Four rounds cover each combination: with and without a stored part, with and without an abort. */
const rounds = isLong ? 200 : 4;
/** Rounds of cases that are less likely to fail. */
const fewer = isLong ? 200 : 2;
const parallel = 64;

/** Sizes of parts in the database and of parts with a blob, alternating. */
const sizes = [600, 40_000, 16_384, 16_385, 120_000];

describe(
  `${parallel} requests of one chunked upload at once (${rounds} rounds)`,
  { timeout: 60_000 + rounds * 5_000 },
  () => {
    let server: TestServer;
    let account: TestAccount;
    beforeAll(async () => {
      server = await startTestServer();
      account = await server.account();
    });
    afterAll(() => server.stop());

    const chunks = chunking(() => server);
    const idOf = (name: string) => `pub/${account.id}/${name}.bin`;

    /** At rest the reserved bytes are the sum of stored parts, and the disk holds exactly the blobs that rows name. */
    async function expectOrder(): Promise<void> {
      await expect.poll(async () => (await readDataFolder(server.dataDir, { bytes: true })).problems).toEqual([]);
      expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
    }

    const codesOf = (answers: readonly TestAnswer[]) =>
      new Set(answers.filter(({ status }) => status !== 200).map((answer) => answer.json().code));

    it('that complete it make one file, and all get the same response', async () => {
      for (let round = 0; round < fewer; round++) {
        const handle = await chunks.open(account, { name: `once-${round}` });
        const bytes = someBytes(sizes[round % sizes.length]);
        await chunks.put(account, handle, 1, bytes);
        const answers = await Promise.all(Array.from({ length: parallel }, () => chunks.complete(account, handle)));
        expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
        expect(answers[0]!.json().response).toMatchObject({ size: bytes.length, sha256: sha256(bytes) });
      }
      await expectOrder();
      const { activity } = (
        await server.send('/v1/account/activity?limit=100', { credential: account.credential })
      ).json().response;
      const completed = activity
        .filter(({ type }: { type: string }) => type === 'chunked.completed')
        .map(({ object }: { object: string }) => object);
      expect(new Set(completed).size).toBe(completed.length);
    });

    it('that send its parts, complete it and abort it leave one whole file or none', async () => {
      const outcomes = { completed: 0, aborted: 0 };
      for (let round = 0; round < rounds; round++) {
        const name = `mixed-${round}`;
        const handle = await chunks.open(account, { name });
        const first = someBytes(sizes[randomInt(sizes.length)]);
        const sent = new Map([[sha256(first), first.length]]);
        // Without this part completions would come before any part.
        if (round % 3 !== 0) await chunks.put(account, handle, 1, first);
        const request = async (index: number): Promise<[string, TestAnswer]> => {
          if (index % 8 === 3) return ['complete', await chunks.complete(account, handle)];
          if (index === round && round % 2 === 0) return ['abort', await chunks.abort(account, handle)];
          if (index % 8 === 6) return ['status', await chunks.status(account, handle)];
          const bytes = someBytes(sizes[randomInt(sizes.length)]);
          sent.set(sha256(bytes), bytes.length);
          return ['part', await chunks.put(account, handle, 1, bytes)];
        };
        const answers = await Promise.all(Array.from({ length: parallel }, (_, index) => request(index)));
        const of = (kind: string) => answers.filter(([one]) => one === kind).map(([, answer]) => answer);
        expect(
          [...codesOf(of('part')), ...codesOf(of('status')), ...codesOf(of('abort'))].filter(
            (code) => code !== 'UPLOAD_NOT_FOUND',
          ),
        ).toEqual([]);
        for (const code of codesOf(of('complete'))) expect(['UPLOAD_NOT_FOUND', 'NO_CHUNKS_UPLOADED']).toContain(code);

        const completions = of('complete').filter(({ status }) => status === 200);
        expect(new Set(completions.map(({ body }) => String(body))).size).toBeLessThanOrEqual(1);
        const { status, bytes } = await fetchFile(server.running, idOf(name));
        if (completions[0]) {
          outcomes.completed++;
          expect([status, sent.get(sha256(bytes)), completions[0].json().response.sha256]).toEqual([
            200,
            bytes.length,
            sha256(bytes),
          ]);
          for (const answer of of('abort')) expect(answer.status).toBe(404);
        } else {
          outcomes.aborted++;
          expect(status).toBe(404);
          expect((await chunks.abort(account, handle)).status).toBe(200);
        }
        await expectOrder();
      }
      console.log(`${outcomes.completed} rounds were completed, ${outcomes.aborted} were not`);
    });

    it('that send the same part leave one of them, whole, and nothing of the others', async () => {
      for (let round = 0; round < fewer; round++) {
        const handle = await chunks.open(account, { name: `same-${round}` });
        const all = Array.from({ length: parallel }, () => someBytes(sizes[randomInt(sizes.length)]));
        const answers = await Promise.all(all.map((bytes) => chunks.put(account, handle, 1, bytes)));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
        const { parts, size_so_far: size } = (await chunks.status(account, handle)).json().response;
        expect([parts.length, size]).toEqual([1, parts[0].size]);
        const { sha256: hash } = (await chunks.complete(account, handle)).json().response;
        expect(all.map((bytes) => sha256(bytes))).toContain(hash);
        expect(sha256((await fetchFile(server.running, idOf(`same-${round}`))).bytes)).toBe(hash);
        await expectOrder();
      }
    });

    it('that send different parts never exceed the quota together', async () => {
      const { metadata } = server.running.app.stores;
      for (let round = 0; round < fewer; round++) {
        const limited = await server.account();
        const quotaBytes = 200_000 + randomInt(1000);
        await metadata.atomically((tx) => tx.accounts.setQuota(limited.id, quotaBytes));
        const handle = await chunks.open(limited);
        const answers = await Promise.all(
          Array.from({ length: parallel }, (_, index) =>
            chunks.put(limited, handle, index + 1, someBytes(index % 2 === 0 ? 10_000 : 25_000)),
          ),
        );
        expect([...codesOf(answers)]).toEqual(['STORAGE_QUOTA_EXCEEDED']);
        const { reservedBytes } = (await metadata.read.accounts.find(limited.id))!;
        expect(reservedBytes).toBe((await chunks.status(limited, handle)).json().response.size_so_far);
        expect(reservedBytes).toBeLessThanOrEqual(quotaBytes);
        expect(reservedBytes).toBeGreaterThan(quotaBytes - 35_000);
        await chunks.abort(limited, handle);
        expect((await metadata.read.accounts.find(limited.id))!.reservedBytes).toBe(0);
        await expectOrder();
      }
    });
  },
);
