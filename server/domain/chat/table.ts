import type { BudgetName } from './chat-quota.ts';
import type { TokenUsage } from './conversation.ts';

/** Requests and their tokens. */
export interface ChatTally extends TokenUsage {
  readonly requests: number;
}

/** The charges of an account. Instants are milliseconds since the epoch. */
export interface ChatCharged {
  readonly today: ChatTally;
  readonly week: ChatTally;
  /** When the latest request began; null without a request in the last days. */
  readonly lastStartedAt: number | null;
}

/** The account and day that a request is charged to. */
export interface ChatChargedTo {
  readonly accountId: string;
  /** The midnight, UTC, of the day on which it began. */
  readonly day: number;
  readonly startedAt: number;
}

/** A budget of an account that was reached in a period, with the limit that it had. */
export interface ReachedBudget {
  readonly accountId: string;
  readonly budget: BudgetName;
  /** The first instant of the period, in milliseconds since the epoch. */
  readonly startsAt: number;
  readonly limit: number;
}

export interface ChatReader {
  /** @param day the midnight, UTC, at which the day begins. The week is the one with this day */
  chargedTo(accountId: string, day: number): Promise<ChatCharged>;
  /** Returns the tokens of all accounts together on a day. */
  tokensOn(day: number): Promise<number>;
  /** Whether {@link ChatTable.noteReached} was called for it. */
  wasReached(reached: ReachedBudget): Promise<boolean>;
}

export interface ChatTable extends ChatReader {
  /** Adds a request and its tokens to the day on which it began. */
  charge(to: ChatChargedTo, usage: TokenUsage): Promise<void>;
  /** Notes that a budget was reached. Returns whether it is the first time. */
  noteReached(reached: ReachedBudget): Promise<boolean>;
  /**
   * Frees the reservation of a request. Returns whether it was held. Only for stores that keep reservations as rows,
   * because several servers share them.
   */
  freeLease(leaseId: string): Promise<boolean>;
  /** Removes up to `limit` rows of days before `day`. Returns how many. */
  forgetDaysBefore(day: number, limit: number): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly chat: ChatReader;
  }
  interface Tables {
    readonly chat: ChatTable;
  }
}
