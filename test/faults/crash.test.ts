import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { sha256, someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { deleteFiles, fetchFile, uploadFile } from './client.ts';
import { readDataFolder } from './data-folder.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const rounds = isLong ? 100 : 3;
const parallel = 12;

/** Both sides of what goes into the database, and files that take a while. */
const sizes = [600, 4_096, 16_384, 16_385, 70_000, 900_000];

/** What the server has promised, by id: the hash of the bytes, or `gone` when nothing is there any more. */
type Promised = Map<string, string>;

/** Uploads, and now and then replaces or deletes, until the server is gone. What has no answer when it dies is in doubt. */
async function work(server: SpawnedServer, account: TestAccount, worker: string, promised: Promised): Promise<void> {
  for (let count = 0; ; count++) {
    const doing = count % 4 === 2 ? 'replace' : count % 4 === 3 ? 'delete' : 'add';
    const bytes = someBytes(sizes[randomInt(sizes.length)]);
    const name = `${worker}-${doing === 'add' ? count : count - 2}`;
    const id = `pub/${account.id}/${name}.png`;
    promised.delete(id);
    try {
      const { status } = await (doing === 'delete'
        ? deleteFiles(server, account, [id])
        : uploadFile(server, account, name, bytes));
      expect(status).toBe(200);
      promised.set(id, doing === 'delete' ? 'gone' : sha256(bytes));
    } catch (error) {
      if (error instanceof TypeError) return; // fetch: the connection is gone
      throw error;
    }
  }
}

async function findWrong(server: SpawnedServer, promised: Promised): Promise<string[]> {
  const wrong: string[] = [];
  const ids = [...promised];
  const check = async () => {
    for (let next = ids.pop(); next; next = ids.pop()) {
      const [id, hash] = next;
      const { status, bytes } = await fetchFile(server, id);
      if (hash === 'gone' ? status !== 404 : status !== 200 || sha256(bytes) !== hash) wrong.push(`${id}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, check));
  return wrong;
}

describe(`a server that is killed during uploads (${rounds} rounds)`, () => {
  let server: SpawnedServer | undefined;
  afterAll(() => server?.remove());

  it(
    'has every answered file when it starts again, and nothing half done',
    { timeout: 30_000 + rounds * 10_000 },
    async () => {
      server = await spawnServer();
      const first = server;
      const account = await server.account();
      let files = 0;
      let inDoubt = 0;
      for (let round = 0; round < rounds; round++) {
        const promised: Promised = new Map();
        const working = Promise.all(
          Array.from({ length: parallel }, (_, worker) => work(server!, account, `${round}-${worker}`, promised)),
        );
        await sleep(150 + randomInt(350));
        // On a busy machine that is too soon to have promised much.
        while (promised.size <= parallel) await sleep(10);
        inDoubt += readDataFolder(first.dataDir).reservations;
        await server.kill();
        await working;
        files += promised.size;

        server = await spawnServer({ dataDir: first.dataDir });
        expect(readDataFolder(first.dataDir, { bytes: round % 10 === 0 }).problems, `round ${round}`).toEqual([]);
        expect(await findWrong(server, promised), `round ${round}`).toEqual([]);
      }
      console.log(
        `${rounds} kills: ${files} answered files and deletions held; ${inDoubt} larger uploads were under way`,
      );
      expect(files).toBeGreaterThan(rounds * parallel);
      await server.kill();
      await first.remove();
    },
  );
});
