/** The address that tries a password, and the link. */
export interface PasswordTry {
  /** The link. All unknown links share one name. */
  readonly link: string;
  /** The client's address as it is counted. */
  readonly address: string;
}

/**
 * A try that was counted, and how. These are plain values, from which a store finds the counts to take back. All
 * instants are milliseconds since the epoch.
 */
export interface CountedTry extends PasswordTry {
  readonly at: number;
  /** Names the series of wrong tries of the address at the link. A right try ends a series. */
  readonly series: string;
  /** The instant until which the address waits at the link because of this try, and because of those before it. */
  readonly waitsUntil: number;
  readonly waitedUntil: number;
}

/** Slows down guessing, exactly under parallel tries. `now` is in milliseconds since the epoch. */
export interface PasswordTries {
  /**
   * Counts a try as wrong before it is checked, so that parallel tries are counted too. A try that ends in neither
   * `succeed` nor `abandon` stays counted as wrong.
   *
   * @throws RATE_LIMITED, as `triesRefusal()` says it
   */
  begin(one: PasswordTry, now: number): Promise<CountedTry>;
  /**
   * Counts a try as right: it and the earlier wrong tries of its address at the link no longer count as wrong. It stays
   * counted as a check. Call it at most once.
   */
  succeed(counted: CountedTry): Promise<void>;
  /** Takes back all that a try was counted as, because it was not checked. Call it at most once. */
  abandon(counted: CountedTry): Promise<void>;
}
