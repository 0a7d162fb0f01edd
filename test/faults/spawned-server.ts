import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { programEnv } from '#test/support/command.ts';
import type { TestAccount } from '#test/support/server.ts';
import type { Plan } from '#server/domain/plan.ts';
import type { Urls } from '#server/compose/given.ts';
import { nodeFlags, processEnv } from '#mocks/consumer/process-settings.js';
import type { JobName } from '#server/jobs/jobs.ts';
import type { Commands, DeletingRule, EntryOptions, Fill, JobRun, JobWrite, LoopDelay } from './server-entry.ts';

export interface SpawnOptions {
  /** The data folder of an earlier server. Without it a new one is made, which `remove()` removes. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly sync?: boolean;
  /** Hashes passwords at a hundredth of their cost. */
  readonly hasCheapScrypt?: boolean;
  /** How far its clock is off. */
  readonly clockOffsetMs?: number;
  /** The entry of another version of the server. Default: that of this one. */
  readonly entry?: string;
  /** Keeps to SQLite and files, whatever the stores of this run of tests are. */
  readonly ownStores?: boolean;
  /** The interval of disk checks. */
  readonly watchDiskEveryMs?: number;
  /** Multiplies PostgreSQL's time limits, with the lease that a killed server leaves. */
  readonly timeLimitFactor?: number;
  /** A command that runs the server, for instance `['strace', '-f']`. */
  readonly under?: readonly string[];
  /** The first of its counted ids, see `countedIds()`. Default: random ids. */
  readonly idsFrom?: number;
  /** Threads that read and write files. Default 16, as in `server/main.js`. */
  readonly poolThreads?: number;
  /** Called at once with a function that kills the process, which may not be ready yet. */
  readonly onSpawned?: (kill: () => void) => void;
  /** Called with the number of rows that `fill()` has made. */
  readonly onProgress?: (rows: number) => void;
}

/** The real server in a separate process. */
export interface SpawnedServer {
  /** The server's own process id, even under another command. */
  readonly pid: number;
  readonly urls: Urls;
  readonly dataDir: string;
  /** Its stderr, which is its log. */
  stderr(): string;
  account(plan?: Plan): Promise<TestAccount>;
  /** Makes a key of the operator's door. */
  operatorKey(): Promise<string>;
  /** Makes rows. Returns the first thousand ids. */
  fill(fill: Fill): Promise<string[]>;
  deletingRule(rule: DeletingRule): Promise<void>;
  fillActivity(fill: { readonly accountId: string; readonly entries: number; readonly ageMs: number }): Promise<void>;
  fillAudit(entries: number): Promise<void>;
  fillAccounts(accounts: number): Promise<void>;
  fillBlobs(blobs: number): Promise<void>;
  /** Runs a background job once, now. */
  runJob(name: JobName): Promise<JobRun>;
  /**
   * Runs a job if it gets its lease. Resolves with the number of items, or with undefined while another server has it.
   */
  runLeasedJob(name: JobName): Promise<number | undefined>;
  /** Takes a job and keeps it. Resolves with its epoch, or with undefined while another server has it. */
  takeJob(job: string): Promise<number | undefined>;
  /** Writes a row for a job that was taken. */
  writeForJob(write: JobWrite): Promise<void>;
  /** Resolves once the server has read everything that was sent to it. */
  idle(): Promise<void>;
  /** Suspends the process. Resolves once it is suspended. Linux only. */
  pause(): Promise<void>;
  resume(): void;
  /** Sets its clock off by so much. 0 sets it right. */
  setClockOff(offsetMs: number): Promise<void>;
  watchLoop(): Promise<void>;
  loopDelay(): Promise<LoopDelay>;
  watchCollections(): Promise<void>;
  /** Bytes of objects that became old since `watchCollections()`. */
  promotedBytes(): Promise<number>;
  /** Stops it as an operator would. @param drainMs how long it says so before, for load balancers. Default 0 */
  stop(drainMs?: number): Promise<void>;
  /** Waits until it has ended by itself. Returns its exit code, or null if a signal ended it. */
  ended(): Promise<number | null>;
  /** kill -9. */
  kill(): Promise<void>;
  /** Kills the process if it still runs, and removes the data folder if this server made it. */
  remove(): Promise<void>;
}

const ownEntry = join(import.meta.dirname, 'server-process.js');

/** Starts the real server as a process. It is ready when this resolves. Rate limits are off unless `env` sets them. */
export async function spawnServer({
  dataDir,
  env = {},
  sync = true,
  hasCheapScrypt = false,
  clockOffsetMs,
  entry = ownEntry,
  ownStores = false,
  watchDiskEveryMs,
  timeLimitFactor,
  under = [],
  idsFrom,
  poolThreads,
  onSpawned,
  onProgress,
}: SpawnOptions = {}): Promise<SpawnedServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'cubby-spawned-')));
  const doors = Object.fromEntries(
    ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door) => [`CUBBY_${door}_PORT`, '0']),
  );
  const stores = ownStores ? undefined : await chosenStores();
  const options: EntryOptions = {
    env: {
      CUBBY_DATA_DIR: folder,
      CUBBY_RATE_LIMITS: 'off',
      CUBBY_CACHES: process.env.CUBBY_CACHES ?? 'on',
      CUBBY_LOG: 'warn',
      CUBBY_MIN_FREE_BYTES: '0',
      ...doors,
      ...(await stores?.settingsOfStores(folder)),
      ...env,
    },
    sync,
    ...(hasCheapScrypt && { hasCheapScrypt }),
    ...(clockOffsetMs !== undefined && { clockOffsetMs }),
    ...(watchDiskEveryMs !== undefined && { watchDiskEveryMs }),
    ...(timeLimitFactor !== undefined && { timeLimitFactor }),
    ...(idsFrom !== undefined && { idsFrom }),
  };
  const [command, ...args] = [...under, process.execPath, ...nodeFlags, entry, JSON.stringify(options)];
  const threads = poolThreads === undefined ? {} : { UV_THREADPOOL_SIZE: String(poolThreads) };
  const child = spawn(command!, args, {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    env: { ...programEnv, ...processEnv, ...threads },
  });
  onSpawned?.(() => void child.kill('SIGKILL'));
  const gone = once(child, 'exit');
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));

  const channel = new Channel(child, () => stderr, onProgress);
  const { pid, urls } = await channel.ready;
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    process.kill(pid, 'SIGKILL');
    await gone;
  };
  return {
    pid,
    urls,
    dataDir: folder,
    stderr: () => stderr,
    account: (plan = 'enterprise') => channel.ask('account', plan),
    operatorKey: () => channel.ask('operatorKey', undefined),
    fill: (fill) => channel.ask('fill', fill),
    deletingRule: (rule) => channel.ask('deletingRule', rule),
    fillActivity: (fill) => channel.ask('fillActivity', fill),
    fillAudit: (entries) => channel.ask('fillAudit', entries),
    fillAccounts: (accounts) => channel.ask('fillAccounts', accounts),
    fillBlobs: (blobs) => channel.ask('fillBlobs', blobs),
    runJob: (name) => channel.ask('runJob', name),
    runLeasedJob: (name) => channel.ask('runLeasedJob', name),
    takeJob: (job) => channel.ask('takeJob', job),
    writeForJob: (write) => channel.ask('writeForJob', write),
    idle: () => channel.ask('idle', undefined),
    async pause() {
      process.kill(pid, 'SIGSTOP');
      // The state follows the name in parentheses. @see proc_pid_stat(5)
      while (!/\) [Tt] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await sleep(5);
    },
    resume: () => void process.kill(pid, 'SIGCONT'),
    setClockOff: (offsetMs) => channel.ask('setClockOff', offsetMs),
    watchLoop: () => channel.ask('watchLoop', undefined),
    loopDelay: () => channel.ask('loopDelay', undefined),
    watchCollections: () => channel.ask('watchCollections', undefined),
    promotedBytes: () => channel.ask('promotedBytes', undefined),
    async stop(drainMs = 0) {
      await channel.ask('stop', drainMs);
      await gone;
    },
    async ended() {
      await gone;
      return child.exitCode;
    },
    kill,
    async remove() {
      await kill();
      if (dataDir) return;
      await stores?.removeStores(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Benchmarks start servers too, without a run of tests around them. */
async function chosenStores(): Promise<typeof import('#test/support/chosen-store.ts') | undefined> {
  return process.env.CUBBY_TEST_STORE === undefined ? undefined : import('#test/support/chosen-store.ts');
}

/** The commands of the process and their results. */
class Channel {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #ready = Promise.withResolvers<{ pid: number; urls: Urls }>();
  #asked = 0;

  constructor(child: ChildProcess, stderr: () => string, onProgress: SpawnOptions['onProgress']) {
    this.#child = child;
    child.on(
      'message',
      (message: {
        ready?: { pid: number; urls: Urls };
        progress?: number;
        number?: number;
        value?: unknown;
        error?: string;
      }) => {
        if (message.ready) return this.#ready.resolve(message.ready);
        if (message.progress !== undefined) return onProgress?.(message.progress);
        const asked = this.#waiting.get(message.number!);
        this.#waiting.delete(message.number!);
        if (message.error === undefined) asked?.resolve(message.value);
        else asked?.reject(new Error(message.error));
      },
    );
    const over = (error: unknown) => {
      this.#ready.reject(error);
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    child.once('error', over);
    child.once('exit', (code, signal) => over(new Error(`The server has ended (${signal ?? code}).\n${stderr()}`)));
  }

  get ready(): Promise<{ pid: number; urls: Urls }> {
    return this.#ready.promise;
  }

  ask<C extends keyof Commands>(
    command: C,
    argument: Parameters<Commands[C]>[0],
  ): Promise<Awaited<ReturnType<Commands[C]>>> {
    const number = ++this.#asked;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(number, answer);
    this.#child.send({ number, command, argument });
    return answer.promise as Promise<Awaited<ReturnType<Commands[C]>>>;
  }
}
