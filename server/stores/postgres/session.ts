import { hash } from 'node:crypto';

import { Client, DatabaseError, type ClientConfig, type QueryArrayResult } from 'pg';

import { streamOf } from '#server/internals/pg-8.ts';
import { ConnectionLost } from './database-errors.ts';

/** A value of a parameter or a column. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** A value of a parameter, or several as an array of SQL. */
export type Parameter = SqlValue | readonly SqlValue[];

/** The rows that a statement returned, and how many it changed or returned. */
export interface Answer<Row extends readonly unknown[] = readonly SqlValue[]> {
  /** Arrays of whole numbers are arrays of numbers. Types that are not known are texts. */
  readonly rows: readonly Row[];
  readonly count: number;
  /** The statement's name, for instance `COMMIT`. */
  readonly command: string;
}

/** Limits of a session, in milliseconds. */
export interface SessionLimits {
  /** How long a statement may take, by the server's clock and by ours. */
  readonly statementMs: number;
  /** How long a statement waits for a lock. */
  readonly lockMs: number;
  /** How long the server keeps a transaction open whose client says nothing, for instance because it was cut off. */
  readonly idleInTransactionMs: number;
}

/** What a session is opened with, besides its limits. */
export interface SessionOptions extends SessionLimits {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly ssl: ClientConfig['ssl'];
  readonly applicationName: string;
  readonly connectMs: number;
}

/** TypeScript's declarations of `pg` lack the options that it has had since 8.13. */
interface PipelinedConfig extends ClientConfig {
  readonly pipeline: true;
}

const oid = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  float4: 700,
  float8: 701,
  int8s: 1016,
  numeric: 1700,
} as const;

/** Reads each type as SQLite returns it: numbers, texts, bytes, and 1 and 0 for booleans. */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [oid.bool, (text) => (text === 't' ? 1 : 0)],
  [oid.bytea, bytesOf],
  [oid.int8s, numbersOf],
  ...[oid.int8, oid.int2, oid.int4, oid.float4, oid.float8, oid.numeric].map((type) => [type, Number] as const),
]);

/** PostgreSQL has no U+0000 in texts. It is stored as this sign and 0, and this sign itself as this sign and 1. */
const escape = '\u{F0000}';

const types = {
  getTypeParser: (type: number) => parsers.get(type) ?? unescaped,
} as unknown as NonNullable<ClientConfig['types']>;

/** A client whose network is gone keeps its place among the connections for 25 s, and not for hours. */
const noticesLostClients =
  'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3';

/** The names of prepared statements by their text. SQL is constant text, so this does not grow. */
const names = new Map<string, string>();

/**
 * One connection to the database. Statements are sent at once and carried out in their order, so several that do not
 * wait for each other take one round trip.
 */
export class Session {
  readonly #client: Client;
  #isOpen = true;
  #isCorked = false;
  #commits = 0;
  #answeredAt = -Infinity;
  /** The history of the server, which changes when a standby is promoted. Undefined for a standby. */
  timeline: string | undefined;
  readonly #atEnd: Array<() => void> = [];

  private constructor(client: Client) {
    this.#client = client;
    client.on('error', () => this.#end());
    client.on('end', () => this.#end());
  }

  /**
   * Opens a connection.
   *
   * @throws {ConnectionLost} when the server cannot be reached
   * @throws {DatabaseError} when it does not let us in
   */
  static async open({
    connectMs,
    statementMs,
    lockMs,
    idleInTransactionMs,
    ...options
  }: SessionOptions): Promise<Session> {
    const config: PipelinedConfig = {
      host: options.host,
      port: options.port,
      database: options.database,
      user: options.user,
      // Without a function, pg would look into the environment and into ~/.pgpass when there is none.
      password: () => options.password ?? '',
      ssl: options.ssl ?? false,
      application_name: options.applicationName,
      connectionTimeoutMillis: connectMs,
      query_timeout: statementMs + 250,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      pipeline: true,
      types,
    };
    const client = new Client(config);
    const session = new Session(client);
    try {
      await client.connect();
      // Not among the parameters of the start, which PgBouncer refuses.
      await session.command(
        `SET statement_timeout = ${Math.ceil(statementMs)}; SET lock_timeout = ${Math.ceil(lockMs)}; ` +
          `SET idle_in_transaction_session_timeout = ${Math.ceil(idleInTransactionMs)}; ${noticesLostClients}`,
      );
    } catch (error) {
      session.destroy();
      throw asLoss(error);
    }
    return session;
  }

  /** Calls the function once, when the connection has ended for whatever reason. */
  atEnd(listener: () => void): void {
    if (this.#isOpen) this.#atEnd.push(listener);
    else listener();
  }

  /** Receives what others send to a channel, until the end of the connection. Its name is constant text. */
  async listen(channel: string, hear: (payload: string) => void): Promise<void> {
    this.#client.on('notification', (message) => {
      if (message.channel === channel) hear(message.payload ?? '');
    });
    await this.command(`LISTEN ${channel}`);
  }

  /** Whether statements can be sent. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Sends one statement with parameters `$1`, `$2` …, which stays prepared as long as the connection lives. So the SQL
   * must be constant text.
   */
  query<Row extends readonly unknown[] = readonly SqlValue[]>(
    sql: string,
    values: readonly Parameter[] = [],
  ): Promise<Answer<Row>> {
    return this.#send({ text: sql, name: nameOf(sql), values: values.map(written) });
  }

  /** Sends one statement without parameters, or several joined by semicolons. Returns the answer of the last. */
  command(sql: string): Promise<Answer> {
    return this.#send({ text: sql });
  }

  /** Commits the open transaction. */
  async commit(): Promise<Answer> {
    this.#commits += 1;
    try {
      return await this.command('COMMIT');
    } finally {
      this.#commits -= 1;
    }
  }

  /** Whether a commit has no answer yet, so that its outcome would be unknown if the connection ended now. */
  get isCommitting(): boolean {
    return this.#commits > 0;
  }

  /** The `performance.now()` of the last answer; before the first one, `-Infinity`. */
  get answeredAt(): number {
    return this.#answeredAt;
  }

  /** Ends the connection at once. A transaction that is open is rolled back. */
  destroy(): void {
    this.#end();
    // `end()` would wait for a server that does not answer.
    streamOf(this.#client).destroy();
  }

  /** Ends the connection after its last answer. */
  async close(): Promise<void> {
    if (this.#isOpen) await this.#client.end();
  }

  /** Lets statements of the same turn of the event loop travel together, and not in a packet each. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const stream = streamOf(this.#client);
    stream.cork();
    // Work that goes on in microtasks has sent all that it can by then.
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#isCorked = false;
        stream.uncork();
      }),
    );
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const listener of this.#atEnd.splice(0)) listener();
  }

  async #send<Row extends readonly unknown[]>(query: {
    readonly text: string;
    readonly name?: string;
    readonly values?: unknown[];
  }): Promise<Answer<Row>> {
    let result: QueryArrayResult | QueryArrayResult[];
    this.#cork();
    try {
      result = await this.#client.query({ ...query, rowMode: 'array' });
    } catch (error) {
      if (error instanceof DatabaseError) this.#answeredAt = performance.now();
      throw asLoss(error);
    }
    this.#answeredAt = performance.now();
    const { rows, rowCount, command } = Array.isArray(result) ? result.at(-1)! : result;
    return { rows: rows as unknown as Row[], count: rowCount ?? 0, command };
  }
}

/** Errors of the server stay as they are. Everything else that `pg` throws means that there is no connection. */
function asLoss(error: unknown): unknown {
  return error instanceof DatabaseError && error.severity !== 'FATAL' ? error : new ConnectionLost(error);
}

function nameOf(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) names.set(sql, (name = hash('sha256', sql, 'base64url').slice(0, 22)));
  return name;
}

/** Returns a value in the form that `pg` sends. */
function written(value: Parameter): unknown {
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== 'string' || (!value.includes('\0') && !value.includes(escape))) return value;
  return value.replaceAll(escape, `${escape}1`).replaceAll('\0', `${escape}0`);
}

function unescaped(text: string): string {
  if (!text.includes(escape)) return text;
  return text.replaceAll(`${escape}0`, '\0').replaceAll(`${escape}1`, escape);
}

/** Reads bytes from their text: `\x` and hex. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.from(text.slice(2), 'hex');
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Reads an array of whole numbers from its text: `{1,2}`. */
function numbersOf(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number);
}
