/** The state of a rate limit that survives a restart. Instants are milliseconds since the epoch. */
export interface LimitWindow {
  readonly key: string;
  readonly used: number;
  readonly endsAt: number;
  /** 0 when it is not blocked. */
  readonly blockedUntil: number;
}

export interface LimitWindowsTable {
  save(window: LimitWindow): Promise<void>;
  /** Returns the windows that are in force at `now`, and removes the others. */
  takeLive(now: number): Promise<LimitWindow[]>;
}

declare module './metadata.ts' {
  interface Tables {
    readonly limitWindows: LimitWindowsTable;
  }
}
