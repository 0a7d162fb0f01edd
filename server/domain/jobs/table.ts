/** Why automatic deletion waits: the clock has jumped, and nobody has said yet that it is right. */
export interface ClockJump {
  /** What the clock said when the jump was noticed, in milliseconds since the epoch. */
  readonly noticedAt: number;
  /** Milliseconds that it jumped by; negative when it went back. */
  readonly byMs: number;
}

export interface ClockJumpReader {
  /** The jump that was not confirmed yet. */
  find(): Promise<ClockJump | undefined>;
}

export interface ClockJumpTable extends ClockJumpReader {
  /** Notes a jump, in the place of an earlier one. */
  save(jump: ClockJump): Promise<void>;
  /** Answers whether there was one. */
  clear(): Promise<boolean>;
}

/** How far the wall clock was from the monotonic one when it was last believed. */
export interface ClockBaseline {
  /** Where the monotonic clock counts from. */
  readonly origin: string;
  readonly offsetMs: number;
}

/** The baseline that all processes of a data folder share: the server and operator commands. */
export interface ClockBaselines {
  find(): Promise<ClockBaseline | undefined>;
  /** In the place of an earlier one. */
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
