import type { TokenUsage } from './conversation.ts';
import type { ChatCapacity, ChatPlanLimits } from './plan-limits.ts';

/** Room that is held for one request under way. Instants are milliseconds since the epoch. */
export interface ChatLease extends TokenUsage {
  readonly id: string;
  readonly accountId: string;
  readonly startedAt: number;
  /** From then on it counts nowhere. */
  readonly expiresAt: number;
  /** The midnight, UTC, of the day that it is charged to. */
  readonly day: number;
}

/** What one request would like to hold. */
export interface ChatWish {
  /** `outputTokens` is the most that it can use. */
  readonly lease: ChatLease;
  /** With less than so many tokens of output it is refused. At least 1. */
  readonly leastOutputTokens: number;
}

/** What may not be passed. */
export interface ChatCeilings {
  readonly limits: ChatPlanLimits;
  readonly capacity: ChatCapacity;
}

/** Requests and their tokens. */
export interface ChatTally extends TokenUsage {
  readonly requests: number;
}

/** Where an account stands on a day, and the installation with it. */
export interface ChatStanding {
  /** Requests under way. */
  readonly running: number;
  /** When the latest request began that was charged or is under way; null when none of the last days did. */
  readonly lastStartedAt: number | null;
  /** What is charged. */
  readonly used: { readonly today: ChatTally; readonly week: ChatTally };
  /** What is held for requests under way. */
  readonly held: { readonly today: ChatTally; readonly week: ChatTally };
  /** All accounts together; tokens that are charged, and held. */
  readonly installation: { readonly running: number; readonly usedToday: number; readonly heldToday: number };
}

export interface ChatReader {
  /** @param day the midnight of the day that is asked about, which names the week too */
  standingOf(accountId: string, day: number, now: number): Promise<ChatStanding>;
}

export interface ChatTable extends ChatReader {
  /**
   * Holds room, with as many tokens of output as fit, and answers how many; answers undefined, and changes nothing, when a
   * ceiling would be passed. One statement: parallel requests can never pass a ceiling together.
   */
  hold(wish: ChatWish, ceilings: ChatCeilings, now: number): Promise<number | undefined>;
  /** Gives up what is held; answers it, or undefined when it is not held any more. */
  giveUp(leaseId: string): Promise<ChatLease | undefined>;
  /** Counts an answered request where its lease says. */
  charge(lease: Pick<ChatLease, 'accountId' | 'day' | 'startedAt'>, usage: TokenUsage): Promise<void>;
  /** Removes all leases; answers how many. For a start: whoever held them is gone. */
  giveUpAll(): Promise<number>;
  /** Removes up to `limit` leases that expired before an instant; answers how many. */
  forgetLeasesBefore(instant: number, limit: number): Promise<number>;
  /** Removes up to `limit` days before one; answers how many. */
  forgetDaysBefore(day: number, limit: number): Promise<number>;
}
