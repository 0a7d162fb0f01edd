import { randomInt } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '#test/support/eventually.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';

const rounds = process.env.CUBBY_TEST_LONG === '1' ? 200 : 3;
const parallel = 32;

const names = ['a', 'b', 'c', 'd'];

const oneOf = <T>(list: readonly T[]) => list[randomInt(list.length)]!;

/** The codes with which a request may lose against another one. */
const lost = [
  'OBJECT_NOT_FOUND',
  'OBJECT_ALREADY_EXISTS',
  'VERSION_NOT_FOUND',
  'STORAGE_QUOTA_EXCEEDED',
  'SAME_OBJECT',
];

describe(`changes of the trash at once (${rounds} rounds)`, { timeout: 60_000 + rounds * 5_000 }, () => {
  let server: TestServer;
  beforeAll(async () => void (server = await startTestServer()));
  afterAll(() => server.stop());

  const metadata = () => server.running.app.stores.metadata;
  const ask = (method: string, path: string, { credential }: TestAccount, body?: unknown) =>
    server.send(path, { method, credential, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const put = (account: TestAccount, name: string, prefix: string, sizeBytes = 600) =>
    upload(server, account, { query: { name, prefix, overwrite: 'true' }, bytes: someBytes(sizeBytes) });
  const versionsOf = async (account: TestAccount): Promise<string[]> =>
    (await ask('GET', '/v1/trash?limit=1000', account))
      .json()
      .response.versions.map(({ version }: { version: string }) => version);
  const keysOf = async (account: TestAccount): Promise<string[]> =>
    (await ask('GET', '/v1/objects?limit=1000', account)).json().response.objects.map(({ id }: { id: string }) => id);
  const together = <T>(request: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: parallel }, (_, index) => request(index)));

  /** Makes an account whose trash keeps three versions of each file below `kept/`. */
  async function keeping(quotaBytes?: number): Promise<TestAccount> {
    const account = await server.account();
    const rules = [{ prefix: 'kept', keep_deleted_days: 30, keep_versions: 3 }];
    expect((await ask('PUT', '/v1/account/settings', account, { rules })).status).toBe(200);
    if (quotaBytes !== undefined) await metadata().atomically((tx) => tx.accounts.setQuota(account.id, quotaBytes));
    return account;
  }

  /** At rest every counter is the sum of its rows, and every content has one. */
  async function expectOrder(): Promise<void> {
    expect(await metadata().read.storeCheck.differences()).toEqual([]);
    expect(await metadata().read.storeCheck.unusedContents()).toEqual([]);
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  }

  it('never exceed the quota, and count each byte', async () => {
    const quotaBytes = 12_000;
    const account = await keeping(quotaBytes);
    let isOver = false;
    const highest = { bytes: 0 };
    const watching = (async () => {
      while (!isOver) {
        const { usedBytes, reservedBytes } = (await metadata().read.accounts.find(account.id))!;
        highest.bytes = Math.max(highest.bytes, usedBytes + reservedBytes);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    for (let round = 0; round < rounds; round++) {
      server.clock.advance(1000);
      const versions = await versionsOf(account);
      const idOf = (name: string) => `pub/${account.id}/kept/${name}.png`;
      const kinds: ReadonlyArray<() => Promise<TestAnswer>> = [
        () => put(account, oneOf(names), 'kept', 512 + randomInt(1500)),
        () => put(account, oneOf(names), 'kept', 512 + randomInt(1500)),
        () => ask('DELETE', '/v1/objects', account, { object: idOf(oneOf(names)) }),
        () =>
          ask('POST', '/v1/objects/copy', account, {
            source: idOf(oneOf(names)),
            destination: { name: oneOf(names), prefix: 'kept' },
            overwrite: true,
            move: randomInt(2) === 0,
          }),
        () => ask('POST', '/v1/trash/restore', account, { version: oneOf(versions), overwrite: randomInt(2) === 0 }),
        () => ask('DELETE', '/v1/trash', account, { version: oneOf(versions) }),
      ];
      const answers = await together(() => kinds[randomInt(versions.length > 0 ? kinds.length : 4)]!());
      for (const answer of answers) if (answer.status !== 200) expect(lost).toContain(answer.json().code);
      await expectOrder();
      const kept = await ask('GET', '/v1/trash?limit=1000', account);
      const ofKey = Map.groupBy(kept.json().response.versions as Array<{ id: string }>, ({ id }) => id);
      for (const versionsOfKey of ofKey.values()) expect(versionsOfKey.length).toBeLessThanOrEqual(3);
    }
    isOver = true;
    await watching;
    expect(highest.bytes).toBeGreaterThan(quotaBytes / 2);
    expect(highest.bytes).toBeLessThanOrEqual(quotaBytes);
  });

  it('restore or purge a version, and never both', async () => {
    const account = await keeping();
    for (let round = 0; round < rounds; round++) {
      const { id } = (await put(account, `file-${round}`, 'kept')).json().response;
      await ask('DELETE', '/v1/objects', account, { object: id });
      const version = (await versionsOf(account)).at(-1)!;
      const answers = await together((index) =>
        index % 2 === 0
          ? ask('POST', '/v1/trash/restore', account, { version })
          : ask('DELETE', '/v1/trash', account, { version }),
      );
      const won = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
      expect(won).toHaveLength(1);
      for (const answer of answers) if (answer.status !== 200) expect(answer.json().code).toBe('VERSION_NOT_FOUND');
      expect(await versionsOf(account)).toEqual([]);
      const isRestored = won[0]! % 2 === 0;
      expect((await ask('GET', `/v1/objects/info?object=${id}`, account)).status).toBe(isRestored ? 200 : 404);
      if (isRestored) {
        await ask('DELETE', '/v1/objects', account, { object: id });
        await ask('DELETE', '/v1/trash', account, { versions: await versionsOf(account) });
      }
      await expectOrder();
    }
  });

  it('and uploads into a folder that a job moves lose no file, and move none twice', async () => {
    for (let round = 0; round < rounds; round++) {
      const account = await server.account();
      const [from, to] = [`from-${round}`, `to-${round}`];
      const first = new Set<string>();
      for (let at = 0; at < 6; at++) first.add((await put(account, `f${at}`, from)).json().response.id);
      server.clock.advance(1000);
      const before = (await keysOf(account)).length;
      const answers = await together(async (index) => {
        if (index === 5)
          return ask('POST', '/v1/folders/jobs', account, { action: 'move', prefix: from, destination: to });
        if (index % 4 === 1) server.clock.advance(1);
        return put(account, `f${index % 12}`, from);
      });
      for (const answer of answers) expect([200, 202]).toContain(answer.status);
      const { id } = answers[5]!.json().response;
      server.clock.advance(1);
      const job = await eventually(async () => {
        const read = (await ask('GET', `/v1/folders/jobs/${id}`, account)).json().response;
        expect(read.state).toBe('done');
        return read;
      });
      expect(job.failed).toBe(0);
      const made = answers.filter((answer) => answer.status === 200 && !answer.json().response.replaced).length;
      const keys = await keysOf(account);
      expect(keys).toHaveLength(before + made);
      expect(keys.filter((key) => key.includes(`/${to}/`))).toHaveLength(job.done);
      expect(new Set(keys).size).toBe(keys.length);
      for (let at = 0; at < 12; at++) {
        const places = keys.filter(
          (key) => key.endsWith(`/f${at}.png`) && (key.includes(`/${from}/`) || key.includes(`/${to}/`)),
        );
        expect(places.length, `f${at}`).toBeGreaterThan(0);
      }
      await expectOrder();
    }
  });
});
