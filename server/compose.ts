import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';

import { authenticate } from '#server/domain/access/authenticate.ts';
import { credentialOf } from '#server/domain/access/credential.ts';
import { noteKeyUse } from '#server/domain/access/note-key-use.ts';
import { parseDownloadToken } from '#server/domain/links/download-link.ts';
import { watchClock } from '#server/domain/jobs/watch-clock.ts';
import { hashContents } from '#server/domain/objects/hash-contents.ts';
import { openPublicObject } from '#server/domain/objects/open-public-object.ts';
import { readContent } from '#server/domain/objects/read-content.ts';
import { abandonReservations, reapBlobs } from '#server/domain/objects/reap-blobs.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { giveBackHeldUses } from '#server/domain/upload-tokens/hold-use.ts';
import { compileTrusted } from '#server/http/client-address.ts';
import type { ProtocolFault } from '#server/http/protocol-errors.ts';
import type { Config, DoorName } from './config.ts';
import { apiDoor } from './doors/api-door.ts';
import { filesDoor } from './doors/files-door.ts';
import { RequestLimits } from './doors/limits.ts';
import { operationHandle } from './doors/operation.ts';
import { meaningOf } from './doors/render.ts';
import { publicDoor } from './doors/public-door.ts';
import { s3Door } from './doors/s3/s3-door.ts';
import { ShapeChecker } from './doors/shape.ts';
import { activityFieldChecks, activityHandlers } from './handlers/activity.ts';
import { chunkedFieldChecks, chunkedHandlers } from './handlers/chunked.ts';
import { deliveryHandlers } from './handlers/delivery.ts';
import { keysFieldChecks, keysHandlers } from './handlers/keys.ts';
import { notImplemented } from './handlers/not-implemented.ts';
import { objectsChangesHandlers } from './handlers/objects-changes.ts';
import { objectsFieldChecks, objectsHandlers } from './handlers/objects.ts';
import { operationsHandlers } from './handlers/operations.ts';
import { settingsFieldChecks, settingsHandlers } from './handlers/settings.ts';
import { statsHandlers } from './handlers/stats.ts';
import { uploadTokensFieldChecks, uploadTokensHandlers } from './handlers/upload-tokens.ts';
import { reaper } from './jobs/reaper.ts';
import { schedule, type Schedule } from './jobs/schedule.ts';
import type { Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { FilesystemBlobStore } from './stores/filesystem/blobs.ts';
import { MemoryListPages } from './stores/memory/list-pages.ts';
import { MemoryRateLimits } from './stores/memory/rate-limits.ts';
import { MemorySlots } from './stores/memory/slots.ts';
import { MemoryStatsCache } from './stores/memory/stats-cache.ts';
import { Connections, openWriter } from './stores/sqlite/connection.ts';
import { SqliteMetadata } from './stores/sqlite/metadata.ts';
import { migrate } from './stores/sqlite/migrations.ts';
import { acquireProcessLock } from './stores/sqlite/process-lock.ts';
import { noCdn } from './stores/system/no-cdn.ts';
import { systemClock } from './stores/system/clock.ts';
import { randomIds } from './stores/system/ids.ts';
import { masterKeyOf } from './stores/system/master-key.ts';
import { masterSecrets } from './stores/system/secrets.ts';

const root = join(import.meta.dirname, '..');

/** What tests put in the place of the real thing. */
export interface Overrides {
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** The clock that never jumps; without it, one that goes with `clock` where that is given. */
  readonly monotonicMs?: () => number;
  /** Wraps the real stores, for instance to let them fail. */
  readonly blobs?: (real: BlobStore) => BlobStore;
  readonly metadata?: (real: Metadata) => Metadata;
  /** Wraps the listener of each door, for instance to look at its answers. */
  readonly door?: (name: DoorName, real: RequestListener) => RequestListener;
  /** `false` leaves every fsync out, for the test that proves that it notices. */
  readonly sync?: boolean;
}

/** The stores and what hangs on the master key: all that operator commands need. */
export interface Stores {
  readonly metadata: Metadata;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly metrics: Metrics;
  close(): Promise<void>;
}

/**
 * Opens the stores of a data folder, bringing the database up to date first. Several processes may do so at once: the
 * server and operator commands.
 */
export async function openStores(config: Config, log: Log, overrides: Overrides = {}): Promise<Stores> {
  const { clock = systemClock, ids = randomIds, sync = true } = overrides;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const masterKey = await masterKeyOf(config.dataDir, config.masterKey, !hasStores(config));
  const metrics = createMetrics();
  const database = databaseOf(config);
  migrateDatabase(database, sync);
  const connections = new Connections(database, { sync });
  const files = await FilesystemBlobStore.open(join(config.dataDir, 'blobs'), { sync });
  const blobs = overrides.blobs?.(files) ?? files;
  const reaping = reaper({ run: () => reapBlobs({ metadata, blobs }), onFault: (error) => log.error({ job: 'reap-blobs', error }, 'fault') });
  const sqlite = new SqliteMetadata(connections, {
    now: () => clock.now(),
    onFault: (error) => log.error({ error }, 'fault'),
    onCommit: metrics.committed,
    onDoomed: reaping.nudge,
  });
  const metadata = overrides.metadata?.(sqlite) ?? sqlite;
  return {
    metadata,
    blobs,
    secrets: masterSecrets(masterKey),
    ids,
    clock,
    metrics,
    async close() {
      await reaping.stop();
      await sqlite.close();
      connections.close();
    },
  };
}

/** Whether the data folder holds a database already. */
export function hasStores(config: Config): boolean {
  return existsSync(databaseOf(config));
}

/** Brings the database of a data folder up to date, as every start does; `applied` names what was missing. */
export async function migrateStores(config: Config): Promise<{ readonly applied: readonly string[]; readonly version: number }> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  // The key comes first: a database without one is a folder that has lost it.
  await masterKeyOf(config.dataDir, config.masterKey, !hasStores(config));
  return migrateDatabase(databaseOf(config));
}

function databaseOf({ dataDir }: Config): string {
  return join(dataDir, 'cubby.db');
}

function migrateDatabase(path: string, sync = true): ReturnType<typeof migrate> {
  const writer = openWriter(path, sync);
  try {
    return migrate(writer);
  } finally {
    writer.close();
  }
}

/** The envelope for what never became a request. */
export function protocolError(fault: ProtocolFault): unknown {
  const codes = { malformed: 'MALFORMED_REQUEST', 'headers-too-large': 'HEADERS_TOO_LARGE', timeout: 'REQUEST_TIMEOUT' } as const;
  const code = codes[fault];
  return { status: 'error', code, message: meaningOf('envelope', code).message };
}

/** The server of one data folder, without its sockets. */
export interface App {
  readonly stores: Stores;
  readonly doors: Readonly<Record<DoorName, RequestListener>>;
  readonly jobs: Schedule;
  /** From now on `/readyz` answers 503, so that a load balancer sends requests elsewhere. */
  beginStop(): void;
  close(): Promise<void>;
}

export type Urls = Readonly<Record<DoorName | 'base', string>>;

/**
 * Builds the server. It alone owns the data folder until `close`.
 *
 * @param urls the addresses that clients see; links are built from these alone
 */
export async function compose(config: Config, urls: Urls, log: Log, overrides: Overrides = {}): Promise<App> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const lock = acquireProcessLock(join(config.dataDir, 'server.lock'));
  try {
    const stores = await openStores(config, log, overrides);
    await recover(stores, log);
    const stopping = new AbortController();
    const { signal } = stopping;
    const hashing = reaper({ run: () => hashContents({ ...stores, signal }), onFault: (error) => log.error({ job: 'hash-contents', error }, 'fault') });
    const { doors, beginStop } = await openDoors(config, urls, log, stores, hashing.nudge);
    const jobs = startJobs(stores, log, overrides, signal);
    // What an earlier process left without its SHA-256.
    hashing.nudge();
    const { door = (_name: DoorName, real: RequestListener) => real } = overrides;
    return {
      stores,
      doors: { api: door('api', doors.api), files: door('files', doors.files), public: door('public', doors.public), s3: door('s3', doors.s3) },
      jobs,
      beginStop,
      async close() {
        stopping.abort();
        await jobs.stop();
        await hashing.stop();
        await stores.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Clears up what an earlier process left when it was cut off. */
async function recover({ metadata, blobs }: Stores, log: Log): Promise<void> {
  const abandoned = await abandonReservations({ metadata });
  const uses = await giveBackHeldUses({ metadata });
  const leftovers = blobs instanceof FilesystemBlobStore ? await blobs.sweepTemporaries() : 0;
  // A blob that cannot be removed now is found again later; it is no reason not to serve.
  const reaped = await reapBlobs({ metadata, blobs }).catch((error: unknown) => {
    log.error({ job: 'reap-blobs', error }, 'fault');
    return 0;
  });
  if (abandoned + leftovers + reaped + uses > 0) log.info({ abandoned_uploads: abandoned, temporary_files: leftovers, removed_blobs: reaped, returned_token_uses: uses }, 'recovered');
}

/** From now on the background jobs run by themselves. */
function startJobs({ metadata, blobs, clock }: Stores, log: Log, overrides: Overrides, signal: AbortSignal): Schedule {
  const monotonicMs = overrides.monotonicMs ?? (overrides.clock ? () => clock.now() : () => performance.now());
  return schedule({
    metadata,
    blobs,
    signal,
    readClock: watchClock({ metadata, clock, monotonicMs }),
    onWaiting: ({ byMs }) =>
      log.error({ jumped_by_hours: Math.round(byMs / 3_600_000) }, 'THE CLOCK HAS JUMPED: nothing is deleted by itself until an operator says that it is right, with "cubby jobs confirm-clock"'),
    onDone: (job, count) => log.info({ job, count }, 'job done'),
    onFault: (job, error) => log.error({ job, error }, 'fault'),
  });
}

async function openDoors(config: Config, urls: Urls, log: Log, stores: Stores, onUnhashed: () => void): Promise<Pick<App, 'doors' | 'beginStop'>> {
  const { metadata, blobs, secrets, ids, clock, metrics } = stores;
  let isStopping = false;
  const isTrustedProxy = compileTrusted(config.trustedProxies);
  const rates = await MemoryRateLimits.restore({ clock, metadata });
  const shapes = new ShapeChecker(JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8')));
  await shapes.warmUp();
  const noteUse = noteKeyUse({ metadata, clock });
  const handle = operationHandle({
    authenticate: (authorization, { uploadToken }) => authenticate({ metadata, secrets, clock }, credentialOf(authorization), uploadToken ?? 'other'),
    noteUse: (caller) => void noteUse(caller).catch((error: unknown) => log.error({ error }, 'fault')),
    ownerOf: (operationId, { token }) => (operationId === 'openDownloadLink' && token !== undefined ? parseDownloadToken(secrets, token)?.accountId : undefined),
    limits: new RequestLimits(rates, new MemorySlots(), config.rateLimits),
    shapes,
    fieldChecks: { ...objectsFieldChecks, ...chunkedFieldChecks, ...keysFieldChecks, ...activityFieldChecks, ...settingsFieldChecks, ...uploadTokensFieldChecks },
    isTrustedProxy,
    log,
    metrics,
  });
  const common = { log, metrics, isTrustedProxy };
  const docs = join(root, 'dist/docs');
  return {
    beginStop: () => (isStopping = true),
    doors: {
      api: apiDoor({
        ...common,
        handle,
        docsFolder: existsSync(docs) ? docs : undefined,
        contractFolder: join(root, 'generated'),
        handlers: {
          objects: {
            ...notImplemented('objects'),
            ...objectsHandlers({ metadata, blobs, ids, clock, secrets, pages: new MemoryListPages(), publicHost: urls.public, noteStored: metrics.bytesReceived }),
            ...objectsChangesHandlers({ metadata, ids, clock, secrets, cdn: noCdn, publicHost: urls.public, filesHost: urls.files }),
          },
          chunked: chunkedHandlers({ metadata, blobs, ids, clock, secrets, publicHost: urls.public, noteStored: metrics.bytesReceived, onUnhashed }),
          uploadTokens: uploadTokensHandlers({ metadata, secrets, ids }),
          shares: notImplemented('shares'),
          account: { ...notImplemented('account'), ...keysHandlers({ metadata, secrets, ids, clock }), ...activityHandlers({ metadata, secrets, clock }), ...settingsHandlers({ metadata }), ...statsHandlers({ metadata, clock, cache: new MemoryStatsCache() }) },
          s3: notImplemented('s3'),
          chat: notImplemented('chat'),
          apps: notImplemented('apps'),
          device: notImplemented('device'),
          operations: operationsHandlers({ isReady: async () => !isStopping && (await answers(metadata)), metrics }),
        },
      }),
      files: filesDoor({ ...common, handle, handlers: { ...notImplemented('delivery'), ...deliveryHandlers({ metadata, blobs, secrets, clock }) } }),
      public: publicDoor({
        ...common,
        find: (address) => openPublicObject({ metadata, clock }, address),
        open: (content, range) => readContent({ blobs }, content, range),
      }),
      s3: s3Door(common),
    },
  };
}

/** Whether the metadata store reads. */
async function answers(metadata: Metadata): Promise<boolean> {
  try {
    await metadata.read.accounts.find('');
    return true;
  } catch {
    return false;
  }
}
