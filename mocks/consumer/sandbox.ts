/// <reference lib="esnext.disposable" preserve="true" />
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ErrorCode } from '#dist/modules/client/index.js';
import type { Fixtures } from '#dist/modules/fixtures/index.js';
import { nodeProgram } from './node-program.js';

/** The plan of an account. */
export type Plan = 'none' | 'hobby' | 'standard' | 'pro' | 'enterprise';

/** An account of the sandbox. Its id and its key are the same on every start. */
export interface SandboxAccount {
  readonly plan: Plan;
  readonly accountId: string;
  /** An API key with full access. */
  readonly credential: string;
}

/** The name of an operation, such as `uploadObject`. */
export type OperationId = keyof Fixtures;

export interface SandboxOptions {
  /** The port of each door. Default: a free one. */
  readonly ports?: Partial<Record<'api' | 'files' | 'public' | 's3' | 'operator', number>>;
  /** The port of the control API. Default: a free one. */
  readonly controlPort?: number;
  /** The address on which the doors listen. Default: 127.0.0.1. */
  readonly host?: string;
  /** Further variables of the server, such as CUBBY_AI_UPSTREAM_URL. */
  readonly env?: Readonly<Record<string, string>>;
  /** A seed, or the path of a JSON file with one. It is planted before `startSandbox()` resolves. */
  readonly seed?: Seed | string | URL;
}

/** What a sandbox holds before a test. */
export interface Seed {
  readonly files?: readonly SeedFile[];
  /** Fields of `createShare`, with the path of a seeded file in `file`. */
  readonly shares?: readonly SeedRequest[];
  /** Fields of `createUploadToken`. */
  readonly uploadTokens?: readonly SeedRequest[];
}

/** A file of a seed. Exactly one of `from`, `base64`, `text` and `sizeBytes` gives its bytes: at least 512. */
export interface SeedFile {
  /** `photos/beach.png`: prefix, name and extension. */
  readonly path: string;
  /** The path of a file on this machine, from the folder of the seed's file. */
  readonly from?: string;
  readonly base64?: string;
  readonly text?: string;
  /** So many bytes that are always the same. */
  readonly sizeBytes?: number;
  /** The account that gets the file, by its plan. Default: `pro`. */
  readonly plan?: Plan;
  readonly private?: boolean;
  readonly expire?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface SeedRequest {
  readonly plan?: Plan;
  readonly file?: string;
  readonly [field: string]: unknown;
}

/** What a seed made, in its order. */
export interface Seeded {
  readonly files: ReadonlyArray<{ readonly path: string; readonly id: string; readonly url: string | null }>;
  readonly shares: ReadonlyArray<{ readonly id: string; readonly url: string }>;
  readonly uploadTokens: ReadonlyArray<{ readonly token: string; readonly expires_at: string }>;
}

/** A failure of the next requests of an operation: with a code, or with a cut connection. */
export type NextFailure = {
  readonly operation: OperationId;
  /** How many requests fail. Default: 1. */
  readonly times?: number;
} & (
  | {
      /** One of the codes that the operation declares. */
      readonly code: ErrorCode | (string & {});
      /** The value of `Retry-After`, for a code that comes with it. Default: the contract's for the code. */
      readonly retryAfterSeconds?: number;
    }
  | {
      /** `request`: the server sees nothing. `response`: the server has acted, and the client gets nothing. */
      readonly cut: 'request' | 'response';
    }
);

/** A request that the sandbox received. */
export interface ReceivedRequest {
  /** RFC 3339, by the clock of the machine. */
  readonly at: string;
  readonly door: 'api' | 'files' | 'public' | 's3' | 'operator';
  /** Null for a request outside of the contract. */
  readonly operation: OperationId | 'getPublicFile' | null;
  readonly method: string;
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  /** Names in lower case. Of credentials only the last four characters are shown. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  /** The body, if it is JSON or a form of at most 64 KiB. */
  readonly body?: unknown;
  /** Null if the connection ended before a response. */
  readonly status: number | null;
  /** Whether `failNext()` caused the response. */
  readonly isPlanned: boolean;
}

/** A sandbox: the real server on a temporary folder, under the control of a test. */
export interface Sandbox extends AsyncDisposable {
  /** The addresses of the doors, without a trailing slash. They stay the same after `reset()`. */
  readonly urls: Readonly<Record<'api' | 'files' | 'public' | 's3' | 'operator', string>>;
  readonly accounts: readonly SandboxAccount[];
  /** A key of the operator's door, the same on every start. */
  readonly operatorKey: string;
  /** The differences from a server without settings, one line each. */
  readonly differences: readonly string[];
  /** The address of the control API. */
  readonly controlUrl: string;
  /** Returns the account of a plan. Default: `pro`. */
  account(plan?: Plan): SandboxAccount;
  /** Deletes everything that was stored, planned and received, and sets the clock and the line back. */
  reset(): Promise<void>;
  /**
   * Stores files, share links and upload tokens.
   *
   * @param seed a seed, or the path of a JSON file with one
   */
  seed(seed: Seed | string | URL): Promise<Seeded>;
  /** Sets the clock of the server. It goes on from there, unless it is stopped. */
  setClock(now: Date | string, options?: { readonly isStopped?: boolean }): Promise<void>;
  advanceClock(ms: number): Promise<void>;
  /** Lets the next requests of an operation fail. Several failures of an operation happen one after the other. */
  failNext(failure: NextFailure): Promise<void>;
  /** Slows the line. Without fields it has full speed again. */
  slowLine(speed?: { readonly latencyMs?: number; readonly bytesPerSecond?: number }): Promise<void>;
  /** Returns the last 1000 requests, or those of one operation. A request is listed once it has ended. */
  received(operation?: ReceivedRequest['operation']): Promise<ReceivedRequest[]>;
  /** Returns how many responses differed from the contract. More than none is a bug of Cubby. */
  wrongAnswers(): Promise<number>;
  stop(): Promise<void>;
}

interface Ready {
  readonly urls: Sandbox['urls'];
  readonly accounts: readonly SandboxAccount[];
  readonly operatorKey: string;
  readonly differences: readonly string[];
  readonly controlUrl: string;
}

/** The process of a sandbox, below the folder of the package. */
const program = fileURLToPath(import.meta.resolve('#mocks/sandbox/child.js'));
const stripTypes = import.meta.resolve('#mocks/sandbox/strip-types.js');

/**
 * Starts a sandbox in a process of its own. Several may run side by side. It ends with `stop()`, and with this process.
 *
 * @throws if it cannot start, with the reason
 */
export async function startSandbox({ seed, env = {}, ...options }: SandboxOptions = {}): Promise<Sandbox> {
  const child = fork(program, {
    execPath: nodeProgram(),
    // Threads of the server import the same hooks.
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', stripTypes],
    env: { ...plainEnv(), UV_THREADPOOL_SIZE: '8', CUBBY_SANDBOX: JSON.stringify({ ...options, env }) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const [message] = (await Promise.race([once(child, 'message'), exited])) as [unknown];
  const { ready, failed } = (typeof message === 'object' && message !== null ? message : {}) as {
    readonly ready?: Ready;
    readonly failed?: string;
  };
  if (!ready) throw new Error(`The sandbox cannot start: ${failed ?? 'its process ended'}`);
  // A process that has nothing else to do may end, and the sandbox with it.
  child.unref();
  child.channel?.unref();
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    if (child.connected) child.send('stop');
    await exited;
  };
  const sandbox = controlOf(ready, stop);
  try {
    if (seed !== undefined) await sandbox.seed(seed);
    return sandbox;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The variables of this process without those that would change the server or Node. */
function plainEnv(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(CUBBY_|NODE_OPTIONS$|NODE_V8_COVERAGE$|VITEST)/.test(name)),
  );
}

function controlOf(
  { urls, accounts, operatorKey, differences, controlUrl }: Ready,
  stop: () => Promise<void>,
): Sandbox {
  const send = async (method: string, path: string, body?: unknown): Promise<any> => {
    const response = await fetch(controlUrl + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const text = await response.text();
    const answer = text === '' ? undefined : JSON.parse(text);
    if (!response.ok) throw new Error(answer?.message ?? `The control API answered ${response.status}.`);
    return answer;
  };
  return {
    urls,
    accounts,
    operatorKey,
    differences,
    controlUrl,
    account(plan = 'pro') {
      const account = accounts.find((one) => one.plan === plan);
      if (!account) throw new Error(`There is no account with the plan "${plan}".`);
      return account;
    },
    reset: () => send('POST', '/reset'),
    seed: async (seed) => send('POST', '/seed', await readSeed(seed)),
    async setClock(now, { isStopped } = {}) {
      const instant = typeof now === 'string' ? now : now.toISOString();
      await send('PUT', '/clock', { now: instant, ...(isStopped !== undefined && { isStopped }) });
    },
    async advanceClock(ms) {
      await send('PUT', '/clock', { advanceMs: ms });
    },
    async failNext(failure) {
      await send('POST', '/failures', failure);
    },
    async slowLine(speed = {}) {
      await send('PUT', '/line', speed);
    },
    async received(operation) {
      const { requests } = (await send('GET', '/requests')) as { readonly requests: ReceivedRequest[] };
      return operation === undefined ? requests : requests.filter((one) => one.operation === operation);
    },
    wrongAnswers: async () => (await send('GET', '/wrong-answers')).count,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Reads a seed, and the files that it names. */
async function readSeed(seed: Seed | string | URL): Promise<Seed> {
  const isFile = typeof seed === 'string' || seed instanceof URL;
  const path = isFile ? (seed instanceof URL ? fileURLToPath(seed) : resolve(seed)) : undefined;
  const read = path === undefined ? (seed as Seed) : parsedSeed(path, await readFile(path, 'utf8'));
  const folder = path === undefined ? process.cwd() : dirname(path);
  const files = await Promise.all(
    (read.files ?? []).map(async ({ from, ...file }) =>
      from === undefined ? file : { ...file, base64: await readFile(resolve(folder, from), 'base64') },
    ),
  );
  return { ...read, files };
}

function parsedSeed(path: string, text: string): Seed {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The seed ${path} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
