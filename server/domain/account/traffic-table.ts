/** The requests of an account on one day in UTC, and the bytes that were sent in response. */
export interface TrafficOfDay {
  /** The midnight at which the day begins. */
  readonly day: number;
  readonly requests: number;
  readonly egressBytes: number;
}

/** Traffic to add to a day of an account. */
export interface AccountTraffic extends TrafficOfDay {
  readonly accountId: string;
}

/** Days in UTC, both included, as the midnights at which they begin. */
interface Days {
  readonly from: number;
  readonly to: number;
}

interface TrafficReader {
  /** Returns the days with traffic, the oldest first. */
  daysOf(accountId: string, days: Days): Promise<TrafficOfDay[]>;
}

export interface TrafficTable extends TrafficReader {
  /** Adds to the sums of days. Leaves out accounts that are gone. */
  add(traffic: readonly AccountTraffic[]): Promise<void>;
  /** Removes up to `limit` days before this one, of all accounts. Returns how many. */
  forgetBefore(day: number, limit: number): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly traffic: TrafficReader;
  }
  interface Tables {
    readonly traffic: TrafficTable;
  }
}
