import { randomInt } from 'node:crypto';

import { expect } from 'vitest';

import { sha256, someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { ask, deleteFiles, fetchFile, type Answer } from './client.ts';
import { allEnded, clients, isBrokenOff, type CrashWork } from './crash-work.ts';
import type { SpawnedServer } from './spawned-server.ts';

const parallel = clients(12);

/** Sizes below and above the limit of files in the database, and parts that take a while. */
const sizes = [600, 16_384, 16_385, 70_000, 900_000];

/** The server's promises about one upload. */
interface Promised {
  readonly account: TestAccount;
  readonly id: string;
  readonly handle: string;
  /** The hash of the last acknowledged part, or null while a part is in doubt. */
  part: string | null;
  /** Whether the completion was acknowledged or is in doubt. */
  completion: 'none' | 'in doubt' | 'answered';
}

/**
 * Uploads files in parts. After a crash each acknowledged part and completion must be stored. Each upload must continue
 * from its last acknowledged part.
 */
export function chunkedWork(): CrashWork {
  let round = 0;
  let promised: Promised[];
  const counts = { answered: 0, open: 0, inDoubt: 0 };
  return {
    async begin(server) {
      promised = [];
      round++;
      // Each account may have 32 open uploads, and those of earlier rounds are still open.
      const accounts = await Promise.all(Array.from({ length: 3 }, () => server.account()));
      const enough = Promise.withResolvers<void>();
      const answered = () =>
        promised.filter(({ completion }) => completion === 'answered').length > parallel / 3 && enough.resolve();
      const workers = Array.from({ length: parallel }, (_, worker) =>
        work(server, accounts[worker % accounts.length]!, `${round}-${worker}`, promised, answered),
      );
      return { enough: enough.promise, ended: allEnded(workers) };
    },
    async check(server) {
      counts.answered += promised.filter(({ completion }) => completion === 'answered').length;
      counts.open += promised.filter(({ completion, part }) => completion === 'none' && part !== null).length;
      counts.inDoubt += promised.filter(({ completion, part }) => completion === 'in doubt' || part === null).length;
      const left = [...promised];
      const wrong: string[] = [];
      const finishAll = async () => {
        for (let next = left.pop(); next; next = left.pop()) wrong.push(...(await finish(server, next)));
      };
      await Promise.all(Array.from({ length: 3 }, finishAll));
      return wrong;
    },
    summary: () =>
      `${counts.answered} completions and ${counts.open} stored parts held, ${counts.inDoubt} uploads were in doubt`,
  };
}

const path = '/v1/objects/chunked';

const withBody = (
  { urls }: SpawnedServer,
  { credential }: TestAccount,
  method: string,
  body: object,
): Promise<Answer> => ask(urls.base + path, { method, credential, body: JSON.stringify(body) });

/** Starts uploads, sends the part of each once or twice, and completes two of three, until the server is gone. */
async function work(
  server: SpawnedServer,
  account: TestAccount,
  worker: string,
  promised: Promised[],
  answered: () => void,
): Promise<void> {
  try {
    for (let count = 0; ; count++) {
      const started = await ask(`${server.urls.base}${path}?name=${worker}-${count}`, {
        method: 'POST',
        credential: account.credential,
      });
      if (started.status === 429) return; // the account has 32 open uploads, which is enough
      const upload: Promised = {
        account,
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
      answered();
    }
  } catch (error) {
    if (!isBrokenOff(error)) throw error;
  }
}

/** Continues an upload from where it was, and checks the file. */
async function finish(server: SpawnedServer, { account, id, handle, part, completion }: Promised): Promise<string[]> {
  if (completion === 'none' && part === null) return []; // the part is in doubt, so it may or may not exist
  const { status, json } = await withBody(server, account, 'PATCH', { upload: handle });
  if (status !== 200) return [`${id} answers ${json.code} to its completion`];
  const file = await fetchFile(server, id);
  // Otherwise a hundred rounds would fill the disk.
  expect((await deleteFiles(server, account, [id])).status).toBe(200);
  return file.status === 200 && sha256(file.bytes) === part && json.response.sha256 === part
    ? []
    : [`${id} is ${file.status} with other bytes`];
}
