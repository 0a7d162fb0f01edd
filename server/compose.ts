import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';

import { authenticate } from '#server/domain/access/authenticate.ts';
import { authenticateSession } from '#server/domain/access/authenticate-session.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { credentialOf } from '#server/domain/access/credential.ts';
import { noteKeyUse } from '#server/domain/access/note-key-use.ts';
import type { ChatRoom } from '#server/domain/chat/chat-room.ts';
import { RunningHashes } from '#server/domain/chunked/running-hash.ts';
import { uploadKey } from '#server/domain/chunked/upload-key.ts';
import { linkOwner } from '#server/domain/links/link-owner.ts';
import { linkErrorOwner, publicErrorOwner } from '#server/domain/edge-errors/error-owner.ts';
import { watchClock } from '#server/domain/jobs/watch-clock.ts';
import { hashContents } from '#server/domain/objects/hash-contents.ts';
import { openPublicObject } from '#server/domain/objects/open-public-object.ts';
import { readContent } from '#server/domain/objects/read-content.ts';
import { abandonReservations, reapBlobs } from '#server/domain/objects/reap-blobs.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { shareOwner } from '#server/domain/shares/find-share.ts';
import { hashQueue } from '#server/domain/shares/hash-queue.ts';
import { liveClaims } from '#server/domain/shares/live-claims.ts';
import { giveBackHeldUses } from '#server/domain/upload-tokens/hold-use.ts';
import type { BodyPace } from '#server/http/body-pace.ts';
import { compileTrusted } from '#server/http/client-address.ts';
import type { ProtocolAnswer, ProtocolFault } from '#server/http/protocol-errors.ts';
import { composeChat, type ChatGateway } from './compose-chat.ts';
import { countDoorErrors, type CountedErrors } from './compose-door-errors.ts';
import type { Config, DoorName } from './config.ts';
import { apiDoor } from './doors/api-door.ts';
import { filesDoor } from './doors/files-door.ts';
import { RequestLimits } from './doors/limits.ts';
import { operationHandle } from './doors/operation.ts';
import { meaningOf } from './doors/render.ts';
import { publicDoor } from './doors/public-door.ts';
import { s3ProtocolAnswer } from './doors/s3/protocol-answer.ts';
import { s3Door } from './doors/s3/s3-door.ts';
import { ShapeChecker } from './doors/shape.ts';
import { activationHandlers } from './handlers/activation.ts';
import { activityFieldChecks, activityHandlers } from './handlers/activity.ts';
import { chunkedFieldChecks, chunkedHandlers } from './handlers/chunked.ts';
import { deliveryHandlers } from './handlers/delivery.ts';
import { deploysFieldChecks, deploysHandlers } from './handlers/deploys.ts';
import { deviceFieldChecks, deviceHandlers } from './handlers/device.ts';
import { gitPushHandlers } from './handlers/git/receive-push.ts';
import { keysFieldChecks, keysHandlers } from './handlers/keys.ts';
import { networkErrorsFieldChecks, networkErrorsHandlers } from './handlers/network-errors.ts';
import { objectsChangesFieldChecks, objectsChangesHandlers } from './handlers/objects-changes.ts';
import { objectsFieldChecks, objectsHandlers } from './handlers/objects.ts';
import { operationsHandlers } from './handlers/operations.ts';
import { s3CredentialsHandlers } from './handlers/s3-credentials.ts';
import { settingsFieldChecks, settingsHandlers } from './handlers/settings.ts';
import { shareDeliveryHandlers } from './handlers/share-delivery.ts';
import { sharesFieldChecks, sharesHandlers } from './handlers/shares.ts';
import { statsHandlers } from './handlers/stats.ts';
import { uploadTokensFieldChecks, uploadTokensHandlers } from './handlers/upload-tokens.ts';
import { oneAtATime } from './jobs/one-at-a-time.ts';
import { reaper } from './jobs/reaper.ts';
import { schedule, type Schedule } from './jobs/schedule.ts';
import type { Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { FilesystemBlobStore } from './stores/filesystem/blobs.ts';
import { MemoryBreakdownCache } from './stores/memory/breakdown-cache.ts';
import { MemoryDeploymentCache } from './stores/memory/deployment-cache.ts';
import { MemoryListPages } from './stores/memory/list-pages.ts';
import { MemoryPasswordTries, unlimitedPasswordTries } from './stores/memory/password-tries.ts';
import { MemoryRateLimits } from './stores/memory/rate-limits.ts';
import { MemorySlots } from './stores/memory/slots.ts';
import { MemoryStatsCache } from './stores/memory/stats-cache.ts';
import { openStores, type StoreOverrides, type Stores } from './stores/open.ts';
import { acquireProcessLock } from './stores/sqlite/process-lock.ts';
import { scryptThreads } from './stores/system/scrypt-threads.ts';

const root = join(import.meta.dirname, '..');

/** What tests put in the place of the real thing. */
export interface Overrides extends StoreOverrides {
  /** Wraps the listener of each door, for instance to look at its answers. */
  readonly door?: (name: DoorName, real: RequestListener) => RequestListener;
  /** How slow the body of a request may be. */
  readonly slowestBody?: BodyPace;
  /** How long an answer of the AI gateway may take in all. */
  readonly completionDeadlineMs?: number;
  /** What is held in the AI gateway for requests under way. */
  readonly chatRoom?: ChatRoom;
}

/** How what never became a request is answered on a port: as S3 does where the gateway has it for itself, in the envelope elsewhere. */
export function protocolAnswer(doors: readonly DoorName[], fault: ProtocolFault, requestId: string): ProtocolAnswer {
  if (doors.every((door) => door === 's3')) return s3ProtocolAnswer(fault, requestId);
  const codes = { malformed: 'MALFORMED_REQUEST', 'headers-too-large': 'HEADERS_TOO_LARGE', timeout: 'REQUEST_TIMEOUT' } as const;
  const code = codes[fault];
  const { status, message } = meaningOf('envelope', code);
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify({ status: 'error', code, message }) };
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
    const metrics = createMetrics();
    const stores = await openStores(config, log, { ...overrides, onCommit: metrics.committed });
    await recover(stores, log);
    const stopping = new AbortController();
    const { signal } = stopping;
    const hash = oneAtATime(() => hashContents({ ...stores, signal }));
    const hashing = reaper({ run: hash, onFault: (error) => log.error({ job: 'hash-contents', error }, 'fault') });
    const doorErrors = countDoorErrors(stores, log);
    const chat = composeChat(config, stores, log, metrics, { deadlineMs: overrides.completionDeadlineMs, room: overrides.chatRoom });
    const { doors, beginStop, close: closeDoors } = await openDoors(config, urls, log, stores, metrics, chat, { onUnhashed: hashing.nudge, noteError: doorErrors.note });
    const jobs = await startJobs(stores, log, signal, { 'hash-contents': hash });
    // What an earlier process left without its SHA-256.
    hashing.nudge();
    const { door = (_name: DoorName, real: RequestListener) => real } = overrides;
    return {
      stores,
      doors: { api: door('api', doors.api), files: door('files', doors.files), public: door('public', doors.public), s3: door('s3', doors.s3) },
      jobs,
      beginStop() {
        chat.beginStop();
        beginStop();
      },
      async close() {
        stopping.abort();
        await jobs.stop();
        await hashing.stop();
        await doorErrors.stop();
        await closeDoors();
        await chat.close();
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
  if (abandoned + leftovers + reaped + uses > 0) {
    log.info({ abandoned_uploads: abandoned, temporary_files: leftovers, removed_blobs: reaped, returned_token_uses: uses }, 'recovered');
  }
}

/** From now on the background jobs run by themselves. */
async function startJobs(stores: Stores, log: Log, signal: AbortSignal, shared: Parameters<typeof schedule>[0]['shared']): Promise<Schedule> {
  return schedule({
    metadata: stores.metadata,
    blobs: stores.blobs,
    signal,
    shared,
    readClock: await watchClock(stores),
    onWaiting: ({ byMs }) =>
      log.error({ jumped_by_hours: Math.round(byMs / 3_600_000) }, 'THE CLOCK HAS JUMPED: nothing is deleted by itself until an operator says that it is right, with "cubby jobs confirm-clock"'),
    onDone: (job, count) => log.info({ job, count }, 'job done'),
    onFault: (job, error) => log.error({ job, error }, 'fault'),
  });
}

/** Whom the doors tell of what they did. */
interface Told {
  /** There is a file without its SHA-256. */
  readonly onUnhashed: () => void;
  readonly noteError: CountedErrors['note'];
}

async function openDoors(config: Config, urls: Urls, log: Log, stores: Stores, metrics: Metrics, chat: ChatGateway, { onUnhashed, noteError }: Told): Promise<Pick<App, 'doors' | 'beginStop' | 'close'>> {
  const { metadata, blobs, secrets, ids, clock, cdn } = stores;
  let isStopping = false;
  const isTrustedProxy = compileTrusted(config.trustedProxies);
  const rates = await MemoryRateLimits.restore({ clock, metadata });
  const shapes = await (contractShapes ??= compileContract());
  const noteUse = noteKeyUse({ metadata, clock });
  const useNoted = (caller: Caller): void => void noteUse(caller).catch((error: unknown) => log.error({ error }, 'fault'));
  const limits = new RequestLimits(rates, new MemorySlots(), config.rateLimits);
  const handle = operationHandle({
    authenticate: (authorization, { credentials, uploadToken }, cookies) =>
      credentials.includes('session') && authorization === undefined
        ? authenticateSession({ metadata, secrets, clock }, cookies.get('cubby_session'))
        : authenticate({ metadata, secrets, clock }, credentialOf(authorization), uploadToken ?? 'other'),
    noteUse: useNoted,
    ownerOf: async (_operationId, { token, share_id: shareId }) => {
      if (token !== undefined) return linkOwner({ secrets, clock }, token);
      return shareId === undefined ? undefined : shareOwner({ metadata, clock }, shareId);
    },
    uploadKey: (accountId, handle) => uploadKey({ metadata, secrets }, accountId, handle),
    limits,
    shapes,
    fieldChecks: {
      ...objectsFieldChecks,
      ...objectsChangesFieldChecks,
      ...chunkedFieldChecks,
      ...uploadTokensFieldChecks,
      ...keysFieldChecks,
      ...activityFieldChecks,
      ...settingsFieldChecks,
      ...deviceFieldChecks,
      ...sharesFieldChecks,
      ...networkErrorsFieldChecks,
      ...deploysFieldChecks,
    },
    isTrustedProxy,
    log,
    metrics,
  });
  const hashes = new RunningHashes();
  const hashing = hashQueue();
  const { scrypt, close } = scryptThreads();
  const tries = config.rateLimits ? new MemoryPasswordTries(clock) : unlimitedPasswordTries;
  const common = { log, metrics, isTrustedProxy };
  const docs = join(root, 'dist/docs');
  const activationUrl = `${urls.api}/activate`;
  return {
    beginStop: () => (isStopping = true),
    close,
    doors: {
      api: apiDoor({
        ...common,
        handle,
        docsFolder: existsSync(docs) ? docs : undefined,
        contractFolder: join(root, 'generated'),
        handlers: {
          objects: {
            ...objectsHandlers({ metadata, blobs, ids, clock, secrets, pages: new MemoryListPages(), publicHost: urls.public, noteStored: metrics.bytesReceived }),
            ...objectsChangesHandlers({ metadata, ids, clock, secrets, cdn, publicHost: urls.public, filesHost: urls.files }),
          },
          chunked: chunkedHandlers({ metadata, blobs, ids, clock, secrets, publicHost: urls.public, noteStored: metrics.bytesReceived, onUnhashed, hashes }),
          uploadTokens: uploadTokensHandlers({ metadata, secrets, ids }),
          shares: sharesHandlers({ metadata, ids, clock, hashing, scrypt, filesHost: urls.files }),
          account: { ...keysHandlers({ metadata, secrets, ids, clock }), ...activityHandlers({ metadata, secrets, clock }), ...settingsHandlers({ metadata }), ...statsHandlers({ metadata, clock, cache: new MemoryStatsCache() }) },
          s3: s3CredentialsHandlers({ secrets, s3Host: urls.s3 }),
          chat: chat.handlers,
          apps: {
            ...networkErrorsHandlers({ metadata, cache: new MemoryBreakdownCache() }),
            ...deploysHandlers({ metadata, secrets, cache: new MemoryDeploymentCache(), ids, apiHost: urls.api }),
            ...gitPushHandlers({ metadata, secrets, ids }),
          },
          device: {
            ...deviceHandlers({ metadata, secrets, ids, activationUrl }),
            ...activationHandlers({ metadata, secrets, ids, clock, activationUrl, failures: limits, noteUse: useNoted }),
          },
          operations: operationsHandlers({ isReady: async () => !isStopping && (await answers(metadata)), metrics }),
        },
      }),
      files: filesDoor({
        ...common,
        noteError: (error) => noteError(linkErrorOwner({ secrets }, error.target), error),
        handle,
        handlers: {
          ...deliveryHandlers({ metadata, blobs, secrets, clock }),
          ...shareDeliveryHandlers({ metadata, blobs, secrets, ids, clock, hashing, scrypt, tries, live: liveClaims(), filesHost: urls.files, publicHost: urls.public, onFault: (error) => log.error({ error }, 'fault') }),
        },
      }),
      public: publicDoor({
        ...common,
        noteError: (error) => noteError(publicErrorOwner(error.target), error),
        find: (address) => openPublicObject({ metadata, clock }, address),
        open: (content, range) => readContent({ blobs }, content, range),
      }),
      s3: s3Door({ ...common, limits, noteUse: useNoted, stores: { metadata, blobs, ids, clock, secrets, hashes, s3Url: urls.s3, noteStored: metrics.bytesReceived, onUnhashed } }),
    },
  };
}

/** Compiling the contract takes half a second, and it does not change while the process runs: servers that follow each other share it. */
let contractShapes: Promise<ShapeChecker> | undefined;

async function compileContract(): Promise<ShapeChecker> {
  const shapes = new ShapeChecker(JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8')));
  await shapes.warmUp();
  return shapes;
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
