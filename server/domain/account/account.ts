import type { Plan } from '../plan.ts';

/** Whose files, keys and limits they are. Sizes are bytes, instants milliseconds since the epoch. */
export interface Account {
  /** 18 decimal digits. */
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAt: number;
  /** The operator's own quota, or null for the plan's. */
  readonly quotaBytes: number | null;
  /**
   * The operator's own budget of the AI gateway in tokens a day, or null for the plan's; it holds on Enterprise alone.
   */
  readonly aiTokensPerDay: number | null;
  readonly usedBytes: number;
  readonly usedObjects: number;
  /** Held for uploads under way, and by stored parts of chunked uploads. */
  readonly reservedBytes: number;
  /** Bytes on their way in that are not held: of unknown length, or in the place of a stored part. */
  readonly flowingBytes: number;
  /** Counts every change to the account's files; a page that was read at another revision is stale. */
  readonly revision: number;
}
