/** A server that has not rejected a request after this time has begun to work on it. */
const refusedAtOnceMs = 2000;

/** Follows a request, to know whether a server has begun to work on it. */
export interface RequestProgress {
  /** Reports that the request was sent. */
  sent(): void;
  /** Reports that the request was cut off before a response. */
  cutOff(): void;
  /** Reports that the request has ended. Must be called in every case. */
  done(): void;
}

/**
 * Follows one request.
 *
 * @param onBegun called when a request was cut off, or has ended and took longer than a rejection does
 */
export function requestProgress(onBegun: () => void, atOnceMs = refusedAtOnceMs): RequestProgress {
  let sentMs: number | undefined;
  return {
    sent() {
      sentMs = performance.now();
    },
    cutOff() {
      if (sentMs !== undefined) onBegun();
    },
    done() {
      if (sentMs !== undefined && performance.now() - sentMs >= atOnceMs) onBegun();
      sentMs = undefined;
    },
  };
}
