import type { Plan } from '../plan.ts';
import type { AiLimits } from './account-ai-limits.ts';

/** An account, which owns files and keys. Sizes are bytes, instants milliseconds since the epoch. */
export interface Account {
  /** 18 decimal digits. */
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAt: number;
  /** Its own quota, set by the operator; null for the plan's. */
  readonly quotaBytes: number | null;
  /** Its own AI budget in tokens a day, set by the operator; null for the plan's. Only Enterprise uses it. */
  readonly aiTokensPerDay: number | null;
  /** Its own limits in the AI gateway, set by the operator; null for the plan's. */
  readonly aiLimits: AiLimits | null;
  readonly usedBytes: number;
  readonly usedObjects: number;
  /** Bytes reserved for uploads under way, and bytes of the stored parts of chunked uploads. */
  readonly reservedBytes: number;
  /** Bytes that are being received and are not reserved: of unknown length, or replacing a stored part. */
  readonly inFlightBytes: number;
  /** When an operator suspended it; null if it is not suspended. */
  readonly suspendedAt: number | null;
  /** When an operator deleted it; null if it is not deleted. @see closed-account.ts */
  readonly deletedAt: number | null;
  /** For how many days the console keeps what a person deletes in it; null if it was never set. */
  readonly keepDeletedDays: number | null;
  /** Counts the changes of the account's files. Data that was read at another revision is stale. */
  readonly revision: number;
}
