import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { ask, type Answer } from '#test/faults/client.ts';
import { isBrokenOff } from '#test/faults/crash-work.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';

export interface ReplicasOptions {
  /** The database address of each replica, so also their number. */
  readonly databaseUrls: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** How far the clock of each replica is off. */
  readonly clockOffsetsMs?: readonly number[];
  readonly sync?: boolean;
}

export interface RetryOptions {
  /** Asks this replica only. Default: any, and after a failure another one. */
  readonly at?: number;
  /** How long a request is repeated. Default: a minute. */
  readonly forMs?: number;
}

/** A request of a test: the path and the door in front of it, and what `fetch()` takes. */
export interface ReplicaRequest extends RequestInit {
  readonly credential?: string;
  readonly door?: 'api' | 'files' | 'public';
}

/** Several servers as processes over the same stores, and a client that knows them all. */
export interface Replicas {
  readonly count: number;
  readonly dataDir: string;
  at(index: number): SpawnedServer;
  /**
   * Sends a request to one of them. If the connection breaks or the response is 503, it asks another one, as clients
   * behind a load balancer do.
   *
   * @throws if a replica fails that was alive all the time, or if nobody answers for a minute
   */
  send(path: string, request?: ReplicaRequest, options?: RetryOptions): Promise<Answer>;
  /** Kills a replica with SIGKILL, and starts it again. */
  kill(index: number): Promise<void>;
  /**
   * Replaces a replica by one of another version: it is started beside the old one, which then gets no new requests and
   * is stopped. If it does not start, the old one goes on.
   *
   * @param entry of the version's server
   */
  replace(index: number, entry: string | undefined): Promise<void>;
  /** How many requests have been sent a second time. */
  readonly retries: number;
  close(): Promise<void>;
}

/** As after SIGTERM. Requests that were on their way to it arrive in this time. */
const drainMs = 1_000;

/** Starts the replicas. They share a folder for bytes, as on a shared disk, and a master key. */
export async function startReplicas(options: ReplicasOptions): Promise<Replicas> {
  const { databaseUrls, env = {}, clockOffsetsMs = [], sync = false } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'cubby-replicas-'));
  const masterKey = randomBytes(32).toString('hex');
  /** The version of each replica. */
  const entries: Array<string | undefined> = databaseUrls.map(() => undefined);
  const start = (index: number, entry: string | undefined) =>
    spawnServer({
      dataDir,
      sync,
      ...(entry !== undefined && { entry }),
      clockOffsetMs: clockOffsetsMs[index] ?? 0,
      env: { CUBBY_DATABASE_URL: databaseUrls[index]!, CUBBY_MASTER_KEY: masterKey, ...env },
    });
  const servers: SpawnedServer[] = [];
  // The first one brings the database up to date.
  for (const index of databaseUrls.keys()) servers.push(await start(index, undefined));
  /** How often each was killed, so that a failed request can tell whether its replica lived through it. */
  const kills = servers.map(() => 0);
  const dead = new Set<number>();
  let retries = 0;
  let restarting: Promise<void> | undefined;

  const someLiving = (other?: number): number => {
    const living = [...servers.keys()].filter((index) => !dead.has(index));
    const others = living.filter((index) => index !== other);
    const from = others.length > 0 ? others : living;
    return from[randomInt(from.length)]!;
  };

  return {
    count: servers.length,
    dataDir,
    at: (index) => servers[index]!,
    get retries() {
      return retries;
    },
    async send(path, { door = 'api', ...request } = {}, { at, forMs = 60_000 } = {}) {
      const deadline = Date.now() + forMs;
      let index = at ?? someLiving();
      for (;;) {
        const killsBefore = kills[index]!;
        let failure: unknown;
        try {
          const answer = await ask(servers[index]!.urls[door] + path, request);
          if (answer.status !== 503 || Date.now() > deadline) return answer;
          if (answer.headers.get('retry-after') === null) throw new Error(`${path} got 503 without Retry-After`);
          failure = `${answer.status} ${answer.bytes}`;
        } catch (error) {
          if (!isBrokenOff(error)) throw error;
          if (kills[index] === killsBefore && !dead.has(index))
            throw new Error(`${request.method ?? 'GET'} ${path}: a living replica broke the connection`, {
              cause: error,
            });
          failure = error;
        }
        if (Date.now() > deadline) throw new Error(`${path} was not answered in time`, { cause: failure });
        retries++;
        await sleep(20);
        index = at ?? someLiving(index);
      }
    },
    kill(index) {
      const restart = async () => {
        kills[index]!++;
        dead.add(index);
        await servers[index]!.kill();
        servers[index] = await start(index, entries[index]);
        dead.delete(index);
      };
      return (restarting = restart());
    },
    async replace(index, entry) {
      const [old, next] = [servers[index]!, await start(index, entry)];
      entries[index] = entry;
      servers[index] = next;
      await old.stop(drainMs);
    },
    async close() {
      // A test that failed meanwhile may not have waited for it.
      await Promise.allSettled([restarting]);
      await Promise.all(servers.map((server) => server.remove()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
