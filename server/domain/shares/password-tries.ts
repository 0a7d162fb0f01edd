/** Who tries a password, and at which link. */
export interface PasswordTry {
  /** The link; one for all that are unknown. */
  readonly link: string;
  /** The client's address as it is counted. */
  readonly address: string;
}

/** A try that is under way; wrong unless something is said of it. Told once at most. */
export interface BegunTry {
  /**
   * It was right: that it was counted as wrong is taken back, and so are the wrong ones of this address before it. It
   * stays counted as a check.
   */
  succeeded(): void;
  /** It was not looked at: what it was counted as is taken back. */
  abandoned(): void;
}

/** Slows down guessing. Counts in memory, exact under parallel tries. */
export interface PasswordTries {
  /**
   * Counts a try as wrong before it is known to be, so that parallel ones are counted too.
   *
   * @throws RATE_LIMITED
   */
  begin(one: PasswordTry): BegunTry;
}
