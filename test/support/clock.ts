import type { Clock } from '#server/domain/ports/clock.ts';

/** A clock that moves only when it is told to. */
export class TestClock implements Clock {
  #now: number;

  constructor(start = Date.parse('2026-04-21T09:30:00.000Z')) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}
