import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';

import type { OperationsHandlers } from '#generated/router.ts';
import type { Call } from '#server/handlers/call.ts';
import { noteKeyUse } from '#server/domain/access/note-key-use.ts';
import { noteOperatorKeyUse } from '#server/domain/operator/note-operator-key-use.ts';
import { readClock } from '#server/domain/jobs/watch-clock.ts';
import { uploadLookup } from '#server/domain/chunked/upload-lookup.ts';
import { RunningHashCache } from '#server/domain/chunked/running-hash.ts';
import { readDownloadLink } from '#server/domain/links/download-link.ts';
import { linkErrorOwner, publicErrorOwner } from '#server/domain/edge-errors/error-owner.ts';
import { openPublicObject } from '#server/domain/objects/open-public-object.ts';
import { openContent } from '#server/domain/objects/read-content.ts';
import type { AskedJobs } from '#server/domain/jobs/run-job.ts';
import type { OperatorBackups } from '#server/domain/operator/backups.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import { UploadTurns } from '#server/domain/serial/upload-turns.ts';
import { requestOwner } from '#server/domain/file-requests/visit-request.ts';
import { shareOwner } from '#server/domain/shares/find-share.ts';
import { CrcQueue } from '../domain/shares/crc-queue.ts';
import { hashQueue } from '#server/domain/shares/hash-queue.ts';
import type { BodyMemory } from '#server/http/body-memory.ts';
import type { BodyPace } from '#server/http/body-pace.ts';
import { compileTrusted } from '#server/http/client-address.ts';
import { composeBodyMemory } from './body-memory.ts';
import type { ChatGateway } from './chat.ts';
import type { CountedErrors } from './door-errors.ts';
import type { CountedTraffic } from './traffic.ts';
import type { Config, DoorName } from '../config/config.ts';
import { apiDoor } from '../doors/api/api-door.ts';
import { operatorDoor } from '../doors/operator/operator-door.ts';
import { filesDoor } from '../doors/files/files-door.ts';
import { RequestLimits } from '../pipeline/request-limits.ts';
import type { AnyCaller } from '../pipeline/exchange.ts';
import { pipeline, type Answer } from '../pipeline/pipeline.ts';
import { authenticateOperation } from '../doors/contract/authenticate-operation.ts';
import { operationHandle } from '../doors/contract/operation.ts';
import type { ConsoleOptions } from '../doors/site/serve-console.ts';
import { siteState, type SiteState } from '../doors/site/site-state.ts';
import { publicDoor } from '../doors/public/public-door.ts';
import { s3Door } from '../doors/s3/s3-door.ts';
import { RequestValidator } from '../doors/contract/request-validator.ts';
import { accountHandlers } from '../handlers/account.ts';
import { appsHandlers } from '../handlers/apps.ts';
import { chunkedHandlers } from '../handlers/chunked.ts';
import { deliveryHandlers } from '../handlers/delivery.ts';
import { deviceHandlers } from '../handlers/device.ts';
import { eventsHandlers } from '../handlers/events.ts';
import { fileRequestsHandlers } from '../handlers/file-requests.ts';
import { foldersHandlers } from '../handlers/folders.ts';
import { objectsHandlers } from '../handlers/objects.ts';
import { operationsHandlers } from '../handlers/operations.ts';
import { operatorHandlers } from '../handlers/operator/operator.ts';
import { receivingHandlers } from '../handlers/receiving.ts';
import { s3CredentialsHandlers } from '../handlers/s3.ts';
import { sessionsHandlers } from '../handlers/sessions.ts';
import { sharesHandlers } from '../handlers/shares.ts';
import { trashHandlers } from '../handlers/trash.ts';
import type { CommitStatusPorts } from '../handlers/commit-statuses.ts';
import type { WebhookPorts } from '../handlers/webhooks.ts';
import { uploadsHandlers } from '../handlers/uploads.ts';
import type { ImageDeps } from '../handlers/image-variant.ts';
import { uploadTokensHandlers } from '../handlers/upload-tokens.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { SharedState } from '../stores/engine.ts';
import { admissionInSteps } from '../stores/memory/admission.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { addressOf } from '../stores/bucket/options.ts';
import { MemoryBreakdownCache } from '../stores/memory/breakdown-cache.ts';
import { fileDeployLogs } from '../stores/filesystem/deploy-logs.ts';
import { MemoryDeploymentCache } from '../stores/memory/deployment-cache.ts';
import { MemoryArchives } from '../stores/memory/archives.ts';
import { MemoryListPages } from '../stores/memory/list-pages.ts';
import { MemoryPasswordTries, unlimitedPasswordTries } from '../stores/memory/password-tries.ts';
import { MemoryRateLimits } from '../stores/memory/rate-limits.ts';
import { MemorySlots } from '../stores/memory/slots.ts';
import { MemoryStatsCache } from '../stores/memory/stats-cache.ts';
import type { Stores } from '../stores/open.ts';
import { scryptThreads } from '../stores/system/scrypt-threads.ts';
import { ownVersion } from '../version.ts';

const root = join(import.meta.dirname, '../..');
const docsFolder = join(root, 'dist/docs');
const builtConsole = join(root, 'dist/console');

/** Returns whether the documentation and the console are there. */
export function statesOfSites(consoleFolder = builtConsole): { readonly docs: SiteState; readonly console: SiteState } {
  return { docs: siteState(docsFolder), console: siteState(consoleFolder) };
}

/** The addresses that clients see. */
export type Urls = Readonly<Record<DoorName | 'base', string>>;

/** Functions that the doors call after certain events. */
interface DoorEvents {
  /** Called when a stored file has no SHA-256 yet. */
  readonly onUnhashed: () => void;
  readonly noteError: CountedErrors['note'];
  readonly noteTraffic: CountedTraffic['note'];
  /** Called when an operator asked for a round of the scrub. */
  readonly onScrubStarted: () => void;
}

/** The doors of one server. */
export interface Doors {
  readonly doors: Readonly<Record<DoorName, RequestListener>>;
  /** Lets `/readyz` respond with 503 from now on, so that a load balancer sends requests elsewhere. */
  beginStop(): void;
  close(): Promise<void>;
}

/** What the doors are built of. */
interface Given {
  readonly config: Config;
  readonly urls: Urls;
  readonly log: Log;
  readonly stores: Stores;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly chat: ChatGateway;
  /** Undefined if variants of images are off. */
  readonly images: ImageDeps | undefined;
  readonly backups: OperatorBackups;
  readonly askedJobs: AskedJobs;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
  readonly events: DoorEvents;
  readonly webhooks: Pick<WebhookPorts, 'isAllowedUrl' | 'onDeliveries'> & Pick<CommitStatusPorts, 'isAllowedOrigin'>;
  /** Called when a job over a folder was started. */
  onFolderJob(): void;
  /** The folder of the built console. */
  readonly consoleFolder?: string | undefined;
  /** Wraps what responds to the requests of every door. */
  readonly wrapAnswer?: ((real: Answer) => Answer) | undefined;
  /** Wraps the hashing of passwords. */
  readonly wrapScrypt?: ((real: Scrypt) => Scrypt) | undefined;
  readonly slowestHeldBody?: BodyPace | undefined;
  readonly onBodies?: ((bodies: BodyMemory) => void) | undefined;
}

/** Builds every door, with the handlers behind it. */
export async function composeDoors(given: Given): Promise<Doors> {
  let isStopping = false;
  const streamsEnd = new AbortController();
  const { scrypt: realScrypt, close } = scryptThreads();
  const shared = await sharedParts(given, given.wrapScrypt?.(realScrypt) ?? realScrypt);
  const health = healthHandlers(given, () => isStopping);
  return {
    beginStop() {
      isStopping = true;
      shared.limits.beginStop();
      // Clients connect again, elsewhere or after the start.
      streamsEnd.abort();
    },
    close,
    doors: {
      api: composeApiDoor(given, shared, streamsEnd, health),
      files: composeFilesDoor(given, shared),
      public: composePublicDoor(given, shared),
      s3: composeS3Door(given, shared),
      operator: composeOperatorDoor(given, shared, health),
    },
  };
}

const withoutSlash = (address: string): string => address.replace(/\/$/, '');

/** Returns the limits of the only server. */
async function limitsInMemory(metadata: Metadata): Promise<Pick<SharedState, 'rates' | 'slots' | 'admission'>> {
  const [rates, slots] = [await MemoryRateLimits.restore({ metadata }), new MemorySlots()];
  return { rates, slots, admission: admissionInSteps(rates, slots) };
}

/** What several doors share. */
type Shared = Awaited<ReturnType<typeof sharedParts>>;

async function sharedParts(
  { config, urls, log, stores, metrics, tracing, signal, events, wrapAnswer, slowestHeldBody, onBodies }: Given,
  scrypt: Scrypt,
) {
  const { metadata, room, secrets, ids, clock, shared } = stores;
  const limits = new RequestLimits(
    { ...(shared ?? (await limitsInMemory(metadata))), clock },
    config.rateLimits,
    metrics,
  );
  const [noteKey, noteOperator] = [noteKeyUse({ metadata, clock }), noteOperatorKeyUse({ metadata, clock })];
  const noteUse = (caller: AnyCaller): void =>
    void ('operatorKey' in caller ? noteOperator(caller) : noteKey(caller)).catch((error: unknown) =>
      log.error({ error }, 'fault'),
    );
  const hashing = hashQueue();
  const crcs = new CrcQueue({ ...stores, signal, onFault: (error) => log.error({ error }, 'fault') });
  metrics.watchQueue('password-hashes', () => hashing.waiting);
  const bodies = composeBodyMemory(config.bodyMemoryBytes, metrics, slowestHeldBody);
  onBodies?.(bodies);
  const ownOrigins = { console: new URL(urls.api).origin, operator: new URL(urls.operator).origin };
  const realAnswer = pipeline({ limits, room, noteUse, log, metrics });
  const answer = wrapAnswer?.(realAnswer) ?? realAnswer;
  const handleOf = operationHandle({
    answer,
    authenticate: (...request) => authenticateOperation({ metadata, secrets, clock, ownOrigins }, ...request),
    ownerOf: async (_operationId, { token, share_id: shareId, request_token: link }) => {
      if (token !== undefined) return readDownloadLink({ secrets, clock }, token)?.accountId;
      if (link !== undefined) return requestOwner({ metadata, secrets }, link);
      return shareId === undefined ? undefined : shareOwner({ metadata, secrets, clock }, shareId);
    },
    lookUpUpload: (caller, uploadHandle) => uploadLookup({ metadata, secrets }, caller, uploadHandle),
    validator,
  });
  return {
    common: {
      log,
      metrics,
      tracing,
      isTrustedProxy: compileTrusted(config.trustedProxies),
      docsUrl: withoutSlash(urls.api),
      bodies,
      noteTraffic: events.noteTraffic,
    },
    core: { metadata, secrets, ids, clock },
    limits,
    noteUse,
    answer,
    handleOf,
    scrypt,
    hashing,
    crcs,
    hashes: new RunningHashCache(),
  };
}

/** Returns what both consoles share. */
function consoleOf(
  { config, urls, consoleFolder = builtConsole }: Given,
  door: 'account' | 'operator',
): ConsoleOptions {
  const { bucket } = config;
  return {
    folder: consoleFolder,
    // The bytes of files may come from the bucket itself.
    fileOrigins: bucket?.redirects ? [addressOf(bucket).origin] : [],
    config: {
      door,
      version: ownVersion(),
      api_url: urls.api,
      files_url: urls.files,
      public_url: urls.public,
      s3_url: urls.s3,
      docs_url: siteState(docsFolder) === 'missing' ? null : `${withoutSlash(urls.api)}/docs/`,
      streaming: config.ai.streaming.isOn,
    },
  };
}

function composeApiDoor(
  given: Given,
  { common, core, limits, noteUse, handleOf, scrypt, hashing, hashes }: Shared,
  streamsEnd: AbortController,
  operations: OperationsHandlers<Call>,
): RequestListener {
  const { config, urls, stores, metrics, chat, events, webhooks, onFolderJob } = given;
  const { blobs, cdn } = stores;
  const noteStored = (bytes: number) => metrics.bytesReceived('api', bytes);
  const files = { ...core, blobs, publicHost: urls.public, noteStored };
  return apiDoor({
    ...common,
    docsUrl: withoutSlash(new URL(urls.api).pathname),
    hasMetrics: config.hasPublicMetrics,
    handleOf,
    docsFolder,
    console: consoleOf(given, 'account'),
    addresses: urls,
    contractFolder: join(root, 'generated'),
    handlers: {
      objects: objectsHandlers({ ...files, cdn, pages: new MemoryListPages(), filesHost: urls.files }),
      chunked: chunkedHandlers({ ...files, onUnhashed: events.onUnhashed, hashes }),
      uploads: uploadsHandlers({ ...files, onUnhashed: events.onUnhashed, hashes, turns: new UploadTurns() }),
      uploadTokens: uploadTokensHandlers(core),
      trash: trashHandlers(core),
      folders: foldersHandlers({ ...core, onFolderJob }),
      shares: sharesHandlers({ ...core, hashing, scrypt, filesHost: urls.files }),
      fileRequests: fileRequestsHandlers({ ...core, hashing, scrypt, filesHost: urls.files }),
      account: accountHandlers({ ...core, cache: new MemoryStatsCache(), models: chat.models }),
      events: eventsHandlers({ ...core, ...webhooks, eventSignals: stores.eventSignals, stopping: streamsEnd.signal }),
      sessions: sessionsHandlers({ ...core, ownUrl: urls.api, failures: limits, noteUse }),
      s3: s3CredentialsHandlers({ secrets: core.secrets, s3Host: urls.s3 }),
      chat: chat.handlers,
      apps: appsHandlers({
        ...core,
        deployments: new MemoryDeploymentCache(),
        breakdowns: new MemoryBreakdownCache(),
        apiHost: urls.api,
        coalesces: config.coalescesDeploys,
        isAllowedOrigin: webhooks.isAllowedOrigin,
        logs: fileDeployLogs(config.dataDir),
        stopping: streamsEnd.signal,
      }),
      device: deviceHandlers({ ...core, activationUrl: `${urls.api}/activate`, failures: limits, noteUse }),
      operations,
    },
  });
}

/** Returns the handlers of health and metrics, which two doors have. */
function healthHandlers({ stores, metrics }: Given, isStopping: () => boolean): OperationsHandlers<Call> {
  const { metadata, room, shared } = stores;
  return operationsHandlers({
    isReady: async () => !isStopping() && (shared?.isLive() ?? true) && (await isReadable(metadata)),
    isFull: () => room.state().isFull,
    areBlobsDown: () => stores.areBlobsDown?.() ?? false,
    metrics,
  });
}

function composeOperatorDoor(
  given: Given,
  { common, core, limits, handleOf }: Shared,
  operations: OperationsHandlers<Call>,
): RequestListener {
  const { config, urls, stores, chat, backups, askedJobs, signal, events } = given;
  const operator = operatorHandlers({
    ...stores,
    ...core,
    ownUrl: urls.operator,
    failures: limits,
    cache: new MemoryStatsCache(),
    models: chat.models,
    version: ownVersion(),
    settings() {
      const changed = chat.shownSettings();
      return config.settings.map((setting) => ({ ...setting, value: changed[setting.name] ?? setting.value }));
    },
    backups,
    askedJobs,
    signal,
    onScrubStarted: events.onScrubStarted,
    readClock: () => readClock(stores),
  });
  return operatorDoor({
    ...common,
    handleOf,
    console: consoleOf(given, 'operator'),
    hostNames: new Set([new URL(urls.operator).hostname, config.operatorHost.toLowerCase(), ...config.operatorNames]),
    handlers: { operator, operations },
  });
}

function composeFilesDoor(
  { config, urls, log, stores, events, images, metrics }: Given,
  { common, core, handleOf, scrypt, hashes, hashing, crcs }: Shared,
): RequestListener {
  const tries = config.rateLimits
    ? (stores.shared?.passwordTries ?? new MemoryPasswordTries())
    : unlimitedPasswordTries;
  const onFault = (error: unknown) => log.error({ error }, 'fault');
  const links = { ...core, blobs: stores.blobs, hashing, scrypt, tries, filesHost: urls.files, onFault };
  return filesDoor({
    ...common,
    noteError: (error) => events.noteError(linkErrorOwner(core, error.target), error),
    handleOf,
    handlers: {
      delivery: deliveryHandlers({
        ...links,
        blobAddresses: stores.blobAddresses,
        publicHost: urls.public,
        crcs,
        archives: new MemoryArchives(),
        images,
      }),
      receiving: receivingHandlers({
        ...links,
        hashes,
        turns: new UploadTurns(),
        onUnhashed: events.onUnhashed,
        noteStored: (bytes) => metrics.bytesReceived('files', bytes),
      }),
    },
  });
}

function composePublicDoor({ urls, stores, events, images }: Given, { common, core, answer }: Shared): RequestListener {
  return publicDoor({
    ...common,
    answer,
    noteError: (error) => events.noteError(publicErrorOwner(error.target), error),
    publicHost: urls.public,
    clock: core.clock,
    blobAddresses: stores.blobAddresses,
    images,
    find: (address) => openPublicObject(core, address),
    open: (content, range) => openContent(stores, content, range),
  });
}

function composeS3Door(
  { config, urls, stores, metrics, events }: Given,
  { common, core, answer, hashes }: Shared,
): RequestListener {
  const { blobs } = stores;
  const noteStored = (bytes: number) => metrics.bytesReceived('s3', bytes);
  const { onUnhashed } = events;
  const encryptsFiles = config.keyEncryptionKey !== undefined;
  return s3Door({
    ...common,
    answer,
    stores: { ...core, blobs, hashes, s3Url: urls.s3, encryptsFiles, noteStored, onUnhashed },
  });
}

async function readContract(): Promise<Record<string, any>> {
  return JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8'));
}

let contract: ReturnType<typeof readContract> | undefined;

/** Servers that run one after the other in a process share the validators. */
const validator = new RequestValidator(() => (contract ??= readContract()));

/** Whether the metadata store can be read. */
async function isReadable(metadata: Metadata): Promise<boolean> {
  try {
    await metadata.read.accounts.find('');
    return true;
  } catch {
    return false;
  }
}
