/** Where time comes from. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A clock that nobody can set: it only ever grows. */
export interface MonotonicClock {
  /**
   * Names the start that it counts from, such as that of the machine. Readings from different starts cannot be
   * compared.
   */
  readonly origin: string;
  /** Milliseconds since that start. */
  nowMs(): number;
}
