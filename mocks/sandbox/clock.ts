import type { Clock } from '#server/domain/ports/clock.ts';

/** The clock of a sandbox: that of the machine, until a test sets it. It goes on from there, unless it is stopped. */
export class SandboxClock implements Clock {
  #offsetMs = 0;
  #stoppedAt: number | undefined;

  now(): number {
    return this.#stoppedAt ?? Date.now() + this.#offsetMs;
  }

  /** @param instant milliseconds since the epoch */
  set(instant: number): void {
    this.#offsetMs = instant - Date.now();
    if (this.#stoppedAt !== undefined) this.#stoppedAt = instant;
  }

  advance(ms: number): void {
    this.set(this.now() + ms);
  }

  /** Stops the clock, or lets it go on. */
  stop(isStopped: boolean): void {
    const now = this.now();
    this.#stoppedAt = isStopped ? now : undefined;
    this.#offsetMs = now - Date.now();
  }

  /** Follows the clock of the machine again. */
  reset(): void {
    this.#offsetMs = 0;
    this.#stoppedAt = undefined;
  }
}
