import { randomInt } from 'node:crypto';

import { expect } from 'vitest';

import { sha256, someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { ask, deleteFiles, fetchFile, type Answer } from './client.ts';
import { allEnded, clients, isBrokenOff, type CrashWork } from './crash-work.ts';
import type { SpawnedServer } from './spawned-server.ts';

const parallel = clients(9);

/** Pieces below and above the limit of bytes in the database, and enough of them that some are merged. */
const pieceSizes = [100, 3000, 16_385, 70_000, 400_000];

/** The server's promises about one upload by tus. */
interface Promised {
  readonly account: TestAccount;
  readonly address: string;
  readonly bytes: Buffer;
  /** The last offset that a response named. */
  acknowledged: number;
}

const tus = { 'Tus-Resumable': '1.0.0' };

/**
 * Appends to uploads by tus. After a crash each upload must have at least the bytes that were acknowledged, and go on
 * at the offset that the next server names, at whatever byte that is.
 */
export function serialWork(): CrashWork {
  let round = 0;
  let promised: Promised[];
  const counts = { appends: 0, beyond: 0 };
  return {
    async begin(server) {
      promised = [];
      round++;
      const accounts = await Promise.all(Array.from({ length: 3 }, () => server.account()));
      const enough = Promise.withResolvers<void>();
      let appends = 0;
      const appended = (): void => {
        counts.appends++;
        if (++appends > 2 * parallel) enough.resolve();
      };
      const workers = Array.from({ length: parallel }, (_, worker) =>
        work(server, accounts[worker % accounts.length]!, `${round}-${worker}`, promised, appended),
      );
      return { enough: enough.promise, ended: allEnded(workers) };
    },
    async check(server) {
      const wrong: string[] = [];
      for (const upload of promised) wrong.push(...(await finish(server, upload, () => counts.beyond++)));
      return wrong;
    },
    summary: () => `${counts.appends} appends held, ${counts.beyond} uploads had more than was acknowledged`,
  };
}

const send = (
  { urls }: SpawnedServer,
  { account: { credential }, address }: Pick<Promised, 'account' | 'address'>,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  body?: Uint8Array,
): Promise<Answer> =>
  ask(urls.base + address, {
    method,
    credential,
    headers: { ...tus, ...headers },
    ...(body && { body: body as Uint8Array<ArrayBuffer> }),
  });

function append(
  server: SpawnedServer,
  upload: Promised,
  offset: number,
  to: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const all = { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream', ...headers };
  return send(server, upload, 'PATCH', all, upload.bytes.subarray(offset, to));
}

/** Starts uploads without a known length and appends pieces to them, until the server is gone. */
async function work(
  server: SpawnedServer,
  account: TestAccount,
  worker: string,
  promised: Promised[],
  appended: () => void,
): Promise<void> {
  try {
    for (let count = 0; count < 3; count++) {
      const address = `/v1/uploads?name=tus-${worker}-${count}`;
      const made = await send(server, { account, address }, 'POST', { 'Upload-Defer-Length': '1' });
      expect(made.status).toBe(201);
      const bytes = someBytes(2_000_000);
      const upload: Promised = { account, address: made.headers.get('location')!, bytes, acknowledged: 0 };
      promised.push(upload);
      for (let offset = 0; offset < bytes.length - 400_000; offset = upload.acknowledged) {
        const answer = await append(server, upload, offset, offset + pieceSizes[randomInt(pieceSizes.length)]!);
        expect(answer.status).toBe(204);
        upload.acknowledged = Number(answer.headers.get('upload-offset'));
        appended();
      }
    }
  } catch (error) {
    if (!isBrokenOff(error)) throw error;
  }
}

/** Goes on where the server says, and checks the file. */
async function finish(server: SpawnedServer, upload: Promised, hasMore: () => void): Promise<string[]> {
  const { account, address, bytes, acknowledged } = upload;
  const { status, headers } = await send(server, upload, 'HEAD');
  const offset = Number(headers.get('upload-offset') ?? NaN);
  if (status !== 200 || !(offset >= acknowledged && offset <= bytes.length))
    return [`${address} is ${status} at ${offset}, and ${acknowledged} bytes were acknowledged`];
  if (offset > acknowledged) hasMore();
  const done = await append(server, upload, offset, bytes.length, { 'Upload-Length': String(bytes.length) });
  const id = done.headers.get('x-cubby-object');
  if (done.status !== 204 || id === null) return [`${address} answers ${done.status} to its last bytes`];
  const file = await fetchFile(server, id);
  expect((await deleteFiles(server, account, [id])).status).toBe(200);
  return file.status === 200 && sha256(file.bytes) === sha256(bytes)
    ? []
    : [`${id} is ${file.status} with other bytes`];
}
