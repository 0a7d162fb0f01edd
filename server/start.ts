import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { compose, type App } from './compose/compose.ts';
import type { Urls } from './compose/given.ts';
import type { HeadPace, Overrides } from './compose/overrides.ts';
import { protocolAnswer } from './compose/protocol-answer.ts';
import { featuresOff } from './compose/serve-features.ts';
import type { Config } from './config/config.ts';
import { doorNames, type DoorName } from './config/door-names.ts';
import { requireBodyPace, type BodyPace } from './http/body-pace.ts';
import { pauseTinyChunks } from './http/chunk-budget.ts';
import { acceptExpectations } from './http/continue.ts';
import { stopGracefully, watchConnections } from './http/graceful-stop.ts';
import { allowHalfClose } from './http/half-close.ts';
import { hostChoice } from './http/host-choice.ts';
import { answerProtocolErrors, requireClearHead, type DescribeFault } from './http/protocol-errors.ts';
import { inOriginForm } from './http/origin-form.ts';
import type { Log } from './log.ts';
import { NeedsChange } from './needs-change.ts';

/**
 * An import would read all exports of the module. That would also load Node's client for `fetch()`, which takes a tenth
 * of a start.
 */
const { createServer } = process.getBuiltinModule('node:http');

/** An idle connection is closed after this time, so that a stalled upload releases its slot. */
const idleTimeoutMs = 120_000;

/**
 * A slower body is cut off, so that it releases its slot. Each of six parallel parts gets a kilobyte a second over the
 * slowest mobile connections. A part of 32 MiB then takes less than nine hours.
 */
const slowestBody: BodyPace = { minBytes: 65_536, everyMs: 60_000 };

/** How long a head may take, after its connection or the previous response, and how often this is checked. */
const slowestHead: HeadPace = { timeoutMs: 30_000, checkEveryMs: 5_000 };

/** How long unfinished responses may take after a stop began. */
const stopTimeoutMs = 30_000;

export interface RunningServer {
  readonly app: App;
  readonly urls: Urls;
  /** The port of each open door, also where a free one was chosen. */
  readonly ports: Readonly<Record<DoorName, number>>;
  /**
   * Stops the server. At once `/readyz` returns 503. After `drainMs` the server accepts nothing new, finishes its
   * responses and closes the stores. Returns whether all responses were finished.
   */
  stop(options?: { readonly drainMs?: number }): Promise<boolean>;
}

/** A port with its doors. If there are several, the Host header chooses one. */
interface Port {
  readonly number: number;
  readonly doors: readonly DoorName[];
  readonly server: Server;
  /** Returns the response to bytes that are not a valid request. */
  readonly describeFault: DescribeFault;
}

/**
 * Opens all doors of a server.
 *
 * @throws if a port is taken or the data folder cannot be used. It leaves nothing open then
 */
export async function startServer(config: Config, log: Log, overrides: Overrides = {}): Promise<RunningServer> {
  let app: App | undefined;
  const paces = { body: overrides.slowestBody ?? slowestBody, head: overrides.slowestHead ?? slowestHead };
  const ports = portsOf(config, log, paces, () => app?.protocolAnswers);
  try {
    // Links need the number of a free port, which is known only once it listens. Fixed ports open when all is ready.
    for (const port of ports) if (port.number === 0 || mayMove(port, config)) await listen(port, config, log);
    const urls = urlsOf(config, ports);
    app = await compose(config, urls, log, overrides);
    for (const port of ports)
      port.server.on('request', requireClearHead(listenerOf(port, app, urls), port.describeFault));
    for (const port of ports) if (!port.server.listening) await listen(port, config, log);
    return runningServer(app, urls, ports);
  } catch (error) {
    await Promise.all(ports.map(closePort));
    // What else fails then is not the cause.
    await app?.close().catch((second: unknown) => log.error({ error: second }, 'fault'));
    throw error;
  }
}

function runningServer(app: App, urls: Urls, ports: readonly Port[]): RunningServer {
  let stopping: Promise<boolean> | undefined;
  const stop = async (drainMs: number) => {
    app.beginStop();
    // During this pause a load balancer notices the 503 of /readyz and sends requests elsewhere.
    if (drainMs > 0) await sleep(drainMs);
    const allFinished = await stopGracefully(
      ports.map(({ server }) => server),
      { timeoutMs: stopTimeoutMs },
    );
    await app.close();
    return allFinished;
  };
  return { app, urls, ports: numbersOf(ports), stop: ({ drainMs = 0 } = {}) => (stopping ??= stop(drainMs)) };
}

function portsOf(
  config: Config,
  log: Log,
  { body, head }: { readonly body: BodyPace; readonly head: HeadPace },
  ownAnswers: () => App['protocolAnswers'],
): Port[] {
  const { ports } = config;
  const closed = featuresOff(config).flatMap(({ doors = [] }) => doors);
  const open = doorNames.filter((door) => !closed.includes(door));
  // Each door with a free port gets its own.
  const groups = Map.groupBy(open, (door) => ports[door] || door);
  return [...groups.values()].map((doors) => {
    // No request timeout is set, because an upload may take long while it keeps its pace. TCP keep-alive detects
    // clients that vanished.
    const server = createServer({
      requireHostHeader: false,
      requestTimeout: 0,
      headersTimeout: head.timeoutMs,
      connectionsCheckingInterval: head.checkEveryMs,
      keepAliveTimeout: 65_000,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    });
    server.setTimeout(idleTimeoutMs);
    requireBodyPace(server, body);
    pauseTinyChunks(server);
    watchConnections(server);
    acceptExpectations(server);
    allowHalfClose(server);
    const describeFault: DescribeFault = (error) => {
      const answer = protocolAnswer(doors, error, ownAnswers());
      log.info(
        { door: doors.join(' '), fault: error.fault, status: answer.status, request_id: error.requestId },
        'request',
      );
      return answer;
    };
    answerProtocolErrors(server, describeFault);
    return { number: ports[doors[0]!], doors, server, describeFault };
  });
}

/** Closes a port whose requests nobody responds to, also one that is not open. */
function closePort({ server }: Port): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Whether a port that is taken may be replaced by a free one. */
function mayMove({ doors }: Port, { mayMoveOperator }: Config): boolean {
  return doors[0] === 'operator' && mayMoveOperator;
}

async function listen(port: Port, config: Config, log: Log): Promise<void> {
  if (!mayMove(port, config)) return listenOn(port, port.number, config);
  try {
    await listenOn(port, port.number, config);
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code !== 'EADDRINUSE') throw error;
    await listenOn(port, 0, config);
    const text =
      `Port ${port.number} is taken, so the operator's door has a free one. Set CUBBY_OPERATOR_PORT ` + 'to choose it.';
    log.warn({ port: numberOf(port) }, text);
  }
}

function listenOn({ server, doors }: Port, number: number, config: Config): Promise<void> {
  const isOperator = doors[0] === 'operator';
  const host = isOperator ? config.operatorHost : config.host;
  return new Promise((resolve, reject) => {
    const hostVariable = isOperator ? 'CUBBY_OPERATOR_HOST' : 'CUBBY_HOST';
    const variable = `CUBBY_${doors[0]!.toUpperCase()}_PORT`;
    const port = `Port ${number} (${doors.join(', ')})`;
    const ownAddress = `Set ${hostVariable} to an address of this machine, such as 127.0.0.1, 0.0.0.0 or ::.`;
    const refusals: Readonly<Record<string, () => Error>> = {
      EADDRINUSE: () => new Error(`${port} is taken by another program. Stop it, or set ${variable} to another port.`),
      EACCES: () =>
        new NeedsChange(`${port} needs rights that this user does not have. Set ${variable} to a port above 1023.`),
      // An address may come later, when the network is up.
      EADDRNOTAVAIL: () => new Error(`This machine has no address ${host}. ${ownAddress}`),
      EAI_AGAIN: () =>
        new Error(`${hostVariable} is ${host}, and no name server answers for it at the moment. ${ownAddress}`),
      ENOTFOUND: () => new NeedsChange(`${hostVariable} is ${host}, which is the name of no machine. ${ownAddress}`),
    };
    server.once('error', refuse);
    server.listen(number, host, () => {
      server.off('error', refuse);
      resolve();
    });

    function refuse(cause: NodeJS.ErrnoException): void {
      const others = () => new Error(`${port} cannot be opened on ${host}. Check ${variable} and ${hostVariable}.`);
      const refusal = (refusals[cause.code ?? ''] ?? others)();
      refusal.cause = cause;
      reject(refusal);
    }
  });
}

/** Returns the number of a port: the real one once it listens. */
function numberOf({ server, number }: Port): number {
  return (server.address() as AddressInfo | null)?.port ?? number;
}

/** Returns the port of each door. */
function numbersOf(ports: readonly Port[]): RunningServer['ports'] {
  const all = ports.flatMap((port) => port.doors.map((door) => [door, numberOf(port)] as const));
  return Object.fromEntries(all) as Record<DoorName, number>;
}

function urlsOf({ urls, ports: configured }: Config, ports: readonly Port[]): Urls {
  const local = (door: DoorName) => {
    const port = ports.find(({ doors }) => doors.includes(door));
    // A door that is switched off has the address that it would have.
    return `http://localhost:${port ? numberOf(port) : configured[door]}`;
  };
  const api = urls.api ?? local('api');
  return {
    base: urls.base ?? urls.api ?? local('api'),
    api,
    files: urls.files ?? local('files'),
    public: urls.public ?? local('public'),
    s3: urls.s3 ?? local('s3'),
    operator: urls.operator ?? local('operator'),
  };
}

function listenerOf({ doors }: Port, app: App, urls: Urls): RequestListener {
  const first = inOriginForm(app.doors[doors[0]!]!);
  if (doors.length === 1) return first;
  const hosts = doors.flatMap((door) =>
    hostsOf(door, urls).map((host) => [host, inOriginForm(app.doors[door]!)] as const),
  );
  return hostChoice(new Map(hosts), first);
}

/** In the S3 gateway's addresses, the bucket may be part of the host name. */
function hostsOf(door: DoorName, urls: Urls): string[] {
  const { host } = new URL(urls[door]);
  return door === 's3' ? [host, ...['public', 'private', 'legacy'].map((bucket) => `${bucket}.${host}`)] : [host];
}
