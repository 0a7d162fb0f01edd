/** The part of a rate limit that has to survive a restart. Instants are milliseconds since the epoch. */
export interface LimitWindow {
  readonly key: string;
  readonly used: number;
  readonly endsAt: number;
  /** 0 when it is not blocked. */
  readonly blockedUntil: number;
}

export interface LimitWindowsTable {
  save(window: LimitWindow): Promise<void>;
  /** All that are still in force at `now`; the others are removed. */
  takeLive(now: number): Promise<LimitWindow[]>;
}

declare module './metadata.ts' {
  interface Tables {
    readonly limitWindows: LimitWindowsTable;
  }
}
