import type { BudgetName, KeyLimitName, ToldPercent } from './chat-quota.ts';
import type { TokenCounts } from '../conversation/conversation.ts';

/** Requests, their tokens and what these cost. */
export interface ChatTally extends TokenCounts {
  readonly requests: number;
  /** In the unit of `server/domain/money.ts`. A sum above 2^53 is rounded. */
  readonly cost: number;
}

/** What one request is charged. */
export interface ChatCharge extends TokenCounts {
  /** In the unit of `server/domain/money.ts`. Left out: nothing. */
  readonly cost?: number;
}

/** The charges of an account. Instants are milliseconds since the epoch. */
export interface ChatCharged {
  readonly today: ChatTally;
  readonly week: ChatTally;
  /** When the latest request began; null without a request in the last days. */
  readonly lastStartedAt: number | null;
}

/** The charges of an API key that its own limits count. */
export interface KeyCharged {
  readonly today: ChatTally;
  /** Requests that began in the minute. */
  readonly inMinute: number;
}

/** The account, key, model and day that a request is charged to. */
export interface ChatChargedTo {
  readonly accountId: string;
  readonly keyId: string;
  /** The name under which the model is known to callers. */
  readonly model: string;
  /** The midnight, UTC, of the day on which it began. */
  readonly day: number;
  readonly startedAt: number;
}

/** A part of an account's budget that was reached in a period, with the limit that it had. */
export interface ReachedBudget {
  readonly accountId: string;
  readonly budget: BudgetName;
  /** The first instant of the period, in milliseconds since the epoch. */
  readonly startsAt: number;
  readonly limit: number;
  readonly percent: ToldPercent;
}

/** A limit of an API key that was reached on a day, with the value that it had. */
export interface ReachedKeyLimit {
  readonly keyId: string;
  readonly limit: KeyLimitName;
  /** The midnight, UTC, at which the day begins. */
  readonly day: number;
  readonly value: number;
}

export type UsageDimension = 'day' | 'key' | 'model';

/** The charges to return. */
export interface UsageQuery {
  /** The midnight, UTC, of the first and of the last day. */
  readonly from: number;
  readonly to: number;
  /** What to tell apart. Charges that are alike in all of these are added up. */
  readonly groupBy: ReadonlySet<UsageDimension>;
  /** Only the charges of this key. */
  readonly keyId?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Charges that were added up. What they were not grouped by is null. */
export interface UsageGroup extends ChatTally {
  readonly day: number | null;
  readonly keyId: string | null;
  readonly model: string | null;
  /** Requests that a cache answered, which are not in `requests`. */
  readonly cachedRequests: number;
}

/** Requests of a key to a model on one day that a cache answered. */
export interface CachedRequests extends Pick<ChatChargedTo, 'accountId' | 'keyId' | 'model' | 'day'> {
  readonly requests: number;
}

export interface ChatReader {
  /** @param day the midnight, UTC, at which the day begins. The week is the one with this day */
  chargedTo(accountId: string, day: number): Promise<ChatCharged>;
  /** Returns the tokens of all accounts together on a day. */
  tokensOn(day: number): Promise<number>;
  /** @param minute the first instant of the minute that {@link KeyCharged.inMinute} counts */
  chargedToKey(key: Pick<ChatChargedTo, 'accountId' | 'keyId' | 'day'>, minute: number): Promise<KeyCharged>;
  /** Returns the charges of an account in groups, in the order of day, key and model. */
  usageOf(accountId: string, query: UsageQuery): Promise<UsageGroup[]>;
  /** Whether {@link ChatTable.noteReached} was called for it. */
  wasReached(reached: ReachedBudget): Promise<boolean>;
  /** Whether {@link ChatTable.noteKeyReached} was called for it. */
  wasKeyReached(reached: ReachedKeyLimit): Promise<boolean>;
}

export interface ChatTable extends ChatReader {
  /** Adds a request, its tokens and their cost to the day on which it began. */
  charge(to: ChatChargedTo, usage: ChatCharge): Promise<void>;
  /** Adds requests that a cache answered, to the history alone. */
  countCached(counts: readonly CachedRequests[]): Promise<void>;
  /** Notes that a part of a budget was reached. Returns whether it is the first time. */
  noteReached(reached: ReachedBudget): Promise<boolean>;
  /** Notes that a limit of a key was reached. Returns whether it is the first time. */
  noteKeyReached(reached: ReachedKeyLimit): Promise<boolean>;
  /**
   * Frees the reservation of a request. Returns whether there was one. Only for stores that keep reservations as rows,
   * because several servers share them.
   */
  freeLease(leaseId: string): Promise<boolean>;
  /** Removes up to `limit` rows of each kind, of days before `day`. Returns how many. */
  forgetDaysBefore(day: number, limit: number): Promise<number>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly chat: ChatReader;
  }
  interface Tables {
    readonly chat: ChatTable;
  }
}
