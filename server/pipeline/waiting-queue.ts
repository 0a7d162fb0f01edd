/** How a request's wait ended: its turn came, it was refused, its client left, or the server stops. */
type WaitEnd = 'admitted' | 'refused' | 'left' | 'stopped';

/** Receives what happens to waiting requests, for counters. `limit` names what they wait for. Must not throw. */
export interface WaitObserver {
  waitBegun(limit: string): void;
  waitEnded(limit: string, end: WaitEnd, waitedMs: number): void;
  /** A request was refused at once, because it could not wait. */
  waitRefused(limit: string): void;
}

/** The longest wait of a request, for its place and for its slot together. */
export const longestWaitMs = 15_000;

/**
 * The most requests that wait in one process. Each holds a connection, and up to 64 KiB of a body that nobody reads.
 */
const defaultMaxWaiting = 1000;

/** One wait. */
interface Wait {
  /** Ends it: aborted when the client leaves or the server stops. */
  readonly signal: AbortSignal;
  /** Resolves with true after `ms`, or with false if the wait ends sooner. */
  sleep(ms: number): Promise<boolean>;
}

/** The requests of this process that wait for their turn. They hold nothing but their connections. */
export class WaitingQueue {
  readonly #observer: WaitObserver;
  readonly #max: number;
  readonly #stop = new AbortController();
  #waiting = 0;

  constructor(observer: WaitObserver, max = defaultMaxWaiting) {
    this.#observer = observer;
    this.#max = max;
  }

  /** Whether no more requests may wait. */
  get isClosed(): boolean {
    return this.#waiting >= this.#max || this.#stop.signal.aborted;
  }

  /** Ends all waits, and lets no more requests wait. */
  stop(): void {
    this.#stop.abort(new Error('The server stops.'));
  }

  /** Counts a request that may not wait. */
  refuse(limit: string): void {
    this.#observer.waitRefused(limit);
  }

  /**
   * Runs a wait, which returns whether the turn of the request came.
   *
   * @param client aborted when the client leaves
   * @throws the error of `run`
   */
  async wait(limit: string, client: AbortSignal, run: (wait: Wait) => Promise<boolean>): Promise<boolean> {
    const signal = AbortSignal.any([client, this.#stop.signal]);
    const since = performance.now();
    this.#waiting += 1;
    this.#observer.waitBegun(limit);
    let hasTurn = false;
    try {
      hasTurn = await run({ signal, sleep: (ms) => sleepUntil(since + ms, signal) });
      return hasTurn;
    } finally {
      this.#waiting -= 1;
      const end = hasTurn ? 'admitted' : client.aborted ? 'left' : signal.aborted ? 'stopped' : 'refused';
      this.#observer.waitEnded(limit, end, performance.now() - since);
    }
  }
}

function sleepUntil(at: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout;
    const end = (isOver: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(isOver);
    };
    const giveUp = (): void => end(false);
    const look = (): void => {
      const leftMs = Math.round(at - performance.now());
      // A timer may fire up to a millisecond too soon.
      if (leftMs > 0) timer = setTimeout(look, leftMs);
      else end(true);
    };
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    else look();
  });
}
