/** The source of time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A clock that nobody can set. It only grows. */
export interface MonotonicClock {
  /**
   * Names the start that it counts from, such as the start of the machine. Readings from different starts cannot be
   * compared.
   */
  readonly origin: string;
  /** Milliseconds since that start. */
  nowMs(): number;
}
