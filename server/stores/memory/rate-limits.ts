import type { LimitWindow } from '#server/domain/ports/limit-windows.ts';
import { MetadataFailed, type Metadata, type Transaction } from '#server/domain/ports/metadata.ts';
import {
  maxBookedWindowMs,
  type BookedPlace,
  type Bucket,
  type BucketState,
  type Decision,
  type RateLimits,
} from '#server/domain/ports/rate-limits.ts';

interface Window {
  readonly key: string;
  used: number;
  endsAt: number;
  blockedUntil: number;
  /** Places in the next window. It begins when this one ends. */
  booked: number;
}

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
  /** With this many counters, new ones are shared. The default takes some 20 MB. */
  readonly maxWindows?: number;
}

/** Windows longer than this, and all blocks, are stored, so that a restart does not lift them. */
const remembersFromMs = 60_000;

/** Ended windows are removed when the table has grown by this many, and at most this often while it is full. */
const sweepEvery = 10_000;
const sweepPauseMs = 1000;

const defaultMaxWindows = 100_000;

/**
 * Counts requests in the memory of one process. A window begins with its first request. Counting is synchronous, so
 * parallel requests are counted exactly. No window is dropped before its end, because that would lift a limit. When
 * there are too many, new counters are shared.
 */
export class MemoryRateLimits implements RateLimits {
  readonly #deps: Deps;
  readonly #windows = new Map<string, Window>();
  #sweepAt = sweepEvery;
  #sweptAt = -Infinity;

  private constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Opens the counters, with the windows that an earlier process stored. */
  static async restore(deps: Deps): Promise<MemoryRateLimits> {
    const limits = new MemoryRateLimits(deps);
    for (const window of await deps.metadata.atomically((tx) => tx.limitWindows.takeLive(tx.now)))
      limits.#windows.set(window.key, { ...window, booked: 0 });
    return limits;
  }

  async take(buckets: readonly Bucket[], now: number): Promise<Decision> {
    const windows = buckets.map((bucket) => this.#window(bucket, now));
    const exceeded = buckets.filter(
      (bucket, index) => windows[index]!.blockedUntil > now || windows[index]!.used + bucket.cost > bucket.limit,
    );
    if (exceeded.length > 0) {
      const booked = bookIn(buckets, windows[0]!, now);
      if (booked) return { isAllowed: true, booked, states: [stateOf(buckets[0]!, windows[0]!, now)], retryAfterMs: 0 };
    }
    const toRemember = new Set<number>();
    for (const [index, bucket] of buckets.entries()) {
      const window = windows[index]!;
      if (exceeded.length === 0) {
        window.used += bucket.cost;
        if (bucket.windowMs > remembersFromMs) toRemember.add(index);
      } else if (exceeded.includes(bucket) && bucket.blockMs !== undefined && window.blockedUntil <= now) {
        window.blockedUntil = now + bucket.blockMs;
        toRemember.add(index);
      }
    }
    const states = buckets.map((bucket, index) => stateOf(bucket, windows[index]!, now));
    if (toRemember.size > 0) await this.#remember([...toRemember].map((index) => windows[index]!));
    const retryAfterMs = Math.max(
      0,
      ...states.filter(({ bucket }) => exceeded.includes(bucket)).map(({ resetMs }) => resetMs),
    );
    return { isAllowed: exceeded.length === 0, states, retryAfterMs };
  }

  async giveBack({ key, beginsAt }: BookedPlace, now: number): Promise<void> {
    const window = this.#windows.get(key);
    if (window?.endsAt === beginsAt && beginsAt > now && window.booked > 0) window.booked -= 1;
  }

  async blockedMs(key: string, now: number): Promise<number> {
    return Math.max(0, (this.#windows.get(key)?.blockedUntil ?? 0) - now);
  }

  #window({ key, overflowKey, windowMs }: Bucket, now: number): Window {
    const known = this.#windows.get(key);
    if (!known && overflowKey !== undefined && this.#isFull(now)) return this.#windowUnder(overflowKey, windowMs, now);
    return this.#windowUnder(key, windowMs, now);
  }

  #windowUnder(key: string, windowMs: number, now: number): Window {
    let window = this.#windows.get(key);
    if (window && window.booked > 0 && window.endsAt <= now) {
      window.used = window.booked;
      window.booked = 0;
      window.endsAt += windowMs;
    }
    if (!window || isOver(window, now)) {
      window = { key, used: 0, endsAt: now + windowMs, blockedUntil: 0, booked: 0 };
      this.#windows.set(key, window);
      if (this.#windows.size > this.#sweepAt) this.#sweep(now);
    }
    return window;
  }

  #isFull(now: number): boolean {
    const { maxWindows = defaultMaxWindows } = this.#deps;
    if (this.#windows.size >= maxWindows && Math.abs(now - this.#sweptAt) >= sweepPauseMs) this.#sweep(now);
    return this.#windows.size >= maxWindows;
  }

  #sweep(now: number): void {
    for (const [key, window] of this.#windows) if (isOver(window, now)) this.#windows.delete(key);
    this.#sweepAt = this.#windows.size + sweepEvery;
    this.#sweptAt = now;
    void this.#write(async (tx) => void (await tx.limitWindows.takeLive(now)));
  }

  #remember(windows: readonly LimitWindow[]): Promise<void> {
    return this.#write(async (tx) => {
      for (const window of windows) await tx.limitWindows.save(window);
    });
  }

  /** While the database cannot be written, limits still apply, but a restart would lift them. */
  async #write(work: (tx: Transaction) => Promise<void>): Promise<void> {
    try {
      await this.#deps.metadata.atomically(work);
    } catch (error) {
      if (!(error instanceof MetadataFailed)) throw error;
    }
  }
}

function isOver({ endsAt, blockedUntil, booked }: Window, now: number): boolean {
  return endsAt + (booked > 0 ? maxBookedWindowMs : 0) <= now && blockedUntil <= now;
}

/** Books a place in the window after this one, if the only bucket of a request lets it wait. */
function bookIn([bucket, ...others]: readonly Bucket[], window: Window, now: number): BookedPlace | undefined {
  if (!bucket || others.length > 0 || window.blockedUntil > now) return undefined;
  if (window.booked >= Math.min(bucket.maxWaiting ?? 0, bucket.limit)) return undefined;
  window.booked += 1;
  return { key: window.key, beginsAt: window.endsAt };
}

function stateOf(bucket: Bucket, { used, endsAt, blockedUntil }: Window, now: number): BucketState {
  const isBlocked = blockedUntil > now;
  return {
    bucket,
    remaining: isBlocked ? 0 : Math.max(0, bucket.limit - used),
    resetMs: Math.max(0, (isBlocked ? blockedUntil : endsAt) - now),
  };
}
