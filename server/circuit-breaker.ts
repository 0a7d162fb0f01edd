/** Keeps requests away from a failing server, so that they do not wait for it in vain. */
export interface CircuitBreaker {
  /** Whether a request would be let through now. */
  readonly isAvailable: boolean;
  /**
   * Lets a request through, or returns undefined. While the breaker is open, a single request may probe after each
   * pause.
   *
   * @param request the same object for each attempt of a request, which counts as one failure
   */
  mayTry(request: object): Trial | undefined;
}

/** A request that was let through. It reports its result exactly once. */
export interface Trial {
  /** Reports that the server works, whatever its response was. */
  succeeded(): void;
  /** Reports a failure. Returns whether it opened the breaker. */
  failed(): boolean;
  /** Reports that the result says nothing about the server. */
  learnedNothing(): void;
}

export interface CircuitBreakerOptions {
  /** A monotonic clock. */
  readonly nowMs: () => number;
  /** The breaker opens after this many failed requests without a success in between. */
  readonly opensAfter?: number;
  /** Time until the next probe. */
  readonly pauseMs?: number;
}

/** Creates a closed breaker, which lets all requests through. */
export function circuitBreaker({ nowMs, opensAfter = 5, pauseMs = 10_000 }: CircuitBreakerOptions): CircuitBreaker {
  /** The requests that failed since the latest success. */
  const failing = new Set<object>();
  let successes = 0;
  /** `undefined` while the breaker is closed. */
  let openUntilMs: number | undefined;
  /** The latest probe. Only its result decides about the next one. */
  let probe: Trial | undefined;

  function open(forMs: number): void {
    openUntilMs = nowMs() + forMs;
    probe = undefined;
    failing.clear();
  }

  function trialOf(request: object): Trial {
    const successesBefore = successes;
    const trial: Trial = {
      succeeded() {
        successes++;
        // Clearing makes a new table each time, also of an empty set.
        if (failing.size > 0) failing.clear();
        openUntilMs = undefined;
        probe = undefined;
      },
      failed() {
        // Other requests succeeded meanwhile, so the server works.
        if (successes !== successesBefore) return false;
        if (openUntilMs !== undefined) {
          if (probe === trial) open(pauseMs);
          return false;
        }
        failing.add(request);
        if (failing.size < opensAfter) return false;
        open(pauseMs);
        return true;
      },
      learnedNothing() {
        if (probe === trial) open(0);
      },
    };
    return trial;
  }

  return {
    get isAvailable() {
      return openUntilMs === undefined || nowMs() >= openUntilMs;
    },
    mayTry(request) {
      if (!this.isAvailable) return undefined;
      const trial = trialOf(request);
      if (openUntilMs === undefined) return trial;
      // The probe may take as long as a request may. Others wait at most one pause for it.
      open(pauseMs);
      probe = trial;
      return trial;
    },
  };
}
