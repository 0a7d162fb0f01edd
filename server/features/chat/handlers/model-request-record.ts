import type { CacheOutcome } from '../cache/answer-cache.ts';
import type { CallerRequest } from '../models/chat-model.ts';
import { costOf, type ModelPrices } from '../prices/model-prices.ts';
import type { TokenUsage } from '../conversation/conversation.ts';
import type { AiOperation, AiRequestRecord } from '../ai-requests/request-record.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { amountOfCost } from '#server/domain/money.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';

export interface ModelRequestHead {
  readonly operation: AiOperation;
  /** The name under which callers know the model. */
  readonly model: string;
  /** Those with which the request is charged. */
  readonly prices: ModelPrices | undefined;
  readonly isStreamed: boolean;
  /** See `Conversation`. */
  readonly leftOut?: string | undefined;
}

/** Collects the figures of one request to a model. */
export class ModelRequestRecord implements CallerRequest {
  readonly requestId: string;
  readonly #head: ModelRequestHead;
  readonly #call: Call;
  readonly #at: number;
  readonly #beganMs = performance.now();
  #charge = { inputTokens: 0, outputTokens: 0, cost: 0 };
  #outcome = 'aborted';
  #firstTokenMs: number | null = null;
  #attempts = 0;
  #cache: CacheOutcome | undefined;

  constructor(call: Call, head: ModelRequestHead, clock: Pick<Clock, 'now'>) {
    this.requestId = call.requestId;
    this.#call = call;
    this.#head = head;
    this.#at = clock.now();
  }

  /** What the cache did; undefined without a cache. */
  get cache(): CacheOutcome | undefined {
    return this.#cache;
  }

  get leftOut(): string | undefined {
    return this.#head.leftOut;
  }

  get #isCached(): boolean {
    return this.#cache?.type === 'hit';
  }

  attempted(): void {
    this.#attempts++;
  }

  cached(outcome: CacheOutcome): void {
    this.#cache = outcome;
  }

  /** Notes that a piece of the answer goes to the caller. */
  piece(): void {
    this.#firstTokenMs ??= performance.now() - this.#beganMs;
  }

  charged(usage: TokenUsage): void {
    const { inputTokens, outputTokens } = usage;
    this.#charge = { inputTokens, outputTokens, cost: costOf(usage, this.#head.prices) };
  }

  /** Notes the tokens of an answer. They are not charged if it came from the cache. */
  answered(usage: TokenUsage): void {
    this.#outcome = 'answered';
    if (!this.#isCached) this.charged(usage);
  }

  failed(error: unknown): void {
    const isGone = this.#call.signal.aborted;
    this.#outcome = error instanceof Refusal ? error.code : isGone ? 'aborted' : 'internal_server_error';
  }

  /** Adds the figures to the line of the log, and returns them. Called once, at the end. */
  end(): AiRequestRecord {
    const { account, key } = this.#call.caller;
    const { operation, model, isStreamed, prices } = this.#head;
    const firstTokenMs = this.#firstTokenMs === null ? null : tenths(this.#firstTokenMs);
    this.#call.note({
      model,
      ...(firstTokenMs !== null && { first_token_ms: firstTokenMs }),
      ...(prices && { cost: amountOfCost(this.#charge.cost) }),
      ...(this.#attempts > 1 && { upstream_attempts: this.#attempts }),
      ...(this.#cache && { cache: this.#cache.type }),
    });
    return {
      accountId: account.id,
      requestId: this.requestId,
      at: this.#at,
      keyId: key.id,
      model,
      operation,
      isStreamed,
      outcome: this.#outcome,
      ...this.#charge,
      isCached: this.#isCached,
      durationMs: tenths(performance.now() - this.#beganMs),
      firstTokenMs,
      attempts: this.#attempts,
      leftOut: this.leftOut ?? null,
    };
  }
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
