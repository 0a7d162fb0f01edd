import type { ModelDelta } from '../conversation/chat-delta.ts';
import type { ChatTurn, TokenUsage } from '../conversation/conversation.ts';
import { ReceivedAnswer } from '../conversation/received-answer.ts';
import { sumOfUsage } from '../conversation/sum-of-usage.ts';

/** The tokens that are reserved for a round. */
export interface ReservedTokens {
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
}

/**
 * The usage of a request so far, so that it can be charged even if it ends without an answer.
 *
 * It is a class because V8 makes a hidden class for each object literal with getters. The hidden class holds the
 * getters, and so the request, in memory until the next full garbage collection.
 */
export class ChatMeter {
  #rounds = 0;
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  #underWay: ChatTurn | undefined;
  #hasBegun = false;
  #reserved: ReservedTokens = { inputTokens: 0, maxOutputTokens: 0 };
  #received = new ReceivedAnswer();

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

  /** What the model has written in the round under way, if it streams. */
  get received(): ReceivedAnswer {
    return this.#received;
  }

  /** The tokens that are reserved for the round under way. */
  get reserved(): ReservedTokens {
    return this.#reserved;
  }

  /** Notes that the model is sent this round. */
  asks(round: ChatTurn, reserved: ReservedTokens): void {
    this.#underWay = round;
    this.#hasBegun = false;
    this.#reserved = reserved;
    this.#received = new ReceivedAnswer();
  }

  /** Notes a piece of a streamed answer. */
  hears(delta: ModelDelta): void {
    this.#hasBegun = true;
    this.#received.add(delta);
  }

  /** Notes that a model has begun to work on the round under way. */
  begins(): void {
    this.#hasBegun = true;
  }

  /** Notes that the model has answered the round under way. */
  answers(more: TokenUsage): void {
    this.#rounds++;
    this.#underWay = undefined;
    this.#usage = sumOfUsage(this.#usage, more);
  }
}
