import { randomInt } from 'node:crypto';

import { expect } from 'vitest';

import { sha256, someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { deleteFiles, fetchFile, uploadFile } from './client.ts';
import { allEnded, clients, isBrokenOff, type CrashWork } from './crash-work.ts';
import type { SpawnedServer } from './spawned-server.ts';

const parallel = clients(12);

/** Sizes below and above the limit of files in the database, and files that take a while. */
const sizes = [600, 4_096, 16_384, 16_385, 70_000, 900_000];

/** The server's promises by id: the hash of the bytes, or `gone` for a deleted file. */
type Promised = Map<string, string>;

/** Uploads, replaces and deletes files. Every acknowledged change must stay. */
export function uploadWork(account: TestAccount): CrashWork {
  let round = 0;
  let held = 0;
  let promised: Promised;
  return {
    async begin(server) {
      promised = new Map();
      round++;
      const enough = Promise.withResolvers<void>();
      const answered = () => promised.size > parallel && enough.resolve();
      const workers = Array.from({ length: parallel }, (_, worker) =>
        work(server, account, `${round}-${worker}`, promised, answered),
      );
      return { enough: enough.promise, ended: allEnded(workers) };
    },
    async check(server) {
      const wrong = await findWrong(server, promised);
      if (wrong.length > 0) return wrong;
      held += promised.size;
      const ids = [...promised].filter(([, hash]) => hash !== 'gone').map(([id]) => id);
      // Otherwise a hundred rounds would fill the disk.
      while (ids.length > 0) expect((await deleteFiles(server, account, ids.splice(0, 100))).status).toBe(200);
      return wrong;
    },
    summary: () => `${held} answered files and deletions held`,
  };
}

/** Uploads, and sometimes replaces or deletes, until the server is gone. A request without a response is in doubt. */
async function work(
  server: SpawnedServer,
  account: TestAccount,
  worker: string,
  promised: Promised,
  answered: () => void,
): Promise<void> {
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
    } catch (error) {
      if (isBrokenOff(error)) return;
      throw error;
    }
    promised.set(id, doing === 'delete' ? 'gone' : sha256(bytes));
    answered();
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
