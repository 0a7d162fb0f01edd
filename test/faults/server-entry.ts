import { flushCompileCache } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { createAccount } from '#server/domain/access/create-account.ts';
import { jobs, type JobName } from '#server/domain/jobs/job.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import type { Plan } from '#server/domain/plan.ts';
import { parseConfig } from '#server/config/config.ts';
import { openLog } from '#server/log.ts';
import { startServer } from '#server/start.ts';
import { watchHolds } from './watch-holds.ts';

/*
 * The real server as a process of its own, to be traced, weighed and killed: `spawned-server.ts` starts it. What it is
 * asked to do beside serving comes over the process channel, so the server itself needs no switch for any of it.
 */

/** What the process is started with, as JSON in its first argument. */
export interface EntryOptions {
  readonly env: Readonly<Record<string, string>>;
  /** `false` leaves every fsync out. */
  readonly sync: boolean;
  /** How often it looks at its disk; 5 seconds when left out. */
  readonly watchDiskEveryMs?: number;
}

/** Rows to be made without uploading, all of them with a content of one byte unless it says otherwise. */
export interface Fill {
  readonly accountId: string;
  readonly rows: number;
  /** Keys are `<prefix><folder>/<number>.png`, or without a folder when this is 0. */
  readonly folders: number;
  readonly prefix: string;
  readonly isPrivate?: boolean;
  /** How long ago they were written. */
  readonly ageMs?: number;
  /** How long ago they expired. */
  readonly expiredMs?: number;
  /** Of each file, in so many blobs that only the rows know of. */
  readonly sizeBytes?: number;
  readonly blobs?: number;
}

/** A rule that deletes, saved long enough ago to be active. */
export interface DeletingRule {
  readonly accountId: string;
  readonly prefix: string;
  readonly deleteAfterDays: number;
}

/** What one run of a background job did and cost. */
export interface JobRun {
  readonly count: number;
  readonly tookMs: number;
}

/** How long timers were late, in milliseconds. */
export interface LoopDelay {
  readonly maxMs: number;
  readonly p99Ms: number;
  /** The longest, without the time in which the process was ready and another program had the processor. */
  readonly heldMs: number;
}

// As `server/main.ts` has it.
process.env.UV_THREADPOOL_SIZE ??= '16';

const { env, ...overrides } = JSON.parse(process.argv[2]!) as EntryOptions;
const config = parseConfig(env);
const server = await startServer(config, openLog(config.logLevel), overrides);
const { stores } = server.app;

let filled = 0;

const resolutionMs = 2;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
const held = watchHolds(resolutionMs);

/** Everything that the process can be asked. */
export const commands = {
  async account(plan: Plan) {
    const { accountId, key, credential } = await createAccount(stores, { name: `${plan} account`, plan });
    return { id: accountId, credential, keyId: key.id };
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
          // Ids and keys in ascending order, unlike real ones: a tree that grows at its end alone is filled many times
          // as fast.
          const contentId = `filled${String(filled++).padStart(20, '0')}`;
          const object = { accountId, space: isPrivate ? ('private' as const) : ('public' as const), key };
          const inline = [{ blobId: contentId, sizeBytes: 1, inline: Buffer.alloc(1) }];
          const apart = Array.from({ length: blobs ?? 0 }, (_, at) => ({
            blobId: `${contentId}-${at}`,
            sizeBytes: sizeBytes / blobs!,
            inline: null,
          }));
          await tx.contents.add({ id: contentId, sizeBytes, blobs: blobs === undefined ? inline : apart });
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
            ending: { hash: null, mark: null, extension: 'png' },
            generation: contentId,
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
      createdAt,
    };
    await stores.metadata.atomically((tx) => tx.rules.replaceAll(accountId, [rule]));
  },

  /** Entries of activity that are so old. */
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

  async runJob(name: JobName): Promise<JobRun> {
    const startedAt = performance.now();
    const count = await jobs[name].run(stores, Date.now());
    return { count, tookMs: performance.now() - startedAt };
  },

  /** Resolves once it has done next to nothing for a while: all that was sent to it is taken in. */
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

  /** Since `watchLoop()`. */
  async loopDelay(): Promise<LoopDelay> {
    // What has held the loop until now is seen only when the next timer fires.
    await sleep(10 * resolutionMs);
    delay.disable();
    const heldMs = held.end();
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
    return { maxMs: late(delay.max), p99Ms: late(delay.percentile(99)), heldMs };
  },

  async stop(): Promise<boolean> {
    return server.stop();
  },
};

export type Commands = typeof commands;

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
// Whoever started it is gone: a server of a test must not outlive the test.
process.on('disconnect', () => process.exit(1));
// Node writes down what it has compiled when it ends, and who is killed does not end.
flushCompileCache();
process.send!({ ready: { pid: process.pid, urls: server.urls } });
