import type { TokenUsage } from './conversation.ts';

/** Requests and their tokens. */
export interface ChatTally extends TokenUsage {
  readonly requests: number;
}

/** What an account was charged. Instants are milliseconds since the epoch. */
export interface ChatCharged {
  readonly today: ChatTally;
  readonly week: ChatTally;
  /** When the latest of these requests began; null when none of the last days did. */
  readonly lastStartedAt: number | null;
}

/** What a request is charged to. */
export interface ChatChargedTo {
  readonly accountId: string;
  /** The midnight, UTC, of the day on which it began. */
  readonly day: number;
  readonly startedAt: number;
}

export interface ChatReader {
  /** @param day the midnight of the day that is asked about, which names the week too */
  chargedTo(accountId: string, day: number): Promise<ChatCharged>;
  /** Tokens of all accounts together on a day. */
  tokensOn(day: number): Promise<number>;
}

export interface ChatTable extends ChatReader {
  /** Counts an answered request. */
  charge(to: ChatChargedTo, usage: TokenUsage): Promise<void>;
  /** Removes up to `limit` days before one; answers how many. */
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
