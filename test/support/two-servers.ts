import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createAccount } from '#server/domain/access/create-account.ts';
import type { Plan } from '#server/domain/plan.ts';
import type { Overrides } from '#server/compose/overrides.ts';
import { parseConfig } from '#server/config/config.ts';
import { openLog } from '#server/log.ts';
import { startServer, type RunningServer } from '#server/start.ts';
import { ask, type Answer } from '#test/faults/client.ts';
import { freshDatabase } from './postgres/postgres.ts';
import { relaxed } from './postgres/time-limits.ts';
import { fileBlobs, type StoredBlobs } from './stored.ts';

/** A request of a test: a path and what `fetch()` takes. */
export interface PairRequest extends RequestInit {
  readonly credential?: string;
  readonly door?: 'api' | 'files' | 'public';
}

/** Two servers of this process over one PostgreSQL database and one folder of bytes. */
export interface TwoServers {
  readonly servers: readonly [RunningServer, RunningServer];
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly blobs: StoredBlobs;
  /** All log lines of both, parsed. */
  readonly log: ReadonlyArray<Record<string, unknown>>;
  /** Sends a request to the first server for an even index, and to the second one for an odd index. */
  send(index: number, path: string, request?: PairRequest): Promise<Answer>;
  account(plan?: Plan): Promise<{ readonly id: string; readonly credential: string; readonly keyId: string }>;
  stop(): Promise<void>;
}

/** Starts the servers with their real clock. Rate limits are on if `env` says so. */
export async function startTwoServers(
  env: Readonly<Record<string, string>> = {},
  overrides: Pick<Overrides, 'reloadKeysEveryMs'> = {},
): Promise<TwoServers> {
  const [database, dataDir] = [await freshDatabase(), await mkdtemp(join(tmpdir(), 'cubby-two-'))];
  const ports = Object.fromEntries(
    ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door) => [`CUBBY_${door}_PORT`, '0']),
  );
  const config = parseConfig({
    CUBBY_DATA_DIR: dataDir,
    CUBBY_DATABASE_URL: database.url,
    CUBBY_RATE_LIMITS: 'off',
    CUBBY_LOG: 'info',
    CUBBY_MIN_FREE_BYTES: '0',
    ...ports,
    ...env,
  });
  const log: Array<Record<string, unknown>> = [];
  const start = () =>
    startServer(config, openLog(config.logLevel, { write: (line) => void log.push(JSON.parse(line)) }), {
      ...overrides,
      sync: false,
      timeLimitFactor: relaxed,
      scrypt: (real) => (text, salt) => real(text, salt, { N: 1024, r: 8, p: 1 }),
    });
  const servers = [await start(), await start()] as const;
  return {
    servers,
    dataDir,
    databaseUrl: database.url,
    blobs: fileBlobs(dataDir),
    log,
    send: (index, path, { door = 'api', ...request } = {}) => ask(servers[index % 2]!.urls[door] + path, request),
    async account(plan = 'enterprise') {
      const { accountId, key, credential } = await createAccount(servers[0].app.stores, { name: 'test', plan });
      return { id: accountId, credential, keyId: key.id };
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
