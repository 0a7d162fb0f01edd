import type { Attempt, Connectivity } from './connectivity.ts';
import { sleep } from './sleep.ts';
import { UploadError } from './upload-error.ts';

/** The rules for retrying one request. */
export interface RetryPolicy {
  /** Attempts in all. A wait that a rate limit asks for does not count as one. */
  readonly tries: number;
  /** Wait before the second attempt. It doubles before each further one. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** A longer `Retry-After` fails the request at once. */
  readonly longestRetryAfterMs: number;
  /** Whether an unreachable server is retried without end. `tries` then counts only requests that got a response. */
  readonly keepsTrying: boolean;
}

export const defaultRetryPolicy: RetryPolicy = {
  tries: 8,
  firstWaitMs: 500,
  longestWaitMs: 30_000,
  longestRetryAfterMs: 600_000,
  keepsTrying: false,
};

/**
 * Returns the retry policy of one upload. In a page it retries without end, unless `tries` is given. Elsewhere it gives
 * up.
 */
export function policyOf(wanted: Partial<RetryPolicy> = {}): RetryPolicy {
  return {
    ...defaultRetryPolicy,
    keepsTrying: typeof document !== 'undefined' && wanted.tries === undefined,
    ...wanted,
  };
}

/** The longest wait while the server is unreachable. Attempts cost the server nothing then. */
const longestOfflineWaitMs = 10_000;

/**
 * Delays the requests of one upload. A rate limit that one request meets applies to all of them, so the others wait
 * too. They also wait during a pause.
 */
export interface Backoff {
  /** Delays requests for at least `ms` from now. Never shortens an earlier delay. */
  extend(ms: number): void;
  /** Waits until requests may be sent. */
  wait(signal: AbortSignal): Promise<void>;
}

interface BackoffOptions {
  /** Waits while the upload is paused. */
  readonly whenGoing?: (signal: AbortSignal) => Promise<void>;
  readonly now?: () => number;
}

export function sharedBackoff({ whenGoing, now = () => performance.now() }: BackoffOptions = {}): Backoff {
  let endsAt = -Infinity;
  return {
    extend(ms) {
      endsAt = Math.max(endsAt, now() + ms);
    },
    async wait(signal) {
      await whenGoing?.(signal);
      for (let left = endsAt - now(); left > 0; left = endsAt - now()) {
        await sleep(left, signal);
        await whenGoing?.(signal);
      }
    },
  };
}

export interface Retrying {
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  readonly backoff: Backoff;
  /** Undefined when nothing watches whether the server is reachable. */
  readonly connectivity?: Connectivity;
  /** Returns a number from 0 to 1. Defaults to `Math.random`. */
  readonly random?: () => number;
}

/**
 * Runs a request until it succeeds, fails for good, or has used up its attempts.
 *
 * @throws {UploadError} of the last attempt, or the signal's reason
 */
export async function retrying<T>(
  run: (attempt: Attempt) => Promise<T>,
  { policy, signal, backoff, connectivity, random = Math.random }: Retrying,
): Promise<T> {
  for (let tries = 1, unanswered = 0; ;) {
    await backoff.wait(signal);
    try {
      return await (connectivity ? connectivity.watch(run, signal) : run({ signal, moved: () => {} }));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UploadError) || !error.retryable) throw error;
      const requestedMs = error.retryAfterMs;
      if (requestedMs !== undefined && requestedMs > policy.longestRetryAfterMs) throw error;
      if (isQueueing(error)) {
        // Waits a little longer than it was told, and a random time, so that requests do not return together.
        backoff.extend(requestedMs! + random() * 250);
        continue;
      }
      if (error.code === 'NETWORK_ERROR' && connectivity && policy.keepsTrying) {
        connectivity.reportLost();
        await connectivity.wait(Math.min(longestOfflineWaitMs, waitMs(policy, ++unanswered, random)), signal);
        continue;
      }
      if (tries++ >= policy.tries) throw error;
      if (error.code === 'NETWORK_ERROR') connectivity?.reportLost();
      const waitedMs = Math.max(requestedMs ?? 0, waitMs(policy, tries - 1, random));
      await (connectivity ? connectivity.wait(waitedMs, signal) : sleep(waitedMs, signal));
    }
  }
}

/**
 * Returns whether the request only has to wait its turn. TOO_MANY_OPEN_UPLOADS is different: those uploads may stay
 * open for a day.
 */
function isQueueing({ status, code, retryAfterMs }: UploadError): boolean {
  return status === 429 && retryAfterMs !== undefined && code !== 'TOO_MANY_OPEN_UPLOADS';
}

/**
 * Returns the wait before the next attempt. Half of the doubled wait is fixed and half is random, so that clients do
 * not return together.
 */
export function waitMs({ firstWaitMs, longestWaitMs }: RetryPolicy, failures: number, random: () => number): number {
  const whole = Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1));
  return whole / 2 + (random() * whole) / 2;
}
