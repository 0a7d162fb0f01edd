import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Clock } from '#server/domain/ports/clock.ts';
import type { Replicas, ReplicaState } from '#server/domain/ports/replicas.ts';
import type { ServerName } from './engine.ts';
import { isRunning } from './is-running.ts';
import { ifMissing } from './system/private-modes.ts';

/** What commands learn about the server of their data folder. */
type Noted = Pick<ReplicaState, 'id' | 'host' | 'version' | 'startedAt'> & { readonly pid: number };

interface LocalReplica extends Replicas {
  /** Removes what commands read. */
  leave(): void;
}

/**
 * The only server of a data folder. It notes itself in the file `server.json`, for commands. The file is not synced, and
 * the server runs without it.
 */
export async function localReplica(
  dataDir: string,
  { clock, server }: { readonly clock: Clock; readonly server: ServerName | undefined },
): Promise<LocalReplica> {
  const path = join(dataDir, 'server.json');
  const own: Noted | undefined = server && {
    id: randomUUID(),
    ...server,
    startedAt: clock.now(),
    pid: process.pid,
  };
  // A full disk is no reason not to start.
  if (own) await writeFile(path, JSON.stringify(own), { mode: 0o600 }).catch(() => {});
  return {
    async list() {
      const noted = own ?? (await read(path));
      if (!noted || !isRunning(noted.pid)) return [];
      const { pid: _, ...replica } = noted;
      return [{ ...replica, seenAt: clock.now(), leases: [], pool: null, link: null }];
    },
    ownLink: undefined,
    leave() {
      if (own) rmSync(path, { force: true });
    },
  };
}

async function read(path: string): Promise<Noted | undefined> {
  const text = await readFile(path, 'utf8').catch(ifMissing);
  try {
    const { id, host, version, startedAt, pid }: Noted = JSON.parse(text ?? '');
    const isWhole = [id, host, version].every((one) => typeof one === 'string') && Number.isSafeInteger(startedAt);
    return isWhole && Number.isSafeInteger(pid) ? { id, host, version, startedAt, pid } : undefined;
  } catch {
    return undefined;
  }
}
