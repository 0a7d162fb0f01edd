import type { Clock } from '#server/domain/ports/clock.ts';

/**
 * The database's clock, which all servers over it share. Each transaction reads it, and in between this process counts
 * on with a clock that never jumps.
 */
export class DatabaseClock implements Clock {
  #databaseMs = Date.now();
  #readAt = performance.now();

  /**
   * Sets the clock.
   *
   * @param databaseMs the database's time, in milliseconds since 1970
   * @param readAt the moment at which the database had that time, by `performance.now()`
   */
  adjust(databaseMs: number, readAt: number): void {
    this.#databaseMs = databaseMs;
    this.#readAt = readAt;
  }

  now(): number {
    return Math.floor(this.#databaseMs + performance.now() - this.#readAt);
  }
}
