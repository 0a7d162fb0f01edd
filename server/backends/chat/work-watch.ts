/** A server that has not rejected a request after this time has begun to work on it. */
export const refusedAtOnceMs = 2000;

/** Determines whether a server has begun to work on a request. */
export interface WorkWatch {
  /** Reports that the request was sent. */
  sent(): void;
  /** Reports that the request was cut off before a response. */
  cutOff(): void;
  /** Reports that the request has ended. Must be called in every case. */
  done(): void;
}

/**
 * Creates the watch of one request.
 *
 * @param onBegun called when a request was cut off, or has ended and took longer than a rejection does
 */
export function workWatch(onBegun: () => void, atOnceMs = refusedAtOnceMs): WorkWatch {
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
