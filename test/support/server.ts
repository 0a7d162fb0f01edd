import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished } from 'vitest';

import { createKey, type CreateKey } from '#server/domain/access/create-key.ts';
import { createAccount } from '#server/domain/access/create-account.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import { createOperatorKey } from '#server/domain/operator/create-operator-key.ts';
import type { Plan } from '#server/domain/plan.ts';
import type { Overrides } from '#server/compose/overrides.ts';
import { parseConfig } from '#server/config/config.ts';
import { doorNames, type DoorName } from '#server/config/door-names.ts';
import { openLog } from '#server/log.ts';
import { startServer, type RunningServer } from '#server/start.ts';
import { chosenReplicas, isOnPostgres, removeStores, settingsOfStores } from './chosen-store.ts';
import { checkAnswer } from './contract.ts';
import { TestClock } from './clock.ts';
import { writeFreshFolder, writeFreshKey } from './fresh-folder.ts';
import { relaxed } from './postgres/time-limits.ts';
import { startFront, type Front } from './front.ts';
import { prefixes } from '#test/support/parsed.ts';

/** A raw response that was checked against the contract. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** Returns the body as JSON. @throws if it is not JSON */
  json(): any;
}

export interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: NonNullable<RequestInit['body']>;
  /** Sent as the `Authorization` header. */
  readonly credential?: string;
  readonly door?: DoorName;
  readonly signal?: AbortSignal;
}

export interface TestAccount {
  readonly id: string;
  readonly credential: string;
  readonly keyId: string;
}

export interface TestServer {
  readonly running: RunningServer;
  readonly clock: TestClock;
  readonly dataDir: string;
  /** All log lines so far, parsed. */
  readonly log: ReadonlyArray<Record<string, unknown>>;
  /** Sends a request and checks the raw response (status, headers, media type, body) against the contract. */
  send(path: string, request?: TestRequest): Promise<TestAnswer>;
  account(plan?: Plan): Promise<TestAccount>;
  /** Makes a key of the operator's door. */
  operatorKey(): Promise<string>;
  key(
    account: TestAccount,
    options: Omit<CreateKey, 'accountId' | 'name' | 'prefixes'> & { readonly prefixes?: readonly string[] },
  ): Promise<string>;
  stop(): Promise<void>;
}

export interface TestServerOptions extends Omit<Overrides, 'clock'> {
  readonly env?: Readonly<Record<string, string>>;
  /** The data folder of an earlier server. It is kept when this one stops. */
  readonly dataDir?: string;
  readonly clock?: TestClock;
  /** Keeps to SQLite and files, and to one server, whatever is chosen for this run of tests. */
  readonly ownStores?: boolean;
  /** Turns rate limits on. They are off by default because most tests are about other things. */
  readonly rateLimits?: boolean;
}

/**
 * Starts the real server over a temporary folder, on free ports, with a clock that stands still.
 *
 * It syncs nothing to disk by default, because no test here cuts the power. test/faults/durability.long.test.ts proves
 * that the server syncs. Passwords are hashed at a hundredth of their cost, except in the long run. PostgreSQL's time
 * limits are long.
 *
 * A server that is started in a test is stopped when the test ends. A server that is started in `beforeAll` (which
 * takes about a second) must be stopped by the caller.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const {
    env = {},
    rateLimits = false,
    clock = new TestClock(),
    sync = false,
    scrypt = cheapScrypt,
    timeLimitFactor = relaxed,
    ownStores = false,
    ...overrides
  } = options;
  const dataDir = options.dataDir ?? (await newFolder(ownStores));
  const front = chosenReplicas > 1 && !ownStores ? await startFront() : undefined;
  const config = parseConfig({
    CUBBY_DATA_DIR: dataDir,
    CUBBY_API_PORT: '0',
    CUBBY_FILES_PORT: '0',
    CUBBY_PUBLIC_PORT: '0',
    CUBBY_S3_PORT: '0',
    CUBBY_OPERATOR_PORT: '0',
    CUBBY_RATE_LIMITS: rateLimits ? 'on' : 'off',
    CUBBY_CACHES: process.env.CUBBY_CACHES ?? 'on',
    CUBBY_LOG: 'debug',
    // Tests must not depend on the free space of the machine.
    CUBBY_MIN_FREE_BYTES: '0',
    ...(!ownStores && (await settingsOfStores(dataDir))),
    ...(front && settingsOf(front)),
    ...env,
  });
  const log: Array<Record<string, unknown>> = [];
  const start = () =>
    startServer(config, openLog(config.logLevel, { write: (line) => void log.push(JSON.parse(line)) }), {
      ...overrides,
      clock,
      sync,
      scrypt,
      timeLimitFactor,
    });
  const server = front ? await startBehind(front, start) : await start();
  const { stores } = server.app;

  const test: TestServer = {
    running: server,
    clock,
    dataDir,
    log,
    send: (path, request = {}) => send(server, path, request),
    async account(plan = 'enterprise') {
      const { accountId, key, credential } = await createAccount(stores, { name: `${plan} account`, plan });
      return { id: accountId, credential, keyId: key.id };
    },
    async operatorKey() {
      return (await createOperatorKey(stores, { name: 'test', by: serverActor })).credential;
    },
    async key(account, { prefixes: texts, ...keyOptions }) {
      const reach = texts && { prefixes: prefixes(...texts) };
      const command = { accountId: account.id, name: 'test key', ...keyOptions, ...reach };
      return (await createKey(stores, command)).credential;
    },
    async stop() {
      await server.stop();
      if (options.dataDir) return;
      await removeStores(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  stopAfterTest(test);
  return test;
}

const settingsOf = ({ urls }: Front) =>
  Object.fromEntries(doorNames.map((door) => [`CUBBY_${door.toUpperCase()}_URL`, urls[door]]));

/** Starts as many servers as the run asks for, behind one address. The result has the first one's stores. */
async function startBehind(front: Front, start: () => Promise<RunningServer>): Promise<RunningServer> {
  const servers: RunningServer[] = [];
  for (let count = 0; count < chosenReplicas; count++) servers.push(await start());
  front.open(servers);
  const [first] = servers as [RunningServer, ...RunningServer[]];
  return {
    app: first.app,
    urls: { ...first.urls, ...front.urls, base: front.urls.api },
    ports: front.ports,
    async stop(options) {
      const finished = await Promise.all(servers.map((server) => server.stop(options)));
      await front.close();
      return finished.every(Boolean);
    },
  };
}

const isLong = process.env.CUBBY_TEST_LONG === '1';

/** Uses the threads of the real function, with a lower cost. */
const cheapScrypt: NonNullable<Overrides['scrypt']> = (real) =>
  isLong ? real : (text, salt) => real(text, salt, { N: 1024, r: 8, p: 1 });

async function newFolder(ownStores: boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-test-'));
  (isOnPostgres && !ownStores ? writeFreshKey : writeFreshFolder)(folder);
  return folder;
}

/** Stops the server when the test ends. Outside of a test (in `beforeAll`) `onTestFinished()` throws. */
function stopAfterTest(server: TestServer): void {
  try {
    onTestFinished(() => server.stop());
  } catch {
    // The caller in `beforeAll` stops it.
  }
}

async function send(server: RunningServer, path: string, request: TestRequest): Promise<TestAnswer> {
  const { door = 'api', method = 'GET', headers = {}, body, credential, signal } = request;
  const response = await fetch(server.urls[door] + path, {
    method,
    headers: { ...headers, ...(credential !== undefined && { Authorization: credential }) },
    redirect: 'manual',
    ...(body !== undefined && { body, duplex: 'half' }),
    ...(signal && { signal }),
  } as RequestInit);
  const bytes = Buffer.from(await response.arrayBuffer());
  const answer = {
    method,
    path: path.split('?')[0]!,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: bytes,
    door,
  };
  expect(
    checkAnswer(answer),
    `${method} ${path} answered ${response.status} ${bytes.toString().slice(0, 300)}`,
  ).toEqual([]);
  return { status: response.status, headers: response.headers, body: bytes, json: () => JSON.parse(bytes.toString()) };
}
