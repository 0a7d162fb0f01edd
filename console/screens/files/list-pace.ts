/** When the next list may be requested, as the server's `RateLimit` header said last. */
let freeAtMs = 0;

/** Reads the rest of the limit from a header such as `"list";r=0;t=12, "account";r=599;t=60`. */
export function waitOf(header: string | null): number {
  const [, left, seconds] = /"list";r=(\d+);t=(\d+)/.exec(header ?? '') ?? [];
  return left !== undefined && Number(left) <= 1 ? Number(seconds) : 0;
}

export function noteLimit(header: string | null): void {
  const seconds = waitOf(header);
  if (seconds > 0) freeAtMs = Date.now() + seconds * 1000;
}

/**
 * Waits until a list may be requested. A list that is scrolled through fast would otherwise exceed the limit, which
 * blocks all lists for half a minute.
 */
export function awaitTurn(signal: AbortSignal): Promise<void> {
  const waitMs = freeAtMs - Date.now();
  if (waitMs <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
