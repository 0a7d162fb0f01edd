/** What a server has not given back after so long, it has begun to work on. */
export const refusedAtOnceMs = 2000;

/** Finds out whether a server has begun to work on a request. */
export interface WorkWatch {
  /** The server has got the request. */
  sent(): void;
  /** Nobody waits for the server any more, and it had not refused the request. */
  cutOff(): void;
  /** The server has refused the request, or answered it. To be called in the end, whatever happened. */
  done(): void;
}

/** @param onBegun called when a server was cut off, or kept a request for longer than a refusal takes */
export function workWatch(onBegun: () => void, atOnceMs = refusedAtOnceMs): WorkWatch {
  let timer: NodeJS.Timeout | undefined;
  return {
    sent() {
      timer = setTimeout(onBegun, atOnceMs);
    },
    cutOff() {
      if (timer !== undefined) onBegun();
    },
    done() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
