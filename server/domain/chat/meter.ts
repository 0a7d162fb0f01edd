import type { TokenUsage } from './conversation.ts';

/** What a request has come to so far, so that it can be charged also where it ends without an answer. */
export interface ChatMeter {
  /** How often the model was asked and has answered. */
  readonly rounds: number;
  /** Of those rounds together. */
  readonly usage: TokenUsage;
  /** What is to be charged when the client goes away now: the rounds, and the input of one under way. Undefined before a model read anything. */
  readonly leftBehind: TokenUsage | undefined;
  asks(inputTokens: number): void;
  /** The round under way came to nothing before the model read it. */
  isUnread(): void;
  answers(usage: TokenUsage): void;
}

/** The meter of one request, at nought. */
export function chatMeter(): ChatMeter {
  let rounds = 0;
  let usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  let askedTokens: number | undefined;
  return {
    get rounds() {
      return rounds;
    },
    get usage() {
      return usage;
    },
    get leftBehind() {
      return rounds === 0 && askedTokens === undefined ? undefined : { ...usage, inputTokens: usage.inputTokens + (askedTokens ?? 0) };
    },
    asks(inputTokens) {
      askedTokens = inputTokens;
    },
    isUnread() {
      askedTokens = undefined;
    },
    answers(more) {
      rounds++;
      askedTokens = undefined;
      const isEstimated = usage.isEstimated ?? more.isEstimated;
      usage = { inputTokens: usage.inputTokens + more.inputTokens, outputTokens: usage.outputTokens + more.outputTokens, ...(isEstimated && { isEstimated }) };
    },
  };
}
