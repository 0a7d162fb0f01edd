import { randomInt } from 'node:crypto';

import { expect } from 'vitest';

import { sha256, someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { ask, deleteFiles, uploadFile, type Answer } from './client.ts';
import { allEnded, isBrokenOff, type CrashWork } from './crash-work.ts';
import type { SpawnedServer } from './spawned-server.ts';

const parallel = 3;
const sizes = [600, 70_000];
const maxDownloads = 5;

/** The server's promises about one link. */
interface Promised {
  readonly id: string;
  readonly object: string;
  readonly hash: string;
  /** Acknowledged downloads. */
  downloads: number;
  state: 'live' | 'in doubt' | 'revoked';
}

/**
 * Creates links, downloads from them and revokes them. A link must stay, its downloads must stay counted, and a revoked
 * link must stay revoked.
 */
export function shareWork(account: TestAccount): CrashWork {
  let round = 0;
  const counts = { live: 0, downloads: 0, revoked: 0 };
  let promised: Promised[];
  return {
    async begin(server) {
      promised = [];
      round++;
      const enough = Promise.withResolvers<void>();
      const answered = () => promised.some(({ state }) => state === 'revoked') && enough.resolve();
      const workers = Array.from({ length: parallel }, (_, worker) =>
        work(server, account, `shared-${round}-${worker}`, promised, answered),
      );
      return { enough: enough.promise, ended: allEnded(workers) };
    },
    async check(server) {
      const remaining = await remainingDownloads(server, account);
      const wrong: string[] = [];
      for (const share of promised) {
        counts.downloads += share.downloads;
        if (share.state === 'live') counts.live++;
        if (share.state === 'revoked') counts.revoked++;
        wrong.push(...(await findWrong(server, share, remaining.get(share.id))));
      }
      if (wrong.length > 0) return wrong;
      // The links go with their files.
      const objects = promised.map(({ object }) => object);
      while (objects.length > 0) expect((await deleteFiles(server, account, objects.splice(0, 100))).status).toBe(200);
      return [];
    },
    summary: () =>
      `${counts.live} links with ${counts.downloads} counted downloads and ${counts.revoked} revocations held`,
  };
}

/** Uploads a file, creates a link, downloads a few times and revokes each second one, until the server is gone. */
async function work(
  server: SpawnedServer,
  account: TestAccount,
  name: string,
  promised: Promised[],
  answered: () => void,
): Promise<void> {
  try {
    for (let count = 0; ; count++) {
      const bytes = someBytes(sizes[randomInt(sizes.length)]);
      const uploaded = await uploadFile(server, account, `${name}-${count}`, bytes, { private: 'true' });
      expect(uploaded.status).toBe(200);
      const object: string = uploaded.json.response.id;
      const created = await withBody(server, account, 'POST', { object, max_downloads: maxDownloads });
      expect(created.status).toBe(201);
      const { id } = created.json.response;
      const share: Promised = { id, object, hash: sha256(bytes), downloads: 0, state: 'live' };
      promised.push(share);
      for (let time = 0; time < count % 3; time++) {
        expect((await download(server, id, `${time}`)).status).toBe(200);
        share.downloads++;
      }
      if (count % 2 === 0) continue;
      share.state = 'in doubt';
      expect((await withBody(server, account, 'DELETE', { id })).status).toBe(200);
      share.state = 'revoked';
      answered();
    }
  } catch (error) {
    if (!isBrokenOff(error)) throw error;
  }
}

/** Each visitor uses a download of its own. */
function download({ urls }: SpawnedServer, id: string, visitor: string): Promise<Answer> {
  return ask(`${urls.files}/s/${id}`, { headers: { 'User-Agent': `visitor ${visitor}` } });
}

function withBody({ urls }: SpawnedServer, { credential }: TestAccount, method: string, body: object): Promise<Answer> {
  return ask(`${urls.base}/v1/shares`, { method, credential, body: JSON.stringify(body) });
}

async function remainingDownloads(
  { urls }: SpawnedServer,
  { credential }: TestAccount,
): Promise<ReadonlyMap<string, number>> {
  const { json } = await ask(`${urls.base}/v1/shares`, { credential });
  return new Map(
    json.response.shares.map((share: { id: string; remaining_downloads: number }) => [
      share.id,
      share.remaining_downloads,
    ]),
  );
}

async function findWrong(
  server: SpawnedServer,
  { id, hash, downloads, state }: Promised,
  remaining: number | undefined,
): Promise<string[]> {
  if (state === 'in doubt') return [];
  const { status, bytes } = await download(server, id, 'after the restart');
  if (state === 'revoked') return status === 404 ? [] : [`a revoked link answers ${status}`];
  if (status !== 200 || sha256(bytes) !== hash) return [`a link answers ${status}`];
  return remaining !== undefined && remaining <= maxDownloads - downloads
    ? []
    : [`a link allows ${remaining} of ${maxDownloads} downloads after ${downloads}`];
}
