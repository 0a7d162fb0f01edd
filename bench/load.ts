import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One connection. Sends requests as raw bytes and waits for each response, with little work for this process. */
class Connection {
  readonly #socket: Socket;
  readonly #isHead: boolean;
  #seen: Buffer = Buffer.alloc(0);
  #waiting: PromiseWithResolvers<number> | undefined;
  /** Servers close idle connections after seconds. */
  isOpen = true;

  private constructor(socket: Socket, isHead: boolean) {
    this.#socket = socket;
    this.#isHead = isHead;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.once('close', () => {
      this.isOpen = false;
      this.#waiting?.reject(new Error('The server closed the connection.'));
    });
  }

  /** @param isHead whether all requests are HEAD, whose responses have no body whatever their length says */
  static async open(url: string, isHead = false): Promise<Connection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket, isHead);
  }

  /** Sends a request and returns the status. */
  request(bytes: Buffer): Promise<number> {
    this.#waiting = Promise.withResolvers();
    this.#socket.write(bytes);
    return this.#waiting.promise;
  }

  #take(chunk: Buffer): void {
    this.#seen = this.#seen.length === 0 ? chunk : Buffer.concat([this.#seen, chunk]);
    const headEnd = this.#seen.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = this.#seen.toString('latin1', 0, headEnd);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) return this.#waiting?.reject(new Error(`A response without Content-Length: ${head}`));
    if (!this.#isHead && this.#seen.length < headEnd + 4 + Number(length)) return;
    this.#seen = Buffer.alloc(0);
    this.#waiting?.resolve(Number(head.slice(9, 12)));
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }
}

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly durationMs: number;
  /** Returns the whole request with this number: head and body. */
  readonly request: (number: number) => Buffer;
  /** Whether all requests are HEAD. */
  readonly isHead?: boolean;
  /** The status of each response. Default 200. */
  readonly expected?: number;
}

/**
 * Returns the requests per second over keep-alive connections with one request each at a time.
 *
 * @throws on any other status than the expected one
 */
export async function requestsPerSecond({
  url,
  connections,
  durationMs,
  request,
  isHead,
  expected = 200,
}: Load): Promise<number> {
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(url, isHead)));
  let sent = 0;
  const startedAt = performance.now();
  await Promise.all(
    opened.map(async (connection) => {
      while (performance.now() - startedAt < durationMs) {
        const status = await connection.request(request(sent++));
        if (status !== expected) throw new Error(`A request was answered with ${status}.`);
      }
    }),
  );
  const tookMs = performance.now() - startedAt;
  for (const connection of opened) connection.close();
  return (sent * 1000) / tookMs;
}

export interface CountedLoad extends Omit<Load, 'durationMs'> {
  readonly count: number;
  /**
   * Requests sent per second while a connection is free, however slow the responses. Undefined: as fast as responses
   * come.
   */
  readonly perSecond: number | undefined;
}

/** Sends this many requests over keep-alive connections, and counts the statuses. */
export async function statusesOf({
  url,
  connections,
  count,
  perSecond,
  request,
}: CountedLoad): Promise<ReadonlyMap<number, number>> {
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)));
  const statuses = new Map<number, number>();
  const startedAt = performance.now();
  let sent = 0;
  await Promise.all(
    opened.map(async (connection) => {
      while (sent < count) {
        const number = sent++;
        if (perSecond !== undefined) await dueAt(startedAt + (number * 1000) / perSecond);
        const status = await connection.request(request(number));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }),
  );
  for (const connection of opened) connection.close();
  return statuses;
}

async function dueAt(instant: number): Promise<void> {
  const leftMs = instant - performance.now();
  if (leftMs > 0) await sleep(leftMs);
}

export interface Times {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
}

/**
 * Measures requests that one client sends one after another.
 *
 * @throws on any other status than 200
 */
export async function answerTimes(url: string, count: number, request: (number: number) => Buffer): Promise<Times> {
  const connection = await Connection.open(url);
  try {
    const took: number[] = [];
    for (let number = 0; number < count; number++) took.push(await timed(connection, request(number)));
    return timesOf(took);
  } finally {
    connection.close();
  }
}

/**
 * Measures requests that one client sends one after another while `work` runs.
 *
 * @throws on any other status than 200
 */
export async function answerTimesDuring<T>(
  url: string,
  request: Buffer,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly times: Times }> {
  const connection = await Connection.open(url);
  try {
    const took: number[] = [];
    let isOver = false;
    const running = work().finally(() => (isOver = true));
    do took.push(await timed(connection, request));
    while (!isOver);
    return { result: await running, times: timesOf(took) };
  } finally {
    connection.close();
  }
}

export interface ConstantLoad {
  readonly url: string;
  readonly perSecond: number;
  readonly durationMs: number;
  readonly request: (number: number) => Buffer;
}

/**
 * Times of requests at a constant rate. They count from the time when a request was due, even if it could not be sent
 * then.
 */
export interface ConstantLoadTimes extends Times {
  readonly perSecond: number;
  /** Number of responses for each status. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Sends requests at a constant rate, however slow the responses, over a free connection or else a new one. */
export async function constantLoad({ url, perSecond, durationMs, request }: ConstantLoad): Promise<ConstantLoadTimes> {
  const free: Connection[] = [];
  const took: number[] = [];
  const statuses: Record<string, number> = {};
  const count = Math.floor((perSecond * durationMs) / 1000);
  const all: Array<Promise<void>> = [];
  const startedAt = performance.now();
  const send = async (number: number): Promise<void> => {
    const dueAt = startedAt + (number * 1000) / perSecond;
    let connection = free.pop();
    while (connection?.isOpen === false) connection = free.pop();
    // As in any client, a connection that the server just closed is no failure of the request.
    let status = connection && (await connection.request(request(number)).catch(() => undefined));
    if (!connection || status === undefined) {
      connection = await Connection.open(url);
      status = await connection.request(request(number));
    }
    took.push(performance.now() - dueAt);
    statuses[status] = (statuses[status] ?? 0) + 1;
    free.push(connection);
  };
  let failure: unknown;
  while (all.length < count) {
    const due = Math.min(count, Math.floor(((performance.now() - startedAt) * perSecond) / 1000) + 1);
    while (all.length < due) all.push(send(all.length).catch((error: unknown) => void (failure ??= error)));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(all);
  const tookMs = performance.now() - startedAt;
  for (const connection of free) connection.close();
  if (failure !== undefined) throw failure;
  return { ...timesOf(took), perSecond: (count * 1000) / tookMs, statuses };
}

/**
 * Sends a request every `everyMs` while `work` runs, without waiting for responses, and measures each.
 *
 * @throws on any other status than 200
 */
export async function steadyTimesDuring<T>(
  url: string,
  everyMs: number,
  request: (number: number) => Buffer,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly count: number; readonly times: Times }> {
  const opened: Connection[] = [];
  const free: Connection[] = [];
  const taking: Array<Promise<number>> = [];
  let isOver = false;
  const running = work().finally(() => (isOver = true));
  const startedAt = performance.now();
  for (let number = 0; !isOver; number++) {
    const connection = free.pop() ?? (await Connection.open(url));
    if (!opened.includes(connection)) opened.push(connection);
    const took = timed(connection, request(number)).finally(() => free.push(connection));
    // A failure is reported at the end, with the others.
    took.catch(() => {});
    taking.push(took);
    await dueAt(startedAt + (number + 1) * everyMs);
  }
  try {
    return { result: await running, count: taking.length, times: timesOf(await Promise.all(taking)) };
  } finally {
    for (const connection of opened) connection.close();
  }
}

async function timed(connection: Connection, request: Buffer): Promise<number> {
  const startedAt = performance.now();
  const status = await connection.request(request);
  if (status !== 200) throw new Error(`A request was answered with ${status}.`);
  return performance.now() - startedAt;
}

/** Returns percentiles of the times. */
export function timesOf(took: readonly number[]): Times {
  const ordered = took.toSorted((a, b) => a - b);
  const at = (share: number) => ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))]!;
  return { p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999), maxMs: ordered.at(-1)! };
}

/** Builds a request without a body. */
export function getRequest(url: string, credential?: string): Buffer {
  const { host, pathname, search } = new URL(url);
  const authorization = credential === undefined ? '' : `Authorization: ${credential}\r\n`;
  return Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n`);
}

/**
 * Builds a request with a JSON body.
 *
 * @param given the credential, or all headers beside those of the body
 */
export function jsonRequest(
  method: string,
  url: string,
  given: string | Readonly<Record<string, string>>,
  value: unknown,
): Buffer {
  const { host, pathname } = new URL(url);
  const body = Buffer.from(JSON.stringify(value));
  const headers = {
    Host: host,
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    ...(typeof given === 'string' ? { Authorization: given } : given),
  };
  const lines = Object.entries(headers).map(([name, text]) => `${name}: ${text}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

const boundary = '----------------------------bench';

/** Builds an upload of these bytes. */
export function uploadRequest(base: string, credential: string, name: string, bytes: Uint8Array): Buffer {
  const part =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file.png"\r\nContent-Type: ` +
    `image/png\r\n\r\n`;
  const closing = `\r\n--${boundary}--\r\n`;
  const head = [
    `POST /v1/objects?name=${name} HTTP/1.1`,
    `Host: ${new URL(base).host}`,
    `Authorization: ${credential}`,
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    `Content-Length: ${part.length + bytes.length + closing.length}`,
    '\r\n',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head + part), bytes, Buffer.from(closing)]);
}
