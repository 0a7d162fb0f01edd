import type { ChatTurn, TokenUsage } from './conversation.ts';

/** The usage of a request so far, so that it can be charged even if it ends without an answer. */
export interface ChatMeter {
  /** The number of rounds that the model has answered. */
  readonly rounds: number;
  /** The usage of those rounds together. */
  readonly usage: TokenUsage;
  /** The round under way, if a model has begun to work on it. */
  readonly begunRound: ChatTurn | undefined;
  /** Notes that the model is asked this round. */
  asks(round: ChatTurn): void;
  /** Notes that a model has begun to work on the round under way. */
  begins(): void;
  answers(usage: TokenUsage): void;
}

export function chatMeter(): ChatMeter {
  let rounds = 0;
  let usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  let underWay: ChatTurn | undefined;
  let hasBegun = false;
  return {
    get rounds() {
      return rounds;
    },
    get usage() {
      return usage;
    },
    get begunRound() {
      return hasBegun ? underWay : undefined;
    },
    asks(round) {
      underWay = round;
      hasBegun = false;
    },
    begins() {
      hasBegun = true;
    },
    answers(more) {
      rounds++;
      underWay = undefined;
      const isEstimated = usage.isEstimated ?? more.isEstimated;
      usage = {
        inputTokens: usage.inputTokens + more.inputTokens,
        outputTokens: usage.outputTokens + more.outputTokens,
        ...(isEstimated && { isEstimated }),
      };
    },
  };
}
