import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { RetriedCode } from '#generated/errors.ts';
import { doorNames, type DoorName } from '#server/config/door-names.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Answer } from '#server/pipeline/pipeline.ts';
import { startSandbox, type Sandbox, type SandboxAccount } from '../sandbox.ts';
import { SandboxClock } from './clock.ts';
import { Failures, type PlannedFailure } from './failures.ts';
import { fullSpeed, Line, type LineSpeed } from './line.ts';
import { operationAt } from './operation-at.ts';
import { Received } from './received.ts';

/** The addresses of a sandbox, without a trailing slash. They stay the same after a reset. */
type SandboxUrls = Readonly<Record<DoorName, string>>;

export interface ControlledOptions {
  /** The port of each door; 0, the default, chooses a free one. */
  readonly ports?: Partial<Record<DoorName, number>>;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Further variables of the server. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly report?: (text: string) => void;
}

/** A sandbox that tests control: it can be emptied, be slow, fail, and live at another time. */
export interface ControlledSandbox {
  readonly urls: SandboxUrls;
  readonly accounts: readonly SandboxAccount[];
  /** A key of the operator's door, the same on every start. */
  readonly operatorKey: string;
  /** The differences from a server without settings, for people. */
  readonly differences: readonly string[];
  readonly clock: SandboxClock;
  readonly failures: Failures;
  readonly received: Received;
  speed: LineSpeed;
  /** Returns how many responses differed from the contract since the start. */
  wrongAnswers(): Promise<number>;
  /** Deletes everything that was stored, planned and received, and sets the clock and the line back. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a sandbox under control. Each has its own folder, ports and clock, so several run side by side. */
export async function startControlledSandbox(options: ControlledOptions = {}): Promise<ControlledSandbox> {
  const { ports = {}, host = '127.0.0.1', env = {}, report } = options;
  const clock = new SandboxClock();
  const failures = new Failures();
  const received = new Received();
  const planned = new WeakMap<IncomingMessage, Refusal>();
  const state = { speed: fullSpeed };
  let wrongBefore = 0;
  const lines = await openLines(ports, host, () => state.speed);
  const urls = mapDoors((name) => `http://localhost:${lines.get(name)!.port}`);
  const start = async (): Promise<Sandbox> => {
    const sandbox = await startSandbox({
      env: { CUBBY_LOG: 'silent', ...env, ...ownVariables(urls) },
      ...(report && { report }),
      overrides: { clock, sync: false, answer: (real) => refusingPlanned(real, planned) },
      door: (name, real) =>
        watched(name, real, { failures, planned, received, latencyMs: () => state.speed.latencyMs }),
    });
    for (const name of doorNames) lines.get(name)!.leadTo(sandbox.ports[name]);
    return sandbox;
  };
  let sandbox = await start();
  /** Resets follow each other, because each replaces the server. */
  let last: Promise<unknown> = Promise.resolve();
  const reset = async () => {
    const old = sandbox;
    clock.reset();
    failures.clear();
    state.speed = fullSpeed;
    sandbox = await start();
    received.clear();
    await old.stop();
    wrongBefore += old.wrongAnswers.length;
  };
  return {
    urls,
    accounts: sandbox.accounts,
    operatorKey: sandbox.operatorKey,
    differences: sandbox.differences,
    clock,
    failures,
    received,
    get speed() {
      return state.speed;
    },
    set speed(speed) {
      state.speed = speed;
    },
    async wrongAnswers() {
      await sandbox.checked();
      return wrongBefore + sandbox.wrongAnswers.length;
    },
    reset: () => (last = last.then(reset)) as Promise<void>,
    async stop() {
      await last;
      await Promise.all([...lines.values()].map((line) => line.close()));
      await sandbox.stop();
    },
  };
}

async function openLines(
  ports: Partial<Record<DoorName, number>>,
  host: string,
  speed: () => LineSpeed,
): Promise<ReadonlyMap<DoorName, Line>> {
  const lines = new Map<DoorName, Line>();
  for (const name of doorNames) lines.set(name, await Line.open(ports[name] ?? 0, host, speed));
  return lines;
}

function mapDoors<T>(valueOf: (name: DoorName) => T): Record<DoorName, T> {
  return Object.fromEntries(doorNames.map((name) => [name, valueOf(name)])) as Record<DoorName, T>;
}

/** Returns the variables of a server behind lines with these addresses. */
function ownVariables(urls: SandboxUrls): Record<string, string> {
  const perDoor = doorNames.flatMap((name) => [
    [`CUBBY_${name.toUpperCase()}_PORT`, '0'],
    [`CUBBY_${name.toUpperCase()}_URL`, urls[name]],
  ]);
  return { ...Object.fromEntries(perDoor), CUBBY_HOST: '127.0.0.1' };
}

interface Watch {
  readonly failures: Failures;
  /** The requests that are to be refused. */
  readonly planned: WeakMap<IncomingMessage, Refusal>;
  readonly received: Received;
  latencyMs(): number;
}

/** Returns a door whose requests are recorded, delayed, and fail as planned. */
function watched(
  door: DoorName,
  real: RequestListener,
  { failures, planned, received, latencyMs }: Watch,
): RequestListener {
  return async (req, res) => {
    const { method = '', url = '' } = req;
    const operation = method === 'OPTIONS' ? undefined : operationAt(door, method, url.split('?', 1)[0]!);
    const failure = failures.take(operation);
    received.watch({ door, operation, isPlanned: failure !== undefined }, req, res);
    const delayMs = latencyMs();
    if (delayMs > 0) await sleep(delayMs);
    if (failure?.cut === 'request') return void req.socket.resetAndDestroy();
    if (failure?.cut === 'response') cutResponse(res);
    if (failure?.code !== undefined) planned.set(req, refusalOf(failure));
    return real(req, res);
  };
}

/** Ends the connection in place of the response's first byte. The server has acted by then. */
function cutResponse(res: ServerResponse): void {
  const cut = () => {
    res.socket?.resetAndDestroy();
    return res;
  };
  res.writeHead = cut;
  res.end = cut;
  res.write = () => {
    cut();
    return true;
  };
}

function refusalOf({ code, retryAfterSeconds }: PlannedFailure): Refusal {
  // The plan has seconds only for a code that comes with them.
  return new Refusal(code as RetriedCode, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

/** Lets the server itself refuse the requests whose failure is planned, so that the refusal has its headers. */
function refusingPlanned(real: Answer, planned: WeakMap<IncomingMessage, Refusal>): Answer {
  return (context, exchange) => {
    const refusal = planned.get(context.req);
    if (!refusal) return real(context, exchange);
    const refuse = async () => {
      throw refusal;
    };
    return real(context, {
      admitCaller: refuse,
      parse: refuse,
      isWrongCredential: () => false,
      sendBody: (reply) => exchange.sendBody(reply),
      sendUnmet: (status, file) => exchange.sendUnmet(status, file),
      failureOf: (error) => exchange.failureOf(error),
      sendRefusal: (refused) => exchange.sendRefusal(refused),
    });
  };
}
