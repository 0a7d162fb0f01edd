const RealDate = Date;

/**
 * Sets the clock of this process off by so much, as if somebody had set the clock of its machine. Timers and the
 * monotonic clock go on as before. 0 sets it right.
 */
export function shiftClock(offsetMs: number): void {
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [string | number | Date]) {
      if (given.length === 0) super(RealDate.now() + offsetMs);
      else super(...given);
    }

    static override now(): number {
      return RealDate.now() + offsetMs;
    }
  } as DateConstructor;
}
