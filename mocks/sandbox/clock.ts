import type { Clock } from '#server/domain/ports/clock.ts';

/** A change of a clock. What it leaves out stays. */
interface ClockChange {
  /** Milliseconds since the epoch. */
  readonly instant?: number | undefined;
  /** After `instant`. */
  readonly advanceMs?: number | undefined;
  readonly isStopped?: boolean | undefined;
}

/** The clock of a sandbox: that of the machine, until a test sets it. It goes on from there, unless it is stopped. */
export class SandboxClock implements Clock {
  readonly #machine: () => number;
  #offsetMs = 0;
  #stoppedAt: number | undefined;

  constructor(machine: () => number = Date.now) {
    this.#machine = machine;
  }

  now(): number {
    return this.#stoppedAt ?? this.#machine() + this.#offsetMs;
  }

  /** Sets, moves, and stops the clock or lets it go on, all at one moment of the machine. */
  change({ instant, advanceMs = 0, isStopped = this.#stoppedAt !== undefined }: ClockChange): void {
    const machineMs = this.#machine();
    const now = (instant ?? this.#stoppedAt ?? machineMs + this.#offsetMs) + advanceMs;
    this.#offsetMs = now - machineMs;
    this.#stoppedAt = isStopped ? now : undefined;
  }

  /** Follows the clock of the machine again. */
  reset(): void {
    this.#offsetMs = 0;
    this.#stoppedAt = undefined;
  }
}
