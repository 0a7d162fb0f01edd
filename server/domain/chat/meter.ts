import type { ChatTurn, TokenUsage } from './conversation.ts';

/**
 * The usage of a request so far, so that it can be charged even if it ends without an answer.
 *
 * It is a class because V8 makes a hidden class for each object literal with getters. Such a hidden class keeps the
 * getters, and with them the request, in memory until the next full garbage collection.
 */
export class ChatMeter {
  #rounds = 0;
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  #underWay: ChatTurn | undefined;
  #hasBegun = false;

  /** The number of rounds that the model has answered. */
  get rounds(): number {
    return this.#rounds;
  }

  /** The usage of those rounds together. */
  get usage(): TokenUsage {
    return this.#usage;
  }

  /** The round under way, if a model has begun to work on it. */
  get begunRound(): ChatTurn | undefined {
    return this.#hasBegun ? this.#underWay : undefined;
  }

  /** Notes that the model is asked this round. */
  asks(round: ChatTurn): void {
    this.#underWay = round;
    this.#hasBegun = false;
  }

  /** Notes that a model has begun to work on the round under way. */
  begins(): void {
    this.#hasBegun = true;
  }

  /** Notes that the model has answered the round under way. */
  answers(more: TokenUsage): void {
    const { inputTokens, outputTokens } = this.#usage;
    const isEstimated = this.#usage.isEstimated ?? more.isEstimated;
    this.#rounds++;
    this.#underWay = undefined;
    this.#usage = {
      inputTokens: inputTokens + more.inputTokens,
      outputTokens: outputTokens + more.outputTokens,
      ...(isEstimated && { isEstimated }),
    };
  }
}
