import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { sha256, someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { ask, fetchFile, type Answer } from './client.ts';
import { readDataFolder } from './data-folder.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const rounds = isLong ? 100 : 2;
const parallel = 12;

/** Both sides of what goes into the database, and parts that take a while. */
const sizes = [600, 16_384, 16_385, 70_000, 900_000];

/** What a server has promised of one upload. */
interface Promised {
  readonly id: string;
  readonly handle: string;
  /** The hash of the part that was answered last; null while one is in doubt. */
  part: string | null;
  /** Whether the completion was answered, or is in doubt. */
  completion: 'none' | 'in doubt' | 'answered';
}

const path = '/v1/objects/chunked';

const withBody = (
  { urls }: SpawnedServer,
  { credential }: TestAccount,
  method: string,
  body: object,
): Promise<Answer> => ask(urls.base + path, { method, credential, body: JSON.stringify(body) });

/** Starts uploads, sends their one part once or twice, and completes two of three, until the server is gone. */
async function work(server: SpawnedServer, account: TestAccount, worker: string, promised: Promised[]): Promise<void> {
  try {
    for (let count = 0; ; count++) {
      const started = await ask(`${server.urls.base}${path}?name=${worker}-${count}`, {
        method: 'POST',
        credential: account.credential,
      });
      if (started.status === 429) return; // 32 are open: enough
      const upload: Promised = {
        id: started.json.response.id,
        handle: started.json.response.upload,
        part: null,
        completion: 'none',
      };
      promised.push(upload);
      for (let time = 0; time <= count % 2; time++) {
        const bytes = someBytes(sizes[randomInt(sizes.length)]);
        upload.part = null;
        const { status } = await ask(`${server.urls.base}${path}?upload=${upload.handle}&part=1`, {
          method: 'PUT',
          credential: account.credential,
          body: bytes as Uint8Array<ArrayBuffer>,
        });
        expect(status).toBe(200);
        upload.part = sha256(bytes);
      }
      if (count % 3 === 1) continue;
      upload.completion = 'in doubt';
      expect((await withBody(server, account, 'PATCH', { upload: upload.handle })).status).toBe(200);
      upload.completion = 'answered';
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // fetch: the connection is gone
  }
}

/** Goes on with each upload where it was, and looks at the file. */
async function finish(
  server: SpawnedServer,
  account: TestAccount,
  { id, handle, part, completion }: Promised,
): Promise<string[]> {
  if (completion === 'none' && part === null) return []; // the part is in doubt: there may be one or none
  const { status, json } = await withBody(server, account, 'PATCH', { upload: handle });
  if (status !== 200) return [`${id} answers ${json.code} to its completion`];
  const file = await fetchFile(server, id);
  return file.status === 200 && sha256(file.bytes) === part && json.response.sha256 === part
    ? []
    : [`${id} is ${file.status} with other bytes`];
}

describe(`a server that is killed during chunked uploads (${rounds} rounds)`, () => {
  let server: SpawnedServer | undefined;
  afterAll(() => server?.remove());

  it(
    'has every answered part and completion when it starts again, goes on with them, and has nothing half done',
    { timeout: 30_000 + rounds * 10_000 },
    async () => {
      server = await spawnServer();
      const first = server;
      const counts = { answered: 0, open: 0, inDoubt: 0 };
      for (let round = 0; round < rounds; round++) {
        const accounts = await Promise.all(Array.from({ length: 3 }, () => server!.account()));
        const promised = accounts.map((): Promised[] => []);
        const working = Promise.all(
          Array.from({ length: parallel }, (_, worker) =>
            work(server!, accounts[worker % 3]!, `${round}-${worker}`, promised[worker % 3]!),
          ),
        );
        // However slow the machine is, some have been answered by then.
        await expect
          .poll(() => promised.flat().filter(({ completion }) => completion === 'answered').length, {
            timeout: 20_000,
            interval: 20,
          })
          .toBeGreaterThan(4);
        await sleep(randomInt(300));
        await server.kill();
        await working;

        server = await spawnServer({ dataDir: first.dataDir });
        expect(readDataFolder(first.dataDir).problems, `round ${round}`).toEqual([]);
        const all = promised.flat();
        counts.answered += all.filter(({ completion }) => completion === 'answered').length;
        counts.open += all.filter(({ completion, part }) => completion === 'none' && part !== null).length;
        counts.inDoubt += all.filter(({ completion, part }) => completion === 'in doubt' || part === null).length;
        const wrong = await Promise.all(
          promised.map(async (uploads, at) => {
            const found: string[] = [];
            for (const upload of uploads) found.push(...(await finish(server!, accounts[at]!, upload)));
            return found;
          }),
        );
        expect(wrong.flat(), `round ${round}`).toEqual([]);
        expect(readDataFolder(first.dataDir, { bytes: true }).problems, `round ${round}`).toEqual([]);
      }
      console.log(
        `${rounds} kills: ${counts.answered} completions and ${counts.open} stored parts held; ${counts.inDoubt} uploads were in doubt`,
      );
      expect(counts.answered + counts.open).toBeGreaterThan(rounds * 4);
      await server.kill();
      await first.remove();
    },
  );
});
