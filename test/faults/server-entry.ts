import { flushCompileCache } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { GCProfiler } from 'node:v8';

import { createAccount } from '#server/domain/access/create-account.ts';
import { builtInAppId } from '#server/features/apps/app.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import { recordAudit } from '#server/domain/audit/record-audit.ts';
import { createOperatorKey } from '#server/domain/operator/create-operator-key.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import { jobs, type JobName } from '#server/jobs/jobs.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import type { Plan } from '#server/domain/plan.ts';
import type { JobLease } from '#server/domain/ports/job-leases.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { runLeased } from '#server/jobs/run-leased.ts';
import { parseConfig } from '#server/config/config.ts';
import { openLog } from '#server/log.ts';
import { startServer } from '#server/start.ts';
import { countedIds } from './counted-ids.ts';
import { shiftClock } from './shift-clock.ts';
import { watchHolds } from './watch-holds.ts';

/*
 * The real server as a separate process, to be traced, measured and killed. `spawned-server.ts` starts it. Further
 * commands come over the process channel, so the server itself needs no switch for them.
 */

/** The start options of the process, as JSON in its first argument. */
export interface EntryOptions {
  readonly env: Readonly<Record<string, string>>;
  /** `false` skips every fsync. */
  readonly sync: boolean;
  /** How far its clock is off. */
  readonly clockOffsetMs?: number;
  /** Hashes passwords at a hundredth of their cost. */
  readonly hasCheapScrypt?: boolean;
  /** The interval of disk checks, 5 seconds by default. */
  readonly watchDiskEveryMs?: number;
  /** Multiplies PostgreSQL's time limits. */
  readonly timeLimitFactor?: number;
  /** The first of its counted ids. */
  readonly idsFrom?: number;
}

/** Rows to make without uploading. */
export interface Fill {
  readonly accountId: string;
  readonly rows: number;
  /** Keys are `<prefix><folder>/<number>.png`, or have no folder if this is 0. */
  readonly folders: number;
  readonly prefix: string;
  readonly isPrivate?: boolean;
  /** Age of the files. */
  readonly ageMs?: number;
  /** Time since the files expired. */
  readonly expiredMs?: number;
  /** Size of each file, by default one byte. Its bytes are in its row. */
  readonly sizeBytes?: number;
  /** Instead, the bytes are in so many blobs, which exist only as rows. */
  readonly blobs?: number;
}

/** A deleting rule that was saved long enough ago to be active. */
export interface DeletingRule {
  readonly accountId: string;
  readonly prefix: string;
  readonly deleteAfterDays: number;
}

/** The result and the cost of one run of a background job. */
export interface JobRun {
  readonly count: number;
  readonly tookMs: number;
}

/** A row that is written for a job. */
export interface JobWrite {
  readonly job: string;
  readonly row: string;
}

/** Delays of timers, in milliseconds. */
export interface LoopDelay {
  readonly maxMs: number;
  readonly p99Ms: number;
  /** The longest delay, without the time in which another program had the processor. */
  readonly heldMs: number;
  /** The longest time that the main thread computed without a turn of the event loop. */
  readonly computedMs: number;
}

// As in `server/main.js`.
process.env.UV_THREADPOOL_SIZE ??= '16';

const {
  env,
  clockOffsetMs = 0,
  idsFrom,
  hasCheapScrypt = false,
  ...others
} = JSON.parse(process.argv[2]!) as EntryOptions;
const cheapScrypt =
  (real: Scrypt): Scrypt =>
  (text, salt) =>
    real(text, salt, { N: 1024, r: 8, p: 1 });
if (clockOffsetMs !== 0) shiftClock(clockOffsetMs);
const overrides = { ...others, ...(idsFrom !== undefined && { ids: countedIds(idsFrom) }) };
const config = parseConfig(env);
const server = await startServer(config, openLog(config.logLevel), {
  ...overrides,
  ...(hasCheapScrypt && { scrypt: cheapScrypt }),
});
const { stores } = server.app;

let filled = 0;

/** The jobs that were taken. */
const leases = new Map<string, JobLease>();

const resolutionMs = 2;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
const held = watchHolds(resolutionMs);
let collections: GCProfiler | undefined;

/** The commands of the process. */
export const commands = {
  async account(plan: Plan) {
    const { accountId, key, credential } = await createAccount(stores, { name: `${plan} account`, plan });
    return { id: accountId, credential, keyId: key.id };
  },

  async operatorKey(): Promise<string> {
    return (await createOperatorKey(stores, { name: 'test', by: serverActor })).credential;
  },

  async fill({
    accountId,
    rows,
    folders,
    prefix,
    isPrivate = false,
    ageMs = 0,
    expiredMs,
    sizeBytes = 1,
    blobs,
  }: Fill): Promise<string[]> {
    const firstIds: string[] = [];
    const piece = 5_000;
    for (let done = 0; done < rows; done += piece) {
      await stores.metadata.atomically(async (tx) => {
        const count = Math.min(piece, rows - done);
        for (let number = done; number < done + count; number++) {
          const name = `${String(number).padStart(8, '0')}.png`;
          const key =
            folders === 0
              ? `${prefix}${name}`
              : `${prefix}${String(Math.floor((number * folders) / rows)).padStart(6, '0')}/${name}`;
          // Ids and keys are ascending, unlike real ones, because a tree that grows only at its end is filled many
          // times as fast.
          const contentId = `filled${String(filled++).padStart(20, '0')}`;
          const object = { accountId, space: isPrivate ? ('private' as const) : ('public' as const), key };
          const inline = [{ blobId: contentId, sizeBytes, inline: Buffer.alloc(sizeBytes) }];
          const apart = Array.from({ length: blobs ?? 0 }, (_, at) => ({
            blobId: `${contentId}-${at}`,
            sizeBytes: sizeBytes / blobs!,
            inline: null,
          }));
          await tx.contents.add({ id: contentId, sizeBytes, crc32: 0, blobs: blobs === undefined ? inline : apart });
          await tx.objects.put({
            ...object,
            contentId,
            sizeBytes,
            etag: '0123456789abcdef0123456789abcdef',
            sha256: '0123456789abcdef'.repeat(4),
            createdAt: tx.now - ageMs,
            expiresAt: expiredMs === undefined ? null : tx.now - expiredMs,
            cacheControl: null,
            disposition: null,
            originalName: 'picture.png',
            clientProperties: null,
            metadata: {},
            suffix: { hash: null, mark: null, extension: 'png' },
            generation: contentId,
            versionId: contentId,
          });
          if (firstIds.length < 1000) firstIds.push(formatObjectId(object));
        }
        await tx.accounts.addUsage(accountId, { bytes: count * sizeBytes, objects: count });
      });
      if (rows > 200_000 && done % 100_000 === 0) process.send!({ progress: done });
    }
    return firstIds;
  },

  async deletingRule({ accountId, prefix, deleteAfterDays }: DeletingRule): Promise<void> {
    const createdAt = Date.now() - 2 * 86_400_000;
    const rule = {
      prefix,
      isPrivate: null,
      expire: null,
      maxSizeBytes: null,
      extensions: null,
      cacheControl: null,
      deleteAfterDays,
      keepDeletedDays: null,
      keepVersions: null,
      createdAt,
    };
    await stores.metadata.atomically((tx) => tx.rules.replaceAll(accountId, [rule]));
  },

  /** Makes activity entries of this age. */
  async fillActivity({
    accountId,
    entries,
    ageMs,
  }: {
    readonly accountId: string;
    readonly entries: number;
    readonly ageMs: number;
  }): Promise<void> {
    const actor = { sourceIp: '192.0.2.7', userAgent: 'bench', auth: 'api_key' as const };
    for (let done = 0; done < entries; done += 5_000) {
      await stores.metadata.atomically(async (tx) => {
        for (let number = done; number < Math.min(entries, done + 5_000); number++) {
          const object = { accountId, space: 'public' as const, key: `photos/${number}.png` };
          await tx.activity.add(
            { accountId, type: 'object.uploaded', object, details: { size: 1, replaced: false }, actor },
            tx.now - ageMs,
          );
        }
      });
    }
  },

  /** Makes entries of the audit log. */
  async fillAudit(entries: number): Promise<void> {
    for (let done = 0; done < entries; done += 1_000)
      await stores.metadata.atomically(async (tx) => {
        for (let number = done; number < Math.min(entries, done + 1_000); number++)
          await recordAudit(tx, {
            action: 'account.plan_changed',
            by: { kind: 'operator_key', id: 'filled', address: '192.0.2.7' },
            accountId: String(number).padStart(18, '0'),
            subject: null,
            details: { plan: 'pro', former_plan: 'hobby' },
          });
      });
  },

  /** Makes accounts, each with a path that had an error. */
  async fillAccounts(accounts: number): Promise<void> {
    for (let done = 0; done < accounts; done += 500)
      await stores.metadata.atomically(async (tx) => {
        for (let number = done; number < Math.min(accounts, done + 500); number++) {
          const id = `9${String(number).padStart(17, '0')}`;
          await tx.accounts.add({ id, name: `account ${number}`, plan: 'pro', createdAt: tx.now });
          const at = Math.floor(tx.now / 1000) * 1000;
          const error = { at, status: 404, method: 'GET' as const, path: `/photos/${number}.png`, count: 1 };
          await tx.edgeErrors.add(builtInAppId(id), [error]);
        }
      });
  },

  /** Makes contents with a blob of one byte each, which no file names. */
  async fillBlobs(blobs: number): Promise<void> {
    for (let done = 0; done < blobs; done += 100) {
      const ids = Array.from({ length: Math.min(100, blobs - done) }, () => stores.ids.opaqueId());
      await Promise.all(ids.map((blobId) => stores.blobs.put(blobId, Readable.from([Buffer.alloc(1)]))));
      await stores.metadata.atomically(async (tx) => {
        for (const blobId of ids)
          await tx.contents.add({
            id: blobId,
            sizeBytes: 1,
            crc32: 0,
            blobs: [{ blobId, sizeBytes: 1, inline: null }],
          });
      });
    }
  },

  async runJob(name: JobName): Promise<JobRun> {
    const startedAt = performance.now();
    const count = await jobs[name].run(stores, stores.clock.now());
    return { count, tookMs: performance.now() - startedAt };
  },

  /** Runs a job if this process gets its lease, like the schedule. Resolves with undefined while another one has it. */
  async runLeasedJob(name: JobName): Promise<number | undefined> {
    const leases = stores.shared?.jobLeases;
    const run = (metadata: Metadata) => jobs[name].run({ ...stores, metadata }, stores.clock.now());
    return runLeased({ metadata: stores.metadata, leases }, name, { pauseMs: 0 }, run);
  },

  /**
   * Takes a job over PostgreSQL, and keeps its lease. Resolves with its epoch, or undefined while another one has it.
   */
  async takeJob(job: string): Promise<number | undefined> {
    const lease = await stores.shared!.jobLeases.take(job, 0);
    if (lease) leases.set(job, lease);
    return lease?.epoch;
  },

  /** Writes a row for a job that was taken. */
  async writeForJob({ job, row }: JobWrite): Promise<void> {
    const write = (tx: Transaction) => tx.purges.add({ id: row, url: job, changeId: null, dueAt: tx.now });
    await stores.metadata.atomically(write, { lease: leases.get(job)! });
  },

  /** Resolves once the process has been nearly idle for a while, so that it has read everything that was sent to it. */
  async idle(): Promise<void> {
    let utilization: number;
    do {
      const before = performance.eventLoopUtilization();
      await sleep(100);
      ({ utilization } = performance.eventLoopUtilization(before));
    } while (utilization > 0.05);
  },

  async watchLoop(): Promise<void> {
    delay.reset();
    delay.enable();
    held.begin();
    await sleep(10 * resolutionMs);
  },

  /** Returns the delays since `watchLoop()`. */
  async loopDelay(): Promise<LoopDelay> {
    // A block until now is measured only when the next timer fires.
    await sleep(10 * resolutionMs);
    delay.disable();
    const heldMs = held.end();
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
    return { maxMs: late(delay.max), p99Ms: late(delay.percentile(99)), heldMs, computedMs: held.longestComputedMs() };
  },

  async watchCollections(): Promise<void> {
    collections = new GCProfiler();
    collections.start();
  },

  /**
   * Returns the bytes of objects that outlived two small garbage collections since `watchCollections()`, so that only a
   * large one frees them.
   */
  async promotedBytes(): Promise<number> {
    const { statistics } = collections!.stop();
    return statistics
      .filter(({ gcType }) => gcType === 'Scavenge')
      .map(({ beforeGC, afterGC }) => oldBytes(afterGC.heapSpaceStatistics) - oldBytes(beforeGC.heapSpaceStatistics))
      .reduce((sum, bytes) => sum + bytes, 0);
  },

  /** Sets the clock of the process, as `shiftClock()` does. */
  async setClockOff(offsetMs: number): Promise<void> {
    shiftClock(offsetMs);
  },

  async stop(drainMs: number): Promise<boolean> {
    return server.stop({ drainMs });
  },
};

export type Commands = typeof commands;

function oldBytes(spaces: ReadonlyArray<{ readonly spaceName: string; readonly spaceUsedSize: number }>): number {
  return spaces.find(({ spaceName }) => spaceName === 'old_space')!.spaceUsedSize;
}

interface Asked {
  readonly number: number;
  readonly command: keyof Commands;
  readonly argument: never;
}

process.on('message', async ({ number, command, argument }: Asked) => {
  try {
    process.send!({ number, value: await commands[command](argument) });
  } catch (error) {
    process.send!({ number, error: String((error as Error).stack) });
  }
  if (command === 'stop') process.exit(0);
});
// The parent process has ended, and a test's server must not outlive the test.
process.on('disconnect', () => process.exit(1));
// Node writes its compile cache at exit, and a killed process never gets there.
flushCompileCache();
process.send!({ ready: { pid: process.pid, urls: server.urls } });
