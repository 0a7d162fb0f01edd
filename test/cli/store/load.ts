import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { chunking, partBytes } from '#test/support/chunked.ts';
import { sha256, someBytes, upload } from '#test/support/files.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';

/** What clients were told that the server has stored. */
export interface Load {
  /** The SHA-256 of each file by its id. */
  readonly files: Map<string, string>;
  readonly deleted: Set<string>;
  /** The parts of uploads that were not completed, by the upload. */
  readonly open: Map<string, Buffer[]>;
  /** How many requests succeeded, and the responses of those that did not. */
  done: number;
  readonly refused: TestAnswer[];
  /** Stops the clients, and resolves when their last request has ended. */
  stop(): Promise<void>;
}

/** Uploads, deletions, links, updates and parts of several clients of one account, until they are stopped. */
export function startLoad(server: TestServer, account: TestAccount, pauseMs = 5): Load {
  let isStopped = false;
  const load: Load = {
    files: new Map(),
    deleted: new Set(),
    open: new Map(),
    done: 0,
    refused: [],
    async stop() {
      isStopped = true;
      await Promise.all(clients);
    },
  };
  const clients = [1, 2, 3].map(async (client) => {
    for (let turn = 0; !isStopped; turn++) {
      try {
        await clientTurn(server, account, load, `client-${client}-${turn}`);
      } catch (error) {
        // A test that failed has stopped its server.
        if (error instanceof TypeError && error.message === 'fetch failed') return;
        throw error;
      }
      await sleep(pauseMs);
    }
  });
  return load;
}

async function clientTurn(server: TestServer, account: TestAccount, load: Load, name: string): Promise<void> {
  const noted = (answer: TestAnswer) => {
    if (answer.status < 400) load.done += 1;
    else load.refused.push(answer);
    return answer.status < 400;
  };
  // Small files are in rows, larger ones are blobs.
  const bytes = someBytes([600, 9_000, 40_000, 200_000][randomInt(4)]);
  const stored = await upload(server, account, { bytes, query: { name, private: 'true', hash: 'true' } });
  if (!noted(stored)) return;
  const { id } = stored.json().response;
  await useAndDelete(server, account, load, { id, name, noted });
  // Noted last, so that no other client deletes it while this one uses it.
  load.files.set(id, sha256(bytes));
}

/** Does something with a new file, or deletes an older one. */
async function useAndDelete(
  server: TestServer,
  account: TestAccount,
  load: Load,
  { id, name, noted }: { readonly id: string; readonly name: string; readonly noted: (answer: TestAnswer) => boolean },
): Promise<void> {
  const { credential } = account;
  const body = (object: object) => ({ method: 'POST', credential, body: JSON.stringify(object) });
  const [oldest] = load.files;
  switch (randomInt(4)) {
    case 0: {
      if (!oldest) return;
      // Taken before, so that no other client deletes it too.
      const [before, hash] = oldest;
      load.files.delete(before);
      if (noted(await server.send('/v1/objects', { ...body({ objects: [before] }), method: 'DELETE' })))
        load.deleted.add(before);
      else load.files.set(before, hash);
      return;
    }
    case 1:
      return void noted(await server.send('/v1/shares', body({ object: id, expires_in: 3600, max_downloads: 3 })));
    case 2:
      return void noted(
        await server.send('/v1/objects', { ...body({ objects: [id], metadata: { turn: name } }), method: 'PATCH' }),
      );
    default:
      if (load.open.size < 3) await openUpload(server, account, load, noted);
  }
}

async function openUpload(
  server: TestServer,
  account: TestAccount,
  load: Load,
  noted: (answer: TestAnswer) => boolean,
): Promise<void> {
  const chunked = chunking(() => server);
  const started = await chunked.start(account, { name: `big-${load.open.size}` });
  if (!noted(started)) return;
  const part = someBytes(partBytes);
  const { upload: handle } = started.json().response;
  if (noted(await chunked.put(account, handle, 1, part))) load.open.set(handle, [part]);
}
