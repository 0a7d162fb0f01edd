import { maxJsonBodyBytes } from '#server/domain/limits.ts';
import type { ChatReservations } from './chat-reservations.ts';
import type { ChatLease } from './chat-lease.ts';
import type { ReservedChat, RejectedChat } from './decide-lease.ts';

/** What an attempt to reserve has led to. A rejection with a `turn` may be over in a moment. */
type Outcome = ReservedChat | RejectedChat;

/** The part of the places for waiting requests that one account may have. */
const shareOfAccount = 1 / 4;

/**
 * Returns how many requests of all accounts may wait. Each holds its body until it ends, so together they hold up to a
 * quarter of the memory for bodies, which is a third of what callers have.
 */
export function maxWaitingWithin(bodyMemory: number): number {
  return Math.floor(bodyMemory / 4 / maxJsonBodyBytes);
}

/** The pause between two tries while another process may free capacity. Half of it is random. */
const sharedPollMs = 200;

/** The pause when only this process frees capacity. Reservations may still expire. */
const ownPollMs = 1000;

/** The end of a wait: with a reservation, with a rejection that no wait can change, or without either. */
export type WaitEnd = 'admitted' | 'rejected' | 'timeout' | 'left';

/** Tries to reserve. `hasWaited` says whether the request has waited for its turn. */
type TryTurn = (hasWaited: boolean) => Promise<Outcome>;

interface Waiter {
  readonly attempt: TryTurn;
  /** The rejection of the latest attempt. Before the first one, that of the request in front. */
  last: RejectedChat;
  /** When its wait ends. By the monotonic clock, in milliseconds. */
  readonly until: number;
  isOver: boolean;
  end(outcome: Outcome): void;
  fail(error: unknown, end: WaitEnd): void;
}

/** The waiting requests of one account, in the order in which they came. */
interface Line {
  readonly waiters: Waiter[];
  /** When the first one may try. By the monotonic clock, in milliseconds. */
  nextTryAt: number;
  /** Whether only requests of the same account can free capacity. */
  isOfAccount: boolean;
  /** Whether capacity was freed during an attempt, which may not have seen it. */
  isFreed: boolean;
}

/** How a request waits. */
interface Waiting {
  /** Whether capacity was freed since its attempt. */
  readonly isFreed: boolean;
  readonly signal: AbortSignal | undefined;
  readonly waitMs: number;
}

interface TurnQueueOptions {
  /** The longest wait of a request that says nothing else. */
  readonly waitMs: number;
  /** The number of requests of all accounts that may wait. One account may have a quarter of them. */
  readonly maxWaiting: number;
  /** Whether other processes free capacity too. */
  readonly isShared: boolean;
  /** Releases a reservation whose request has left meanwhile. */
  readonly release: (lease: ChatLease) => Promise<void>;
  /** Called at the end of each wait. Must not throw. */
  readonly onWaited?: ((end: WaitEnd, waitedMs: number) => void) | undefined;
}

/**
 * Queues requests that do not fit at this moment, because too many run or the pause of the plan is not over. Requests
 * of an account get their turn in the order in which they came. Accounts take turns. The queue only decides when a
 * reservation is tried. The reservation itself decides whether it fits.
 */
export class TurnQueue {
  readonly #options: TurnQueueOptions;
  /** In the order in which the accounts take turns. */
  readonly #lines = new Map<string, Line>();
  #waiting = 0;
  /** The latest rejection by a limit of the installation. While there is one, newcomers do not overtake. */
  #full: RejectedChat | undefined;
  /** Counts the reservations that have ended. */
  #ended = 0;
  #isPumping = false;
  #isPumpRequested = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TurnQueueOptions) {
    this.#options = options;
  }

  /** The number of requests that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Makes an attempt at once, unless others wait in front of it. Repeats it in turn while its rejection may be over in
   * a moment. A request that could only fit after its wait is rejected at once.
   *
   * @param signal ends the wait, and rejects with its reason
   * @param waitMs the longest wait of this request. With 0 it is rejected at once, also behind others
   * @returns the outcome of the last attempt
   */
  async waitFor(
    accountId: string,
    attempt: TryTurn,
    signal?: AbortSignal,
    waitMs = this.#options.waitMs,
  ): Promise<Outcome> {
    let rejection = this.#inFrontOf(accountId);
    const before = this.#ended;
    if (!rejection) {
      const outcome = await attempt(false);
      if (!canWait(outcome) || fitsAfter(waitMs, outcome)) return outcome;
      rejection = outcome;
    }
    const ofAccount = this.#lines.get(accountId)?.waiters.length ?? 0;
    const isFull = this.#waiting >= this.#options.maxWaiting || ofAccount >= this.#options.maxWaiting * shareOfAccount;
    if (waitMs === 0 || this.#isClosed || isFull) return rejection;
    return this.#wait(accountId, attempt, rejection, { isFreed: this.#ended !== before, signal, waitMs });
  }

  /** Notes that a reservation has ended, so that the next request may fit. */
  freed(accountId: string): void {
    this.#ended++;
    if (this.#lines.size === 0) return;
    for (const [id, line] of this.#lines)
      if (id === accountId || !line.isOfAccount) {
        line.nextTryAt = 0;
        line.isFreed = true;
      }
    this.#pump();
  }

  /** Ends all waits, because the server stops. Requests that come later do not wait. */
  close(): void {
    this.#isClosed = true;
    for (const { waiters } of [...this.#lines.values()]) for (const waiter of [...waiters]) waiter.end(waiter.last);
  }

  /** Returns why a newcomer has to wait behind others. Their totals may be those of another key or account. */
  #inFrontOf(accountId: string): RejectedChat | undefined {
    const last = this.#lines.get(accountId)?.waiters[0]?.last ?? this.#full;
    return last && { ...last, totals: undefined };
  }

  #wait(
    accountId: string,
    attempt: TryTurn,
    last: RejectedChat,
    { isFreed, signal, waitMs }: Waiting,
  ): Promise<Outcome> {
    signal?.throwIfAborted();
    const since = performance.now();
    return new Promise<Outcome>((resolve, reject) => {
      const over = (end: WaitEnd) => {
        waiter.isOver = true;
        clearTimeout(timeout);
        signal?.removeEventListener('abort', abort);
        this.#leave(accountId, waiter);
        this.#options.onWaited?.(end, performance.now() - since);
      };
      const waiter: Waiter = {
        attempt,
        last,
        until: since + waitMs,
        isOver: false,
        end(outcome) {
          over('lease' in outcome ? 'admitted' : canWait(outcome) ? 'timeout' : 'rejected');
          resolve(outcome);
        },
        fail(error, end) {
          if (waiter.isOver) return;
          over(end);
          reject(error as Error);
        },
      };
      const abort = () => waiter.fail(signal!.reason, 'left');
      const timeout = setTimeout(() => waiter.end(waiter.last), waitMs);
      signal?.addEventListener('abort', abort, { once: true });
      this.#enter(accountId, waiter, isFreed);
    });
  }

  /** @param isFreed whether capacity was freed since the attempt */
  #enter(accountId: string, waiter: Waiter, isFreed: boolean): void {
    const line = this.#lines.get(accountId);
    if (line) line.waiters.push(waiter);
    else {
      const nextTryAt = isFreed ? 0 : this.#nextTryAt(waiter.last);
      const isOfAccount = waiter.last.turn?.of === 'account';
      this.#lines.set(accountId, { waiters: [waiter], nextTryAt, isOfAccount, isFreed: false });
    }
    if (waiter.last.turn?.of === 'installation') this.#full = waiter.last;
    this.#waiting++;
    if (!this.#isPumping) this.#schedule();
  }

  #leave(accountId: string, waiter: Waiter): void {
    const line = this.#lines.get(accountId);
    const at = line?.waiters.indexOf(waiter) ?? -1;
    if (!line || at < 0) return;
    line.waiters.splice(at, 1);
    this.#waiting--;
    // The next one may need other tokens, and so fit.
    if (at === 0) line.nextTryAt = Math.min(line.nextTryAt, this.#nextTryAt(waiter.last));
    if (line.waiters.length === 0) this.#lines.delete(accountId);
    if (this.#lines.size > 0) return;
    this.#full = undefined;
    clearTimeout(this.#timer);
  }

  #nextTryAt({ turn }: RejectedChat): number {
    const pollMs = this.#options.isShared ? sharedPollMs * (0.5 + Math.random() / 2) : ownPollMs;
    return performance.now() + Math.min(turn?.waitMs ?? Infinity, pollMs);
  }

  /** Tries the first requests of all lines whose time has come. One pump runs at a time. */
  #pump(): void {
    if (this.#isPumping) {
      this.#isPumpRequested = true;
      return;
    }
    this.#isPumping = true;
    void this.#tryAll().finally(() => {
      this.#isPumping = false;
      if (this.#isPumpRequested) this.#pump();
      else this.#schedule();
    });
  }

  async #tryAll(): Promise<void> {
    this.#isPumpRequested = false;
    let isFull = false;
    for (let due = this.#due(); due; due = this.#due()) {
      const [accountId, line, waiter] = due;
      line.isFreed = false;
      const outcome = await waiter.attempt(true).catch((error: unknown) => void waiter.fail(error, 'rejected'));
      if (!outcome) continue;
      if (canWait(outcome) && !fitsAfter(waiter.until - performance.now(), outcome)) {
        isFull ||= outcome.turn?.of === 'installation';
        this.#stay(line, waiter, outcome);
        continue;
      }
      // The account has had its turn.
      if (this.#lines.get(accountId) === line) {
        this.#lines.delete(accountId);
        this.#lines.set(accountId, line);
      }
      if (!waiter.isOver) waiter.end(outcome);
      // A lease that cannot be released expires.
      else if ('lease' in outcome) await this.#options.release(outcome.lease).catch(() => {});
    }
    if (!isFull) this.#full = undefined;
  }

  #due(): readonly [accountId: string, line: Line, waiter: Waiter] | undefined {
    const now = performance.now();
    for (const [accountId, line] of this.#lines)
      if (line.nextTryAt <= now && line.waiters[0]) return [accountId, line, line.waiters[0]];
    return undefined;
  }

  #stay(line: Line, waiter: Waiter, rejection: RejectedChat): void {
    waiter.last = rejection;
    line.isOfAccount = rejection.turn?.of === 'account';
    line.nextTryAt = line.isFreed ? 0 : this.#nextTryAt(rejection);
    if (line.isFreed || line.isOfAccount || this.#lines.size === 0) return;
    // The account keeps its place, and the others wait with it.
    this.#full = rejection;
    for (const other of this.#lines.values())
      if (!other.isOfAccount) other.nextTryAt = Math.max(other.nextTryAt, line.nextTryAt);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#lines.size === 0) return;
    const at = Math.min(...[...this.#lines.values()].map(({ nextTryAt }) => nextTryAt));
    this.#timer = setTimeout(() => this.#pump(), Math.max(1, at - performance.now())).unref();
  }
}

/** Wraps reservations so that each one that ends gives the next request its turn. */
export function waking(reservations: ChatReservations, queue: Pick<TurnQueue, 'freed'>): ChatReservations {
  const thenFree = async (lease: ChatLease, work: Promise<void>) => {
    try {
      await work;
    } finally {
      queue.freed(lease.accountId);
    }
  };
  return {
    isShared: reservations.isShared,
    reserve: (...request) => reservations.reserve(...request),
    settle: (lease, usage, quota) => thenFree(lease, reservations.settle(lease, usage, quota)),
    release: (lease) => thenFree(lease, reservations.release(lease)),
  };
}

function canWait(outcome: Outcome): outcome is RejectedChat {
  return 'refusal' in outcome && outcome.turn !== undefined;
}

/** Whether a rejected request fits only after a time. */
function fitsAfter(ms: number, { turn }: RejectedChat): boolean {
  return turn?.waitMs !== undefined && turn.waitMs > ms;
}
