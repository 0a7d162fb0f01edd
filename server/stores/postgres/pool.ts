import type { DatabaseUrl } from '#server/config/database-url.ts';
import type { PoolState } from '#server/domain/ports/replicas.ts';
import { Connector } from './connect.ts';
import { ConnectionLost, isOldPlan, isReadOnly, NoConnection } from './database-errors.ts';
import { PostedStatements } from './posted-statements.ts';
import type { Answer, Parameter, Session, SqlValue } from './session.ts';
import { SharedReads } from './shared-reads.ts';

/**
 * How long a statement may take, with the wait for a connection. A server that is cut off from the database then
 * answers 503 within five seconds.
 */
export const deadlineMs = 4_000;

/** Options of a {@link PostgresPool}. Durations are milliseconds. */
export interface PoolOptions {
  /** Default: {@link deadlineMs}. */
  readonly deadlineMs?: number;
  /** How long the server keeps a transaction whose client says nothing, with its locks. Default 3000. */
  readonly idleInTransactionMs?: number;
  /** Multiplies all time limits. Default 1. Tests on a busy machine use more. */
  readonly timeLimitFactor?: number | undefined;
}

/** How long opening a connection to one server may take. */
const maxConnectMs = 1_500;

/** What a session is taken for. */
interface TakeOptions {
  /** Looks up what became of a commit, and so goes on while everything else is refused. Default false. */
  readonly isLookUp?: boolean;
}

/** A caller that waits for a session. */
interface Waiter extends TakeOptions {
  /** By `performance.now()`. */
  readonly since: number;
  readonly resolve: (session: Session) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The connections of this process to the database. They are opened when they are needed, up to `poolSize`, and kept.
 * Everything has a deadline.
 */
export class PostgresPool {
  /** How long a statement may take, in milliseconds, with the wait for a connection. */
  readonly deadlineMs: number;
  readonly #connector: Connector;
  readonly #size: number;
  readonly #idle: Session[] = [];
  readonly #all = new Set<Session>();
  readonly #waiting: Waiter[] = [];
  readonly #closing: Array<() => void> = [];
  readonly #reads = new SharedReads(this);
  readonly #posted = new PostedStatements(async () => this.release(await this.take()));
  #opening = 0;
  #isClosed = false;
  #isCutOff = false;

  constructor(url: DatabaseUrl, options: PoolOptions = {}) {
    const { timeLimitFactor = 1 } = options;
    this.deadlineMs = timeLimitFactor * (options.deadlineMs ?? deadlineMs);
    this.#size = url.poolSize;
    this.#connector = new Connector(url, {
      statementMs: this.deadlineMs,
      // Somebody who waits for a lock learns sooner than the statement's deadline what it waited for.
      lockMs: this.deadlineMs - 500,
      idleInTransactionMs: timeLimitFactor * (options.idleInTransactionMs ?? 3_000),
      maxConnectMs: timeLimitFactor * maxConnectMs,
    });
  }

  /** How its connections are used. */
  get state(): PoolState {
    return { size: this.#size, inUse: this.#all.size - this.#idle.length, waiting: this.#waiting.length };
  }

  /** The `performance.now()` at which the database last answered over one of its connections. */
  get answeredAt(): number {
    return Math.max(-Infinity, ...Array.from(this.#all, (session) => session.answeredAt));
  }

  /** The number of callers that wait for a connection. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Runs one statement in a transaction of its own. Its SQL is constant text with parameters `$1`, `$2` ….
   *
   * @param isRepeatable whether it may be carried out twice. Then it is tried again when a connection was lost
   * @throws {NoConnection} nothing was sent
   * @throws {ConnectionLost} nobody knows whether it was carried out
   * @throws {DatabaseError} the server's error
   */
  async query<Row extends readonly unknown[] = readonly SqlValue[]>(
    sql: string,
    values: readonly Parameter[] = [],
    { isRepeatable = false } = {},
  ): Promise<Answer<Row>> {
    for (let triesLeft = this.#size; ; triesLeft--) {
      try {
        return await this.#query<Row>(sql, values);
      } catch (error) {
        // With an old plan nothing was carried out. Other connections may have it too.
        if (isOldPlan(error) && triesLeft > 0) continue;
        if (!isRepeatable || !(error instanceof ConnectionLost)) throw error;
        return this.#query<Row>(sql, values);
      }
    }
  }

  /**
   * Runs a look-up, which takes no lock. Look-ups of the same turn of the event loop share a connection, and so a round
   * trip. It is tried again when the connection was lost.
   *
   * @throws as {@link query} does
   */
  async read<Row extends readonly unknown[] = readonly SqlValue[]>(
    sql: string,
    values: readonly Parameter[],
  ): Promise<Answer<Row>> {
    try {
      return await this.#reads.query<Row>(sql, values);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      return this.#reads.query<Row>(sql, values);
    }
  }

  /**
   * Runs one statement in a transaction of its own that need not be sent at once. It goes with the next statement or
   * commit of any session.
   *
   * @throws as {@link query} does
   */
  async post(sql: string, values: readonly Parameter[]): Promise<void> {
    return this.#posted.add(sql, values);
  }

  /** Sends the posted statements over a session without an open transaction. */
  sendPosted(session: Session): Session {
    this.#posted.sendOver(session);
    return session;
  }

  /**
   * Returns a session that nobody else uses until `release()` or its end.
   *
   * @throws {NoConnection}
   */
  async take(withinMs = this.deadlineMs, { isLookUp = false }: TakeOptions = {}): Promise<Session> {
    if (this.#isClosed) throw new NoConnection('The database is being closed: it takes no new work.');
    if (!isLookUp) this.requireAnswering();
    const idle = this.#idle.pop();
    if (idle) return this.sendPosted(idle);
    if (withinMs <= 0) throw new NoConnection('No connection to the database was free in time.');
    const session = new Promise<Session>((resolve, reject) => {
      const waiter: Waiter = {
        since: performance.now(),
        isLookUp,
        resolve: (found) => {
          clearTimeout(timer);
          resolve(found);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error as Error);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(new NoConnection(`No connection to the database was free within ${withinMs} ms.`));
      }, withinMs);
      this.#waiting.push(waiter);
    });
    this.#openMore(withinMs);
    return session;
  }

  /** Runs `work` with a session of its own. It leaves no transaction open, also when it throws. */
  async withSession<T>(work: (session: Session) => Promise<T>, withinMs?: number, options?: TakeOptions): Promise<T> {
    const session = await this.take(withinMs, options);
    try {
      const result = await work(session);
      this.release(session);
      return result;
    } catch (error) {
      this.release(session, error);
      throw error;
    }
  }

  /**
   * Gives a session back. It must have no open transaction and no statement under way.
   *
   * @param error that a statement failed with. A server that takes no writes any more is left
   */
  release(session: Session, error?: unknown): void {
    if (isReadOnly(error)) {
      for (const one of [session, ...this.#idle.splice(0)]) one.destroy();
      return;
    }
    if (!session.isOpen) return;
    // Its prepared statements are of the tables before a migration.
    if (isOldPlan(error)) return session.destroy();
    if (this.#isClosed) return void session.close();
    const next = this.#waiting.shift();
    if (next) next.resolve(this.sendPosted(session));
    else this.#idle.push(session);
  }

  /** Fails all work at once, until `mend()`: the database does not answer, so it would only wait. */
  cutOff(): void {
    this.#isCutOff = true;
    const lookUps = this.#waiting.filter(({ isLookUp }) => isLookUp);
    for (const waiter of this.#waiting.splice(0, this.#waiting.length, ...lookUps))
      if (!waiter.isLookUp) waiter.reject(notAnswering());
    this.endConnections();
  }

  /** @throws {NoConnection} after `cutOff()` */
  requireAnswering(): void {
    if (this.#isCutOff) throw notAnswering();
  }

  /** Takes work again after `cutOff()`. */
  mend(): void {
    this.#isCutOff = false;
  }

  /** Ends the connections with what they do, except commits on their way, whose outcome nobody would know. */
  endConnections(): void {
    for (const session of [...this.#all]) if (!session.isCommitting) session.destroy();
  }

  /** Closes the connections, those in use when they are released. Resolves when all have ended. May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = new NoConnection('The database is being closed: it takes no new work.');
    for (const waiter of this.#waiting.splice(0)) waiter.reject(closed);
    for (const session of this.#idle.splice(0)) void session.close();
    if (this.#all.size + this.#opening > 0) await new Promise<void>((resolve) => this.#closing.push(resolve));
  }

  /** Opens one more session, if somebody waits for it and there may be more. */
  #openMore(withinMs: number): void {
    if (this.#waiting.length <= this.#opening || this.#all.size + this.#opening >= this.#size) return;
    this.#opening += 1;
    const startedAt = performance.now();
    this.#connector.connect(withinMs).then(
      (session) => {
        this.#opening -= 1;
        this.#all.add(session);
        session.atEnd(() => this.#drop(session));
        this.release(session);
      },
      (error: unknown) => {
        this.#opening -= 1;
        // Somebody who came later gets a try of their own: the database may be back by now.
        if (this.#waiting[0] && this.#waiting[0].since <= startedAt) this.#waiting.shift()!.reject(error);
        this.#openMore(withinMs);
        this.#noteEnd();
      },
    );
  }

  #query<Row extends readonly unknown[]>(sql: string, values: readonly Parameter[]): Promise<Answer<Row>> {
    return this.withSession((session) => session.query<Row>(sql, values));
  }

  #drop(session: Session): void {
    this.#all.delete(session);
    const at = this.#idle.indexOf(session);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#openMore(this.deadlineMs);
    this.#noteEnd();
  }

  #noteEnd(): void {
    if (this.#all.size + this.#opening === 0) for (const resolve of this.#closing.splice(0)) resolve();
  }
}

function notAnswering(): NoConnection {
  return new NoConnection('The database does not answer at the moment.');
}
