import { randomInt } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ask, deleteFiles, uploadFile, type Answer } from '#test/faults/client.ts';
import { readDataFolder } from '#test/faults/data-folder.ts';
import { someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

const rounds = process.env.CUBBY_TEST_LONG === '1' ? 200 : 3;
const parallel = 64;

/** Sizes of files in the database and of files with a blob, so that one kind replaces the other. */
const sizes = [512, 3_000, 16_384, 16_385, 40_000];
const names = ['a', 'b', 'c', 'd', 'e', 'f'];

const oneOf = <T>(list: readonly T[]) => list[randomInt(list.length)]!;
const chance = () => randomInt(2) === 0;

describe(`${parallel} changes at once (${rounds} rounds)`, { timeout: 60_000 + rounds * 60_000 }, () => {
  let server: TestServer;
  let account: TestAccount;
  beforeAll(async () => void (server = await startTestServer()));
  afterAll(() => server.stop());

  const api = (method: string, path: string, body?: object) =>
    ask(`${server.running.urls.base}/v1${path}`, {
      method,
      credential: account.credential,
      ...(body && { body: JSON.stringify(body) }),
    });
  const update = (objects: readonly string[], changes: object) => api('PATCH', '/objects', { objects, ...changes });
  const copy = (source: string, destination: object, more: object = {}) =>
    api('POST', '/objects/copy', { source, destination, ...more });
  const put = async (name: string, bytes = someBytes(oneOf(sizes))): Promise<string> =>
    (await uploadFile(server.running, account, name, bytes)).json.response.id;
  const together = <T>(request: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: parallel }, (_, index) => request(index)));
  const publicId = (name: string) => `pub/${account.id}/${name}.png`;
  const rowsOfAccount = async () =>
    (await readDataFolder(server.dataDir)).objects.filter(({ accountId }) => accountId === account.id).length;

  async function storedIds(): Promise<string[]> {
    const { objects } = (await api('GET', '/objects?limit=1000')).json.response;
    return objects.map(({ id }: { id: string }) => id);
  }

  /**
   * At rest the usage is the sum of the files, contents count the rows that point to them, and the disk holds exactly
   * the blobs that rows name.
   */
  async function expectOrder(): Promise<void> {
    await expect.poll(async () => (await readDataFolder(server.dataDir, { bytes: true })).problems).toEqual([]);
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  }

  /**
   * Returns the number of files that a request added, by its own response. A request may fail only because another was
   * first.
   */
  function filesMore({ status, json }: Answer, kind: string): number {
    if (status !== 200) {
      expect(['OBJECT_NOT_FOUND', 'OBJECT_ALREADY_EXISTS', 'SAME_OBJECT'], `${kind} answered ${status}`).toContain(
        json.code,
      );
      return 0;
    }
    const { response } = json;
    switch (kind) {
      case 'upload':
        return response.replaced ? 0 : 1;
      case 'delete':
        expect(response?.failed ?? []).toEqual([]);
        return response ? -response.deleted.length : -1;
      case 'copy':
        return (response.moved ? 0 : 1) - (response.replaced ? 1 : 0);
      default:
        for (const { ok, code } of response.results) if (!ok) expect(code).toBe('OBJECT_NOT_FOUND');
        return 0;
    }
  }

  it('of every kind lose no file, and count each one', async () => {
    account = await server.account();
    for (let round = 0; round < rounds; round++) {
      const [before, rowsBefore] = [await storedIds(), await rowsOfAccount()];
      const someId = () => (before.length === 0 || chance() ? publicId(oneOf(names)) : oneOf(before));
      const kinds: Readonly<Record<string, () => Promise<Answer>>> = {
        upload: () =>
          uploadFile(
            server.running,
            account,
            oneOf(names),
            someBytes(oneOf(sizes)),
            chance() ? { overwrite: 'false' } : {},
          ),
        update: () =>
          update(
            Array.from({ length: 1 + randomInt(4) }, someId),
            oneOf([
              { private: true },
              { private: false },
              { expire: '30d' },
              { expire: null },
              { disposition: 'attachment' },
              { metadata: { a: 'x' }, private: chance() },
            ]),
          ),
        copy: () =>
          copy(
            someId(),
            {
              name: oneOf(names),
              ...oneOf([{}, { private: true }, { private: false, expire: null }, { prefix: 'folder' }]),
            },
            { move: chance(), overwrite: chance() },
          ),
        delete: () =>
          deleteFiles(server.running, account, [...new Set(Array.from({ length: 1 + randomInt(3) }, someId))]),
      };
      const answers = await together(async (index) => {
        const kind = Object.keys(kinds)[index % 4]!;
        return { kind, answer: await kinds[kind]!() };
      });
      const more = answers.reduce((sum, { kind, answer }) => sum + filesMore(answer, kind), 0);
      expect(await rowsOfAccount()).toBe(rowsBefore + more);
      await expectOrder();
    }
  });

  it('that move the same file away move it once', async () => {
    account = await server.account();
    for (let round = 0; round < rounds; round++) {
      const source = await put('source');
      const answers = await together((index) =>
        copy(source, { name: `to-${round}-${index}`, private: index % 2 === 0 }, { move: true }),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(new Set(answers.filter(({ status }) => status !== 200).map(({ json }) => json.code))).toEqual(
        new Set(['OBJECT_NOT_FOUND']),
      );
      expect(await rowsOfAccount()).toBe(round + 1);
      await expectOrder();
    }
  });

  it('that copy to the same place without overwriting create one file', async () => {
    account = await server.account();
    const sources = await Promise.all(names.map((name) => put(name)));
    for (let round = 0; round < rounds; round++) {
      const answers = await together((index) => copy(sources[index % sources.length]!, { name: `place-${round}` }));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await rowsOfAccount()).toBe(names.length + round + 1);
      await expectOrder();
    }
  });

  it('that copy a file while it is deleted and uploaded again keep the bytes of every copy', async () => {
    account = await server.account();
    for (let round = 0; round < rounds; round++) {
      await put('source');
      const answers = await together((index): Promise<Answer> => {
        if (index % 8 === 7) return deleteFiles(server.running, account, [publicId('source')]);
        if (index % 8 === 3) return uploadFile(server.running, account, 'source', someBytes(oneOf(sizes)));
        return copy(publicId('source'), { name: `copy-${index}` }, { overwrite: true });
      });
      for (const { status, json } of answers) if (status !== 200) expect(json.code).toBe('OBJECT_NOT_FOUND');
      await expectOrder();
    }
  });

  it('that change the same file leave one file, under the id of one of the last responses', async () => {
    account = await server.account();
    let id = await put('photo');
    for (let round = 0; round < rounds; round++) {
      const known = id;
      const answers = await together((index) =>
        update([known], index % 2 === 0 ? { private: known.startsWith('pub/') } : { expire: `${7 + (index % 5)}d` }),
      );
      const results = answers.map(({ status, json }) => (expect(status).toBe(200), json.response.results[0]));
      for (const { ok, code } of results) if (!ok) expect(code).toBe('OBJECT_NOT_FOUND');
      const [left, ...others] = await storedIds();
      expect(others).toEqual([]);
      expect(results.filter(({ ok }) => ok).map((result) => result.id)).toContain(left);
      id = left!;
      await expectOrder();
    }
  });

  it('never exceed the quota together, and moves need none', async () => {
    const { stores } = server.running.app;
    for (let round = 0; round < rounds; round++) {
      account = await server.account();
      const source = await put('source', someBytes(20_000));
      await stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 200_000 + randomInt(1000)));
      const answers = await together((index) =>
        index % 2 === 0
          ? copy(source, { name: `copy-${index}` })
          : uploadFile(server.running, account, `file-${index}`, someBytes(20_000)),
      );
      for (const { status, json } of answers) if (status !== 200) expect(json.code).toBe('STORAGE_QUOTA_EXCEEDED');
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(9);
      expect((await stores.metadata.read.accounts.find(account.id))!.usedBytes).toBeLessThanOrEqual(201_000);
      expect((await copy(source, { name: 'elsewhere' }, { move: true })).status).toBe(200);
      await expectOrder();
    }
  });
});
