/** Keeps requests away from a server that fails, so that nobody waits for it in vain. */
export interface CircuitBreaker {
  /** Whether a request would be let through now. */
  readonly isOpen: boolean;
  /**
   * Lets a request through, or not. Once the way is closed, a single one may go after each pause to find out.
   *
   * @param request the same each time that it tries: it counts once, however often it fails
   */
  mayTry(request: object): Trial | undefined;
}

/** A request that was let through. It reports how it went, exactly once. */
export interface Trial {
  /** The server works, whatever it said. */
  succeeded(): void;
  /** Answers whether this is what closed the way. */
  failed(): boolean;
  /** Nothing was learned about the server. */
  learnedNothing(): void;
}

export interface CircuitBreakerOptions {
  /** Grows, whatever happens to the time of day. */
  readonly nowMs: () => number;
  /** Requests that failed, and none that succeeded meanwhile, after which the way is closed. */
  readonly opensAfter?: number;
  /** How long it stays closed before somebody looks again. */
  readonly pauseMs?: number;
}

/** A breaker whose way is open. */
export function circuitBreaker({ nowMs, opensAfter = 5, pauseMs = 10_000 }: CircuitBreakerOptions): CircuitBreaker {
  /** Since the latest success. */
  const failing = new Set<object>();
  let successes = 0;
  /** Closed until then; `undefined` while the way is open. */
  let closedUntilMs: number | undefined;
  /** The latest that went to find out: only this one says when the next may. */
  let probe: Trial | undefined;

  const isOpen = (): boolean => closedUntilMs === undefined || nowMs() >= closedUntilMs;

  function close(forMs: number): void {
    closedUntilMs = nowMs() + forMs;
    probe = undefined;
    failing.clear();
  }

  function trialOf(request: object): Trial {
    const successesBefore = successes;
    const trial: Trial = {
      succeeded() {
        successes++;
        failing.clear();
        closedUntilMs = undefined;
        probe = undefined;
      },
      failed() {
        // Others were answered meanwhile: it is not the server.
        if (successes !== successesBefore) return false;
        if (closedUntilMs !== undefined) {
          if (probe === trial) close(pauseMs);
          return false;
        }
        failing.add(request);
        if (failing.size < opensAfter) return false;
        close(pauseMs);
        return true;
      },
      learnedNothing() {
        if (probe === trial) close(0);
      },
    };
    return trial;
  }

  return {
    get isOpen() {
      return isOpen();
    },
    mayTry(request) {
      if (!isOpen()) return undefined;
      const trial = trialOf(request);
      if (closedUntilMs === undefined) return trial;
      // Others do not wait for it longer than for a pause: it may take as long as requests do.
      close(pauseMs);
      probe = trial;
      return trial;
    },
  };
}
