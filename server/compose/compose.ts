import type { RequestListener } from 'node:http';
import { join } from 'node:path';

import type { ChatReservations } from '#server/features/chat/chat-reservations.ts';
import { watchClock } from '#server/domain/jobs/watch-clock.ts';
import { noteStart } from '#server/domain/configuration/note-start.ts';
import { hashContents } from '#server/features/files/hash-contents.ts';
import { reapBlobs } from '#server/domain/jobs/reap-blobs.ts';
import { recoverUnfinished } from '#server/domain/jobs/recover.ts';
import { sweepOrphans } from '#server/domain/jobs/sweep-orphans.ts';
import type { ImageRenderer } from '#server/features/images/image-ports.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import type { BodyMemory } from '#server/http/body-memory.ts';
import type { BodyPace } from '#server/http/body-pace.ts';
import type { ProtocolAnswer, ProtocolError } from '#server/http/protocol-errors.ts';
import { composeChat, type ChatGateway } from './chat.ts';
import { composeBackups } from './backups.ts';
import { composeImages } from './images.ts';
import { scrubbingOf } from './scrub.ts';
import { countDoorErrors } from './door-errors.ts';
import { countTraffic } from './traffic.ts';
import { watchStores } from './watch.ts';
import { folderQueue } from '#server/features/folders/backends/folder-queue.ts';
import { composeWebhooks } from './webhooks.ts';
import { composeDoors, type Doors } from './doors/compose-doors.ts';
import type { Urls } from './doors/given.ts';
import { statesOfSites } from './doors/sites.ts';
import type { Config, DoorName } from '../config/config.ts';
import { publicUrl } from '#server/features/files/public-url.ts';
import { meaningOf } from '../pipeline/error-response.ts';
import type { Answer } from '../pipeline/pipeline.ts';
import { s3ProtocolAnswer } from '#server/features/s3/door/protocol-answer.ts';
import { requestedJobs } from '../jobs/requested-jobs.ts';
import { atMostEvery } from '../jobs/at-most-every.ts';
import { oneAtATime } from '../jobs/one-at-a-time.ts';
import { measured } from '../jobs/measured.ts';
import { runLeased } from '../jobs/run-leased.ts';
import { debouncer } from '../jobs/debouncer.ts';
import { schedule, type Schedule } from '../jobs/schedule.ts';
import { blobMarkers, recoveries } from '../jobs/work-of-features.ts';
import type { Log } from '../log.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import { explained, isForOperator, openFolder, openStores, type StoreOverrides, type Stores } from '../stores/open.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { acquireProcessLock } from '../stores/sqlite/process-lock.ts';
import { dayMs } from '../domain/day.ts';

export type { Urls };

/** The time limit for the head of a request. */
export interface HeadPace {
  readonly timeoutMs: number;
  /** The limit is checked this often, so a head may take longer by as much. */
  readonly checkEveryMs: number;
}

/** Replacements for real parts, for tests. */
export interface Overrides extends StoreOverrides {
  /** Wraps the listener of each door, for instance to look at its responses. */
  readonly door?: (name: DoorName, real: RequestListener) => RequestListener;
  /** Wraps what responds to the requests of every door. */
  readonly answer?: (real: Answer) => Answer;
  /** Wraps the hashing of passwords. */
  readonly scrypt?: (real: Scrypt) => Scrypt;
  /** Returns the metrics of the other workers of this machine, to add up. */
  readonly otherMetrics?: Parameters<typeof createMetrics>[0];
  /** Wraps what decodes images. */
  readonly imageRenderer?: (real: ImageRenderer) => ImageRenderer;
  /** Undefined: nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** The folder of the built console. */
  readonly consoleFolder?: string;
  readonly slowestHead?: HeadPace;
  /** The slowest allowed body of a request. */
  readonly slowestBody?: BodyPace;
  /** The slowest allowed body that is buffered in memory. */
  readonly slowestBufferedBody?: BodyPace;
  /** Called with the account of the bodies in memory. */
  readonly onBodies?: (bodies: BodyMemory) => void;
  /** The time limit for a whole response of the AI gateway. */
  readonly completionDeadlineMs?: number;
  /** How often the file of models is looked at. */
  readonly pollModelsMs?: number;
  /** Opens the store that holds capacity for the requests of the AI gateway. */
  readonly chatReservations?: (metadata: Metadata) => ChatReservations;
}

/**
 * Returns the response to bytes that never became a request. Its shape depends on the port and the target:
 * - The gateway's XML on a port that only the S3 gateway uses.
 * - The git webhook's text, if its address was the target.
 * - The envelope everywhere else.
 */
export function protocolAnswer(
  doors: readonly DoorName[],
  { fault, requestId, target = '' }: ProtocolError,
): ProtocolAnswer {
  if (doors.every((door) => door === 's3')) return s3ProtocolAnswer(fault, requestId);
  const codes = {
    malformed: 'MALFORMED_REQUEST',
    'headers-too-large': 'HEADERS_TOO_LARGE',
    timeout: 'REQUEST_TIMEOUT',
  } as const;
  const code = codes[fault];
  // A head that does not come in time has no target yet.
  const isGit = fault !== 'timeout' && doors.includes('api') && /^(https?:\/\/[^/]*)?\/v2\/git\//i.test(target);
  const { status, message } = meaningOf(isGit ? 'git' : 'envelope', code);
  if (isGit) return { status, contentType: 'text/plain; charset=utf-8', body: message };
  return {
    status,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ status: 'error', code, message }),
  };
}

/** The server of one data folder, without its sockets. */
export interface App extends Doors {
  /** Whether the documentation and the console were built when the server started. */
  readonly sites: ReturnType<typeof statesOfSites>;
  readonly stores: Stores;
  readonly jobs: Schedule;
  readonly metrics: Pick<Metrics, 'ofProcess'>;
  /** Reads the files again that the operator may change while the server runs. */
  reload(): void;
}

/**
 * Builds the server. It alone owns the data folder until `close`.
 *
 * @param urls the addresses that clients see. Links are built from these alone
 */
export async function compose(config: Config, urls: Urls, log: Log, overrides: Overrides = {}): Promise<App> {
  // This comes first, because the lock lies in the folder.
  await openFolder(config, log, overrides);
  // Servers over PostgreSQL may share a folder.
  const lock = config.databaseUrl ? undefined : acquireProcessLock(join(config.dataDir, 'server.lock'));
  try {
    const metrics = createMetrics(overrides.otherMetrics);
    const { stores, images } = await openServedStores(config, log, metrics, overrides);
    const stopping = new AbortController();
    const composed = { config, urls, log, stores, metrics, signal: stopping.signal };
    const work = backgroundWork(composed);
    const doorErrors = countDoorErrors(stores, log);
    const traffic = countTraffic(stores, log);
    const chat = await openChat(composed, overrides);
    const events = { ...work.events, noteError: doorErrors.note, noteTraffic: traffic.note };
    const doors = await composeDoors({
      ...{ ...composed, ...work.ports, chat, images: images?.ports, events },
      tracing: overrides.tracing,
      consoleFolder: overrides.consoleFolder,
      wrapAnswer: overrides.answer,
      wrapScrypt: overrides.scrypt,
      slowestBufferedBody: overrides.slowestBufferedBody,
      onBodies: overrides.onBodies,
    });
    const jobs = await startJobs(composed, work.jobs);
    // An earlier process may have left files without their SHA-256.
    work.events.onUnhashed();
    return {
      stores,
      doors: wrapDoors(doors.doors, overrides.door),
      jobs,
      metrics,
      sites: statesOfSites(overrides.consoleFolder),
      reload: chat.reload,
      beginStop() {
        chat.beginStop();
        doors.beginStop();
      },
      async close() {
        stopping.abort();
        await jobs.stop();
        await work.stop();
        await images?.stop();
        await doorErrors.stop();
        await doors.close();
        await chat.close();
        await traffic.stop();
        await stores.close();
        metrics.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw explained(config, error);
  }
}

/** What the parts of one server share. */
interface Composed {
  readonly config: Config;
  readonly urls: Urls;
  readonly log: Log;
  readonly stores: Stores;
  readonly metrics: Metrics;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
}

/** Opens the stores of a server, and cleans up after an earlier process. */
async function openServedStores(config: Config, log: Log, metrics: Metrics, overrides: Overrides) {
  const opened = await openStores(config, log, {
    ...overrides,
    isServing: true,
    onCommit: metrics.committed,
    onSync: metrics.synced,
    onScrubbed: metrics.scrubbed,
    onLost: endOfProcess(log),
  });
  const images = composeImages(config, opened, log, { metrics, wrapRenderer: overrides.imageRenderer });
  const stores = images ? { ...opened, metadata: images.metadata } : opened;
  watchStores(metrics, stores);
  await recover(stores, log);
  await noteSettings(config, stores, log);
  return { stores, images };
}

function openChat({ config, stores, log, metrics }: Composed, overrides: Overrides): Promise<ChatGateway> {
  return composeChat(config, stores, log, {
    metrics,
    deadlineMs: overrides.completionDeadlineMs,
    tracing: overrides.tracing,
    pollModelsMs: overrides.pollModelsMs,
    openReservations: overrides.chatReservations ?? stores.shared?.openChatReservations,
  });
}

/** The work that goes on beside requests, and that requests and events nudge. */
function backgroundWork({ config, urls, log, stores, metrics, signal }: Composed) {
  const { hash, hashing } = hashingOf(stores, log, metrics, signal);
  const scrubbing = scrubbingOf(stores, log, metrics, signal);
  const backups = composeBackups(config, stores, log, signal);
  const requested = requestedJobs({ onFault: (job, error) => log.error({ job, error }, 'fault') });
  const webhooks = composeWebhooks(config, stores, log);
  const folders = folderQueue({
    ...stores,
    publicUrl: (object) => publicUrl(urls.public, object),
    onFault: (error) => log.error({ job: 'folders', error }, 'fault'),
  });
  const all = [hashing, scrubbing, backups, requested, webhooks, folders];
  return {
    ports: { backups, requestedJobs: requested, webhooks: webhooks.ports, onFolderJob: folders.nudge },
    events: { onUnhashed: hashing.nudge, onScrubStarted: scrubbing.nudge },
    jobs: { 'hash-contents': hash, scrub: scrubbing.run },
    stop: () => Promise.all(all.map((one) => one.stop())),
  };
}

function wrapDoors(real: Doors['doors'], wrap: Overrides['door'] = (_name, door) => door): Doors['doors'] {
  return {
    api: wrap('api', real.api),
    files: wrap('files', real.files),
    public: wrap('public', real.public),
    s3: wrap('s3', real.s3),
    operator: wrap('operator', real.operator),
  };
}

/**
 * Returns a function that ends the process after the disk failed to take a commit. Nobody knows which part of the
 * commit was stored, so no request gets a response: clients see their connections end. The next start reads the stored
 * part, and the supervisor of the process sees the failure.
 */
function endOfProcess(log: Log): (error: unknown) => void {
  return (error) => {
    const text = isForOperator(error)
      ? `the server ends: ${error.message}`
      : 'THE DISK DID NOT TAKE WHAT WAS WRITTEN TO THE DATABASE: the server ends. ' +
        'Look at the disk (dmesg), then start it again';
    log.fatal({ error }, text);
    process.exit(1);
  };
}

/**
 * Records settings that changed since the last start. The server starts even if it cannot: the next start compares
 * again.
 */
async function noteSettings({ settings }: Config, stores: Stores, log: Log): Promise<void> {
  await noteStart(stores, Object.fromEntries(settings.map(({ name, value }) => [name, value]))).catch(
    (error: unknown) => log.error({ error }, 'fault'),
  );
}

/** Cleans up after an earlier process that was cut off. */
async function recover({ metadata, shared, blobs, blobUpkeep }: Stores, log: Log): Promise<void> {
  const isShared = shared !== undefined;
  // Where other servers run, all this may be theirs.
  const unfinished = isShared ? {} : await recoverUnfinished({ metadata, recoveries });
  const leftovers = isShared ? 0 : ((await blobUpkeep.sweepTemporaries?.()) ?? 0);
  // A blob that cannot be removed now is found again later. The server starts anyway.
  const reaped = await reapBlobs({ metadata, blobs, blobMarkers }).catch((error: unknown) => {
    log.error({ job: 'reap-blobs', error }, 'fault');
    return 0;
  });
  const recovered = { ...unfinished, temporary_files: leftovers, removed_blobs: reaped };
  if (Object.values(recovered).some((count) => count > 0)) log.info(recovered, 'recovered');
}

function leasesOf({ metadata, shared }: Stores) {
  return { metadata, leases: shared?.jobLeases };
}

/** While another server hashes files, this one looks again after so long. */
const busyMs = 1_000;

/** Returns the job that hashes files, and how it is nudged. Of several servers, one hashes. */
function hashingOf(stores: Stores, log: Log, { jobRan }: Metrics, signal: AbortSignal) {
  const once = () =>
    runLeased(leasesOf(stores), 'hash-contents', 0, (metadata) => hashContents({ ...stores, metadata, signal }));
  const hash = oneAtATime(() => measured({ clock: stores.clock, onRan: jobRan }, 'hash-contents', once));
  const hashing = debouncer({
    async run() {
      if ((await hash()) === undefined) setTimeout(hashing.nudge, busyMs).unref();
    },
    onFault: (error) => log.error({ job: 'hash-contents', error }, 'fault'),
  });
  return { hash, hashing };
}

/** Starts the schedule of the background jobs. @param shared those that other work of this server runs too */
async function startJobs(
  { stores, log, metrics, signal }: Composed,
  shared: Parameters<typeof schedule>[0]['shared'],
): Promise<Schedule> {
  const sweepOnce = () =>
    runLeased(leasesOf(stores), 'sweep-orphans', dayMs, (metadata) => sweepOrphans({ ...stores, metadata, signal }));
  const measures = { clock: stores.clock, onRan: metrics.jobRan };
  const sweepMeasured = () => measured(measures, 'sweep-orphans', sweepOnce);
  const sweep = atMostEvery(dayMs, async () => (await sweepMeasured()) ?? 0, stores.monotonic.nowMs);
  return schedule({
    ...stores,
    signal,
    leases: stores.shared?.jobLeases,
    shared: { ...shared, 'sweep-orphans': sweep },
    readClock: await watchClock(stores),
    onWaiting: ({ byMs }) =>
      log.error(
        { jumped_by_hours: Math.round(byMs / 3_600_000) },
        'THE CLOCK HAS JUMPED: nothing is deleted by itself until an operator says that it is right, ' +
          'with "cubby jobs confirm-clock"',
      ),
    onRan: metrics.jobRan,
    onWait: metrics.jobsWait,
    onDone: (job, count) => log.info({ job, count }, 'job done'),
    onFault: (job, error) => log.error({ job, error }, 'fault'),
  });
}
