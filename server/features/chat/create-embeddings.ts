import { limitAdvice } from './budgets/limit-advice.ts';
import { nextTurn } from '#server/event-loop.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { admitChat, type AdmitDeps, type ChatAdmission, type ChatAsk } from './reservations/admit-chat.ts';
import type { CachedVectors, CacheUse, CacheWish } from './cache/answer-cache.ts';
import { boundedUsage } from './completion/bounded-usage.ts';
import { vectorsInCache } from './cache/cached-vectors.ts';
import { ChatModelUnavailable } from './models/chat-model.ts';
import type { TokenUsage } from './conversation/conversation.ts';
import { countTokens, estimateTokens } from './tokens/count-tokens.ts';
import type { EmbeddingInput, EmbeddingModel } from './models/embedding-model.ts';
import { settleChat } from './reservations/settle-chat.ts';
import { stopSignal } from './stop-signal.ts';

interface EmbeddingDeps extends AdmitDeps, CacheUse {
  readonly embeddings: EmbeddingModel | undefined;
  /** The longest time for a request. */
  readonly deadlineMs: number;
  isStopping(): boolean;
  /** Called with the reason why the model gave no answer, for the log. Must not throw. */
  onUnanswered(reason: string): void;
  /** Called with the charge of a request that failed. Must not throw. */
  onCharged(usage: TokenUsage): void;
}

interface EmbeddingRequest extends Pick<
  ChatAsk,
  'account' | 'keyId' | 'keyLimits' | 'model' | 'prices' | 'quota' | 'queueMs'
> {
  /** At least one. */
  readonly inputs: readonly EmbeddingInput[];
  readonly dimensions: number | undefined;
  /** Default: `use`. */
  readonly cacheWish?: CacheWish | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** Called with each batch, in the order of the inputs. May throw a refusal. */
  take(vectors: ReadonlyArray<readonly number[]>): void;
}

/** The tokens of the texts. Nothing is charged for vectors from the cache. */
export interface EmbeddingOutcome {
  readonly usage: TokenUsage;
  readonly isCached: boolean;
}

/**
 * Turns texts into vectors, batch by batch. Tokens are reserved before, and the charge is durable before this resolves.
 * A request that fails before the model has begun to work costs nothing. One that fails later is charged the batches
 * that the model has begun.
 *
 * Vectors from the cache cost nothing, and the limits of requests do not apply to them.
 *
 * @returns the tokens of the texts, and whether they came from the cache
 * @throws embeddings_not_supported, invalid_request, context_length_exceeded, the code of each limit, and
 *   server_overloaded when the model does not answer in time
 */
export async function createEmbeddings(deps: EmbeddingDeps, request: EmbeddingRequest): Promise<EmbeddingOutcome> {
  const { embeddings: model } = deps;
  if (!model) throw new Refusal('embeddings_not_supported');
  const stop = stopSignal(request.signal, deps.deadlineMs);
  try {
    const counted = await countedAsk(request, stop.signal);
    const { account, keyId, model: name, inputs, dimensions, cacheWish } = request;
    const place = vectorsInCache(deps, { accountId: account.id, keyId, model: name, inputs, dimensions }, cacheWish);
    const kept = place.find();
    if (kept) return await replay(kept, model, request);
    const take: EmbeddingRequest['take'] = (vectors) => {
      request.take(vectors);
      place.add(vectors);
    };
    const admission = await admitChat(deps, counted);
    const usage = await embedAdmitted(deps, model, { ...request, take, admission }, stop.signal);
    place.keep(usage.inputTokens);
    return { usage, isCached: false };
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    if (!(error instanceof ChatModelUnavailable) && error !== stop.signal.reason) throw error;
    deps.onUnanswered(error instanceof Error ? error.message : String(error));
    throw new Refusal('server_overloaded');
  } finally {
    stop.done();
  }
}

/** Writing one batch takes some milliseconds, so other requests run between two. */
async function replay(
  { vectors, inputTokens }: CachedVectors,
  { batchSize }: EmbeddingModel,
  { take, signal }: EmbeddingRequest,
): Promise<EmbeddingOutcome> {
  for (let at = 0; at < vectors.length; at += batchSize) {
    signal.throwIfAborted();
    take(vectors.slice(at, at + batchSize));
    await nextTurn();
  }
  return { usage: { inputTokens, outputTokens: 0 }, isCached: true };
}

/** Counts the tokens of all texts. A reservation has at least one token of output. */
async function countedAsk(
  { account, keyId, keyLimits, model, prices, quota, queueMs, inputs }: EmbeddingRequest,
  signal: AbortSignal,
): Promise<ChatAsk> {
  const counting = { limitTokens: quota.contextTokens, accountId: account.id, signal };
  const { texts, numbers } = partsOf(inputs);
  const inputTokens = numbers + (await estimateTokens(texts, counting));
  signal.throwIfAborted();
  if (inputTokens > quota.contextTokens)
    throw new Refusal('context_length_exceeded', {
      detail:
        `The texts have at least ${inputTokens} tokens of at most ${quota.contextTokens}. ` +
        limitAdvice(account.id, 'contextTokens'),
    });
  const countClosely = async () => numbers + (await countTokens(texts, counting));
  const whose = { account, keyId, keyLimits, model, prices, quota, queueMs };
  return { ...whose, inputTokens, maxOutputTokens: 1, countClosely, signal };
}

async function embedAdmitted(
  deps: EmbeddingDeps,
  model: EmbeddingModel,
  { inputs, dimensions, take, signal: client, admission }: EmbeddingRequest & { readonly admission: ChatAdmission },
  signal: AbortSignal,
): Promise<TokenUsage> {
  const { lease, inputTokens: reservedTokens } = admission;
  const reserved = { inputTokens: reservedTokens, maxOutputTokens: 0 };
  const counting = { limitTokens: Infinity, accountId: lease.accountId, signal: new AbortController().signal };
  let inputTokens = 0;
  let begun: readonly EmbeddingInput[] = [];
  const charge = (): TokenUsage => boundedUsage({ inputTokens, outputTokens: 0 }, reserved);
  try {
    for (let at = 0; at < inputs.length; at += model.batchSize) {
      signal.throwIfAborted();
      const batch = inputs.slice(at, at + model.batchSize);
      const answer = await model.embed({ inputs: batch, dimensions }, signal, () => void (begun = batch));
      begun = batch;
      inputTokens += answer.inputTokens ?? (await countOf(batch, counting));
      begun = [];
      take(answer.vectors);
    }
    await settleChat(deps, admission, charge());
    return charge();
  } catch (error) {
    const isFault =
      !client.aborted &&
      error !== signal.reason &&
      !(error instanceof ChatModelUnavailable) &&
      !(error instanceof Refusal);
    if (isFault || deps.isStopping() || inputTokens + begun.length === 0) await deps.reservations.release(lease);
    else {
      inputTokens += await countOf(begun, counting);
      await settleChat(deps, admission, charge());
      deps.onCharged(charge());
    }
    throw error;
  }
}

async function countOf(
  inputs: readonly EmbeddingInput[],
  counting: Parameters<typeof countTokens>[1],
): Promise<number> {
  const { texts, numbers } = partsOf(inputs);
  return numbers + (texts.length === 0 ? 0 : await countTokens(texts, counting));
}

/** Separates texts from tokens, which need no count. */
function partsOf(inputs: readonly EmbeddingInput[]): { readonly texts: readonly string[]; readonly numbers: number } {
  const texts = inputs.filter((input) => typeof input === 'string');
  const numbers = inputs.reduce((sum, input) => (typeof input === 'string' ? sum : sum + input.length), 0);
  return { texts, numbers };
}
