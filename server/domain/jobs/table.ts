/** A jump of the clock that no operator has confirmed yet. Automatic deletion is paused until then. */
export interface ClockJump {
  /** The time of the clock when the jump was noticed, in milliseconds since the epoch. */
  readonly noticedAt: number;
  /** Milliseconds that the clock jumped by; negative when it went back. */
  readonly byMs: number;
}

interface ClockJumpReader {
  /** Returns the jump that is not confirmed yet. */
  find(): Promise<ClockJump | undefined>;
}

export interface ClockJumpTable extends ClockJumpReader {
  /** Stores a jump, in place of an earlier one. */
  save(jump: ClockJump): Promise<void>;
  /** Removes the jump. Returns whether one was stored. */
  clear(): Promise<boolean>;
}

/** The difference of the wall clock and the monotonic clock when the wall clock was last trusted. */
export interface ClockBaseline {
  /** Identifies the start of the monotonic clock. */
  readonly origin: string;
  readonly offsetMs: number;
}

/** The baseline that all processes of a data folder share, such as the server and operator commands. */
export interface ClockBaselines {
  find(): Promise<ClockBaseline | undefined>;
  /** Stores a baseline, in place of an earlier one. */
  save(baseline: ClockBaseline): Promise<void>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly clockJump: ClockJumpReader;
  }
  interface Tables {
    readonly clockJump: ClockJumpTable;
  }
}
