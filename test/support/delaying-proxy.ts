import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A place where a server listens. */
export interface Target {
  readonly host?: string;
  readonly port: number;
}

export interface DelayingProxy extends AsyncDisposable {
  readonly port: number;
  /** The number of connections that are open now. */
  readonly connections: number;
  /** From now on the bytes of new and old connections wait this long in each direction. */
  delay(ms: number): void;
  /** Sends new connections to another server. Open ones stay where they are. */
  pointTo(target: Targets): void;
  /** Resets all open connections. New ones are accepted. */
  cut(): void;
  /** Resets all open connections, and every new one, until `heal()`. A machine without the server does this. */
  refuse(): void;
  /**
   * Passes nothing more until `heal()`, and ends no connection. An unplugged cable does this. What was sent meanwhile
   * then arrives, in order.
   */
  hang(): void;
  /** Like `hang()`, but `heal()` resets the connections that were open: what was sent meanwhile never arrives. */
  drop(): void;
  /** Ends `refuse()`, `hang()` and `drop()`. */
  heal(): void;
  close(): Promise<void>;
}

type State = 'passing' | 'refusing' | 'hanging' | 'dropping';

/** More than this waits in the sender's socket instead of here. */
const mostHeldBytes = 1 << 20;

/** Where a connection goes: always to the same server, or to another one each time. */
export type Targets = Target | (() => Target);

/**
 * Starts a TCP proxy that delays each byte and can fail like a network. It keeps the order of bytes. A delay is up to a
 * millisecond longer than asked for, because timers count whole milliseconds.
 */
export async function startDelayingProxy(to: Targets, delayMs = 0): Promise<DelayingProxy> {
  let targets = to;
  let state: State = 'passing';
  let delayedMs = delayMs;
  const pairs = new Set<Pair>();
  const conditions: Conditions = { isPassing: () => state === 'passing', delayMs: () => delayedMs };

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    if (state === 'refusing') return void client.resetAndDestroy();
    const target = typeof targets === 'function' ? targets() : targets;
    const pair = new Pair(client, target, conditions, () => pairs.delete(pair));
    pairs.add(pair);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const cut = () => {
    for (const pair of pairs) pair.reset();
  };
  const proxy: DelayingProxy = {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return pairs.size;
    },
    delay: (ms) => void (delayedMs = ms),
    pointTo: (other) => void (targets = other),
    cut,
    refuse() {
      state = 'refusing';
      cut();
    },
    hang: () => void (state = 'hanging'),
    drop: () => void (state = 'dropping'),
    heal() {
      if (state === 'dropping') cut();
      state = 'passing';
      for (const pair of pairs) pair.resume();
    },
    async close() {
      server.close();
      cut();
      await once(server, 'close');
    },
    [Symbol.asyncDispose]: () => proxy.close(),
  };
  return proxy;
}

interface Conditions {
  isPassing(): boolean;
  delayMs(): number;
}

/** A client's connection and the one to the server. */
class Pair {
  readonly #client: Socket;
  readonly #conditions: Conditions;
  readonly #onClosed: () => void;
  readonly #target: Target;
  #upstream: Socket | undefined;
  #lines: readonly Line[] = [];

  constructor(client: Socket, target: Target, conditions: Conditions, onClosed: () => void) {
    this.#client = client;
    this.#target = target;
    this.#conditions = conditions;
    this.#onClosed = onClosed;
    client.pause();
    this.#watch(client);
    this.resume();
  }

  /** Goes on after a fault. A connection that began during it is only now passed on. */
  resume(): void {
    if (!this.#conditions.isPassing() || this.#client.destroyed) return;
    if (this.#upstream) {
      for (const line of this.#lines) line.flush();
      return;
    }
    const { host = '127.0.0.1', port } = this.#target;
    this.#upstream = connect({ host, port, noDelay: true, allowHalfOpen: true });
    this.#watch(this.#upstream);
    this.#lines = [
      new Line(this.#client, this.#upstream, this.#conditions),
      new Line(this.#upstream, this.#client, this.#conditions),
    ];
  }

  reset(): void {
    for (const socket of [this.#client, this.#upstream]) {
      if (socket && !socket.destroyed) socket.resetAndDestroy();
    }
  }

  #watch(socket: Socket): void {
    socket.on('error', () => this.reset());
    socket.on('close', () => {
      // Both have said their end, or one is broken.
      if (socket.errored || !socket.readableEnded || !socket.writableFinished) this.reset();
      if (this.#client.destroyed && (this.#upstream?.destroyed ?? true)) this.#onClosed();
    });
  }
}

/** The bytes of one direction, in order, each with the instant at which it is due. `null` is the end. */
class Line {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #conditions: Conditions;
  readonly #held: Array<{ readonly bytes: Buffer | null; readonly dueMs: number }> = [];
  #heldBytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(from: Socket, to: Socket, conditions: Conditions) {
    this.#from = from;
    this.#to = to;
    this.#conditions = conditions;
    from.on('data', (bytes: Buffer) => this.#hold(bytes));
    from.on('end', () => this.#hold(null));
    to.on('drain', () => this.flush());
    to.on('close', () => clearTimeout(this.#timer));
    from.resume();
  }

  #hold(bytes: Buffer | null): void {
    this.#held.push({ bytes, dueMs: performance.now() + this.#conditions.delayMs() });
    this.#heldBytes += bytes?.length ?? 0;
    if (this.#heldBytes > mostHeldBytes) this.#from.pause();
    this.flush();
  }

  /** Passes on what is due, and comes back for the rest. */
  flush(): void {
    clearTimeout(this.#timer);
    while (this.#held.length > 0 && this.#conditions.isPassing() && !this.#to.writableNeedDrain) {
      const { bytes, dueMs } = this.#held[0]!;
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.flush(), Math.ceil(waitMs));
        return;
      }
      this.#held.shift();
      if (this.#to.destroyed) return;
      if (bytes === null) {
        this.#to.end();
        continue;
      }
      this.#to.write(bytes);
      this.#heldBytes -= bytes.length;
      if (this.#heldBytes <= mostHeldBytes) this.#from.resume();
    }
  }
}
