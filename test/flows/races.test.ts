import { randomInt } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deleteFiles, fetchFile, uploadFile, type Answer } from '#test/faults/client.ts';
import { readDataFolder } from '#test/faults/data-folder.ts';
import { sha256, someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

const rounds = process.env.CUBBY_TEST_LONG === '1' ? 200 : 2;
const parallel = 64;

/** Sizes of files in the database and of files with a blob, so that one kind replaces the other. */
const sizes = [512, 3_000, 16_384, 16_385, 40_000, 300_000];

const someSize = () => sizes[randomInt(sizes.length)]!;

describe(`${parallel} requests at once (${rounds} rounds)`, { timeout: 60_000 + rounds * 5_000 }, () => {
  let server: TestServer;
  let account: TestAccount;
  beforeAll(async () => void (server = await startTestServer()));
  afterAll(() => server.stop());

  const idOf = (name: string) => `pub/${account.id}/${name}.png`;

  /** At rest the account's usage is the sum of its files, and the disk holds exactly the blobs that rows name. */
  async function expectOrder(): Promise<void> {
    await expect.poll(async () => (await readDataFolder(server.dataDir, { bytes: true })).problems).toEqual([]);
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  }

  it('that upload and delete the same file leave one whole file or none', async () => {
    account = await server.account();
    for (let round = 0; round < rounds; round++) {
      const uploaded = new Set<string>();
      const request = (index: number): Promise<Answer> => {
        if (index % 4 === 3)
          return deleteFiles(server.running, account, index % 8 === 3 ? [idOf('same')] : [idOf('same'), idOf('other')]);
        const bytes = someBytes(someSize());
        uploaded.add(sha256(bytes));
        return uploadFile(server.running, account, 'same', bytes, index % 8 === 0 ? { overwrite: 'false' } : {});
      };
      const answers = await Promise.all(Array.from({ length: parallel }, (_, index) => request(index)));
      for (const { status, json } of answers) {
        if (status !== 200) expect(['OBJECT_NOT_FOUND', 'OBJECT_ALREADY_EXISTS']).toContain(json.code);
      }
      const { status, bytes } = await fetchFile(server.running, idOf('same'));
      if (status === 200) expect(uploaded.has(sha256(bytes))).toBe(true);
      else expect(status).toBe(404);
      await expectOrder();
    }
  });

  it('that replace the same file keep the upload of the last response', async () => {
    account = await server.account();
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all(
        Array.from({ length: parallel }, () => uploadFile(server.running, account, 'replaced', someBytes(someSize()))),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      // Only the first upload of the first round found no file. Every other upload replaced one.
      expect(answers.filter(({ json }) => !json.response.replaced)).toHaveLength(round === 0 ? 1 : 0);
      const { bytes } = await fetchFile(server.running, idOf('replaced'));
      expect(answers.map(({ json }) => json.response.sha256)).toContain(sha256(bytes));
      await expectOrder();
    }
  });

  it('that must not overwrite create exactly one file', async () => {
    account = await server.account();
    for (let round = 0; round < rounds; round++) {
      const name = `once-${round}`;
      const answers = await Promise.all(
        Array.from({ length: parallel }, () =>
          uploadFile(server.running, account, name, someBytes(someSize()), { overwrite: 'false' }),
        ),
      );
      const [winner, ...others] = answers.filter(({ status }) => status === 200);
      expect(others).toEqual([]);
      expect(new Set(answers.filter((one) => one !== winner).map(({ json }) => json.code))).toEqual(
        new Set(['OBJECT_ALREADY_EXISTS']),
      );
      expect(sha256((await fetchFile(server.running, idOf(name))).bytes)).toBe(winner!.json.response.sha256);
      await expectOrder();
    }
  });

  it('that delete the same file delete it once, and no other file is lost', async () => {
    account = await server.account();
    for (let round = 0; round < rounds; round++) {
      await uploadFile(server.running, account, 'doomed', someBytes(someSize()));
      const [deletions, uploads] = await Promise.all([
        Promise.all(Array.from({ length: parallel / 2 }, () => deleteFiles(server.running, account, [idOf('doomed')]))),
        Promise.all(
          Array.from({ length: parallel / 2 }, (_, index) =>
            uploadFile(server.running, account, `kept-${index}`, someBytes(someSize())),
          ),
        ),
      ]);
      expect(deletions.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(new Set(uploads.map(({ status }) => status))).toEqual(new Set([200]));
      const { objects } = await readDataFolder(server.dataDir);
      expect(objects.filter((object) => object.accountId === account.id)).toHaveLength(parallel / 2);
      await expectOrder();
    }
  });

  it('never exceed the quota together', async () => {
    const { stores } = server.running.app;
    for (let round = 0; round < rounds; round++) {
      account = await server.account();
      const quotaBytes = 200_000 + randomInt(1000);
      await stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, quotaBytes));
      const answers = await Promise.all(
        Array.from({ length: parallel }, (_, index) =>
          uploadFile(server.running, account, `quota-${index}`, someBytes(index % 2 === 0 ? 10_000 : 25_000)),
        ),
      );
      for (const { status, json } of answers) if (status !== 200) expect(json.code).toBe('STORAGE_QUOTA_EXCEEDED');
      const { usedBytes, reservedBytes } = (await stores.metadata.read.accounts.find(account.id))!;
      expect(usedBytes).toBeLessThanOrEqual(quotaBytes);
      expect(usedBytes).toBeGreaterThan(quotaBytes - 35_000);
      expect(reservedBytes).toBe(0);
      await expectOrder();
    }
  });
});
