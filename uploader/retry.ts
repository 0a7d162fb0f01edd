import type { Attempt, Line } from './line.ts';
import { sleep } from './sleep.ts';
import { UploadError } from './upload-error.ts';

/** How one request is repeated. */
export interface RetryPolicy {
  /** Tries in all before it is given up. A wait that a rate limit asks for is no try. */
  readonly tries: number;
  /** Before the second try; doubled before each further one. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** A `Retry-After` beyond this is given up at once. */
  readonly longestRetryAfterMs: number;
  /** Whether a server that cannot be reached is tried without end: `tries` counts only answers then. */
  readonly keepsTrying: boolean;
}

export const defaultRetryPolicy: RetryPolicy = {
  tries: 8,
  firstWaitMs: 500,
  longestWaitMs: 30_000,
  longestRetryAfterMs: 600_000,
  keepsTrying: false,
};

/** Returns the retry policy of one upload. It tries without end in a page, unless `tries` is given. Elsewhere it gives up. */
export function policyOf(wanted: Partial<RetryPolicy> = {}): RetryPolicy {
  return {
    ...defaultRetryPolicy,
    keepsTrying: typeof document !== 'undefined' && wanted.tries === undefined,
    ...wanted,
  };
}

/** The longest wait while the server cannot be reached: a try costs it nothing then. */
const longestOfflineWaitMs = 10_000;

/**
 * Says when the requests of one upload may go on. A rate limit that one of them met holds for all, so the others wait too
 * instead of finding out one by one. A pause holds them as well.
 */
export interface Brake {
  /** Lets nothing pass for as long; never shortens what is said already. */
  hold(ms: number): void;
  /** Waits until requests may go. */
  pass(signal: AbortSignal): Promise<void>;
}

export interface BrakeOptions {
  /** Waits while the upload is paused. */
  readonly whenGoing?: (signal: AbortSignal) => Promise<void>;
  readonly now?: () => number;
}

export function openBrake({ whenGoing, now = () => performance.now() }: BrakeOptions = {}): Brake {
  let heldUntil = -Infinity;
  return {
    hold(ms) {
      heldUntil = Math.max(heldUntil, now() + ms);
    },
    async pass(signal) {
      await whenGoing?.(signal);
      for (let left = heldUntil - now(); left > 0; left = heldUntil - now()) {
        await sleep(left, signal);
        await whenGoing?.(signal);
      }
    },
  };
}

export interface Retrying {
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  readonly brake: Brake;
  /** Left out where nobody asks whether the server can be reached. */
  readonly line?: Line;
  /** From 0 to 1; the system's chance when left out. */
  readonly random?: () => number;
}

/**
 * Runs a request until it succeeds, fails for good, or has failed too often.
 *
 * @throws {UploadError} of the last try, or the signal's reason
 */
export async function retrying<T>(
  run: (attempt: Attempt) => Promise<T>,
  { policy, signal, brake, line, random = Math.random }: Retrying,
): Promise<T> {
  for (let tries = 1, unanswered = 0; ;) {
    await brake.pass(signal);
    try {
      return await (line ? line.watch(run, signal) : run({ signal, moved: () => {} }));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UploadError) || !error.retryable) throw error;
      const asked = error.retryAfterMs;
      if (asked !== undefined && asked > policy.longestRetryAfterMs) throw error;
      if (isQueueing(error)) {
        // A little later than asked, and not all at the same moment.
        brake.hold(asked! + random() * 250);
        continue;
      }
      if (error.code === 'NETWORK_ERROR' && line && policy.keepsTrying) {
        line.lost();
        await line.rest(Math.min(longestOfflineWaitMs, waitMs(policy, ++unanswered, random)), signal);
        continue;
      }
      if (tries++ >= policy.tries) throw error;
      if (error.code === 'NETWORK_ERROR') line?.lost();
      const waitedMs = Math.max(asked ?? 0, waitMs(policy, tries - 1, random));
      await (line ? line.rest(waitedMs, signal) : sleep(waitedMs, signal));
    }
  }
}

/** Only a matter of waiting one's turn. Too many open uploads is not: they may stay open for a day. */
function isQueueing({ status, code, retryAfterMs }: UploadError): boolean {
  return status === 429 && retryAfterMs !== undefined && code !== 'TOO_MANY_OPEN_UPLOADS';
}

/** Half of the doubled wait is certain and half is chance, so that many clients do not come back together. */
export function waitMs({ firstWaitMs, longestWaitMs }: RetryPolicy, failures: number, random: () => number): number {
  const whole = Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1));
  return whole / 2 + (random() * whole) / 2;
}
