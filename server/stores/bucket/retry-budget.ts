/** This many requests earn one retry, so that retries add at most a tenth to the load of a struggling bucket. */
const requestsPerRetry = 10;

/** Retries that a quiet server has saved up. */
const mostSaved = 10;

/** Counts the retries that a server may make. */
export class RetryBudget {
  #saved = mostSaved;

  /** Counts a request. */
  earn(): void {
    this.#saved = Math.min(mostSaved, this.#saved + 1 / requestsPerRetry);
  }

  /** Returns whether a request may be tried again, and counts it. */
  spend(): boolean {
    if (this.#saved < 1) return false;
    this.#saved--;
    return true;
  }
}
