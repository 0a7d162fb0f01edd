import { ApiError, isAborted } from '../../app/api-error.ts';

/** Something that could not be changed, and why. */
export interface Failure {
  readonly name: string;
  readonly code: string;
}

/** How far a batch has come. */
export interface BatchProgress {
  readonly done: number;
  readonly total: number;
  /** How long the server's limit lets it wait now. */
  readonly waitSeconds?: number;
}

export interface BatchResult {
  readonly done: number;
  readonly failures: readonly Failure[];
  /** Whether the person ended it early. */
  readonly isCancelled: boolean;
}

/** How a change tells how far it is, and learns that it was cancelled. */
export interface Running {
  readonly onProgress: (progress: BatchProgress) => void;
  readonly signal: AbortSignal;
}

interface Batch<Item> extends Running {
  /** Items of one request. */
  readonly size: number;
  readonly nameOf: (item: Item) => string;
  /** Changes some items. Returns those that failed. A request that fails as a whole throws. */
  readonly run: (items: readonly Item[], signal: AbortSignal) => Promise<readonly Failure[]>;
  /** Waits before a limited request is sent again. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Changes many items, some in each request. A rate limit only delays it. Any other failure of a request counts for its
 * items, and the rest goes on.
 */
export async function runBatch<Item>(items: readonly Item[], batch: Batch<Item>): Promise<BatchResult> {
  const { size, nameOf, run, onProgress, signal, sleep = wait } = batch;
  const failures: Failure[] = [];
  let seen = 0;
  const result = (isCancelled: boolean): BatchResult => ({ done: seen - failures.length, failures, isCancelled });
  while (seen < items.length) {
    onProgress({ done: seen, total: items.length });
    if (signal.aborted) return result(true);
    const part = items.slice(seen, seen + size);
    try {
      failures.push(...(await run(part, signal)));
    } catch (error) {
      if (isAborted(error) || signal.aborted) return result(true);
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) throw error;
      if (error.code === 'RATE_LIMITED') {
        const waitSeconds = error.retryAfterSeconds ?? 5;
        onProgress({ done: seen, total: items.length, waitSeconds });
        await sleep(waitSeconds * 1000, signal).catch(() => {});
        continue;
      }
      failures.push(...part.map((item) => ({ name: nameOf(item), code: error.code })));
    }
    seen += part.length;
  }
  onProgress({ done: seen, total: items.length });
  return result(false);
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
