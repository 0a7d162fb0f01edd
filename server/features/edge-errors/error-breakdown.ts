import type { EdgeMethod } from './edge-error.ts';

/** How often each status was sent, most frequent first. */
export type StatusCounts = ReadonlyArray<{ readonly status: number; readonly count: number }>;

/** The error responses of the edge in a window. */
export interface ErrorBreakdown {
  readonly total: number;
  /** 0 unless they were requested. */
  readonly clientErrors: number;
  readonly serverErrors: number;
  readonly byStatus: StatusCounts;
  /** In order of time, without gaps; empty when there are no errors. */
  readonly timeseries: ReadonlyArray<{
    readonly startsAt: number;
    readonly total: number;
    readonly byStatus: StatusCounts;
  }>;
  /** Up to 20, most errors first. */
  readonly topPaths: ReadonlyArray<{
    readonly path: string;
    readonly method: EdgeMethod;
    readonly total: number;
    readonly byStatus: StatusCounts;
  }>;
  /** Most errors first. */
  readonly byMethod: ReadonlyArray<{
    readonly method: EdgeMethod;
    readonly total: number;
    readonly byStatus: StatusCounts;
  }>;
}

export const emptyBreakdown: ErrorBreakdown = {
  total: 0,
  clientErrors: 0,
  serverErrors: 0,
  byStatus: [],
  timeseries: [],
  topPaths: [],
  byMethod: [],
};

/** A cache of breakdowns. A cache key contains the revision of the application's errors, so no entry is stale. */
export interface BreakdownCache {
  get(key: string): ErrorBreakdown | undefined;
  set(key: string, breakdown: ErrorBreakdown): void;
}

/** Adds up counts by status. */
export class StatusSums {
  readonly #sums = new Map<number, number>();
  total = 0;

  add(status: number, count: number): void {
    this.#sums.set(status, (this.#sums.get(status) ?? 0) + count);
    this.total += count;
  }

  /** Returns how many errors have a status of at least `from` and below `until`. */
  between(from: number, until: number): number {
    return [...this.#sums].reduce((sum, [status, count]) => (status >= from && status < until ? sum + count : sum), 0);
  }

  counts(): StatusCounts {
    return [...this.#sums]
      .map(([status, count]) => ({ status, count }))
      .sort((a, b) => b.count - a.count || a.status - b.status);
  }
}
