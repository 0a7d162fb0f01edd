import { limitAdvice } from './budgets/limit-advice.ts';
import type { CacheUse, CacheWish } from './cache/answer-cache.ts';
import { piecesOf, placeInCache } from './cache/cached-completion.ts';
import { ChatModelUnavailable } from './models/chat-model.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { admitChat, type ChatAdmission, type ChatAsk } from './reservations/admit-chat.ts';
import { checkConversation, type ConversationTexts } from './conversation/check-conversation.ts';
import type { Completion, ConverseDeps } from './completion/completion.ts';
import type { ChatDelta } from './conversation/chat-delta.ts';
import type { ChatTurn, TokenUsage } from './conversation/conversation.ts';
import { ReaderLeft, type Emit } from './conversation/handed-out.ts';
import { ShownAnswer } from './completion/shown-answer.ts';
import type { Streaming } from './completion/ask-model.ts';
import { converse, type Conversing } from './completion/converse.ts';
import { chargeUnanswered } from './completion/charge-unanswered.ts';
import { countInputTokens, estimateInputTokens, templateTokens } from './tokens/count-tokens.ts';
import { ChatMeter } from './completion/meter.ts';
import { settleChat } from './reservations/settle-chat.ts';
import { stopSignal } from './stop-signal.ts';
import { mayOfferSearch, webSearchToolTokens } from './search/web-search-tool.ts';

export interface CompletionDeps extends ConverseDeps, CacheUse {
  /** The longest time for an answer; `completionDeadlineMs` except in tests. */
  readonly deadlineMs: number;
  /** Whether the server is stopping, and soon aborts the requests under way. */
  isStopping(): boolean;
  /** Called with an error that no client sees. Must not throw. */
  onFault(error: unknown): void;
  /**
   * Called with the reason why the model gave no answer, for the log. It has no contents of requests. Must not throw.
   */
  onUnanswered(reason: string): void;
  /** Called with the charge of a request without a complete answer. Must not throw. */
  onCharged(usage: TokenUsage): void;
}

/** A conversation to continue. */
export interface CompletionRequest extends Pick<
  ChatAsk,
  'account' | 'keyId' | 'keyLimits' | 'model' | 'prices' | 'quota'
> {
  readonly turn: RequestedTurn;
  /** See `NamedModel`. */
  readonly origin: string;
  /**
   * Returns the turn with the texts of the files that it names: until then their ids are in it. Undefined if it names
   * none. Throws the signal's reason, and a refusal for a file that cannot be read.
   */
  readonly readFiles?: ((contextTokens: number, signal: AbortSignal) => Promise<RequestedTurn>) | undefined;
  /** Default: those of chats. */
  readonly texts?: ConversationTexts | undefined;
  /** See `ChatAsk`. */
  readonly queueMs?: number | undefined;
  /** Default: `use`. */
  readonly cacheWish?: CacheWish | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** A turn that may leave the length of the answer to the plan. */
export type RequestedTurn = Omit<ChatTurn, 'maxOutputTokens'> & { readonly maxOutputTokens?: number };

/**
 * Returns the next message of a conversation. The model may search the web in between. Tokens are reserved before the
 * model is called, and the charge is durable before this resolves.
 *
 * A request that fails before a model has begun to work costs nothing. A request that fails later, because the client
 * goes away, the time is over or the model returns nothing, is charged as `chargeUnanswered` says. It costs nothing if
 * the server stops or has a fault.
 *
 * An answer from the cache costs nothing, and the limits of requests do not apply to it. All other checks do.
 *
 * @param emit makes the model stream, and gets the pieces. The next piece follows when it resolves. If it rejects with
 * {@link ReaderLeft}, the model stops and what it has written is charged
 * @throws invalid_request, context_length_exceeded, the errors of reading files, and the code of each limit
 * @throws server_overloaded when the model does not answer in time, also between two pieces
 */
export async function createCompletion(
  deps: CompletionDeps,
  request: CompletionRequest,
  emit?: Emit<ChatDelta>,
): Promise<Completion> {
  const stop = stopSignal(request.signal, deps.deadlineMs);
  try {
    return await answer(deps, request, stop.signal, emit && { shown: new ShownAnswer(), emit });
  } catch (error) {
    if (error instanceof ReaderLeft) throw error;
    const isOfModel = error instanceof ChatModelUnavailable || (stop.signal.aborted && error === stop.signal.reason);
    if (request.signal.aborted) {
      // The client has gone, so no refusal can be sent.
      if (!isOfModel && !(error instanceof Refusal)) deps.onFault(error);
      throw request.signal.reason;
    }
    if (!isOfModel) throw error;
    deps.onUnanswered(error instanceof Error ? error.message : String(error));
    const message = error instanceof ChatModelUnavailable ? error.clientMessage : undefined;
    throw new Refusal('server_overloaded', message === undefined ? {} : { message });
  } finally {
    stop.done();
  }
}

async function answer(
  deps: CompletionDeps,
  {
    account,
    keyId,
    keyLimits,
    model,
    prices,
    origin,
    quota,
    turn: named,
    readFiles,
    texts,
    cacheWish,
    queueMs,
    signal: client,
  }: CompletionRequest,
  signal: AbortSignal,
  streaming: Streaming | undefined,
): Promise<Completion> {
  checkConversation(named.messages, texts);
  const turn = readFiles ? await readFiles(quota.contextTokens, signal) : named;
  const counting = { limitTokens: quota.contextTokens, accountId: account.id, signal };
  const textTokens = await estimateInputTokens(turn, counting);
  signal.throwIfAborted();
  if (textTokens > quota.contextTokens)
    throw new Refusal('context_length_exceeded', {
      detail:
        // Agents read the two numbers, and shorten their history.
        `Prompt is too long: at least ${textTokens} tokens > ${quota.contextTokens} maximum. ` +
        limitAdvice(account.id, 'contextTokens'),
    });
  const maxOutputTokens = Math.min(turn.maxOutputTokens ?? quota.outputTokens, quota.outputTokens);
  const search =
    mayOfferSearch(turn) && textTokens + webSearchToolTokens <= quota.contextTokens ? deps.search : undefined;
  const question = { accountId: account.id, keyId, model, origin, isSearchOffered: search !== undefined };
  const place = placeInCache(deps, { ...question, turn: { ...turn, maxOutputTokens } }, cacheWish);
  const kept = place.find();
  if (kept) {
    if (streaming) for (const piece of piecesOf(kept)) await streaming.emit(piece);
    return kept;
  }
  const beside = templateTokens(turn) + (search ? webSearchToolTokens : 0);
  const countClosely = async () => beside + (await countInputTokens(turn, counting));
  const admission = await admitChat(deps, {
    account,
    keyId,
    keyLimits,
    model,
    prices,
    quota,
    inputTokens: textTokens + beside,
    maxOutputTokens,
    countClosely,
    queueMs,
    signal,
  });
  const admitted = { turn: { ...turn, maxOutputTokens }, admission, signal, streaming };
  const completion = await answerAdmitted({ ...deps, search }, admitted, client);
  place.keep(completion);
  return completion;
}

/** @param client aborted when the client goes away. The signal of the request is then too, and when the time is over */
async function answerAdmitted(
  deps: CompletionDeps,
  admitted: Omit<Conversing, 'meter'>,
  client: AbortSignal,
): Promise<Completion> {
  const { admission, signal } = admitted;
  const meter = new ChatMeter();
  try {
    signal.throwIfAborted();
    const completion = await converse(deps, { ...admitted, meter });
    signal.throwIfAborted();
    await settleChat(deps, admission, completion.usage);
    return completion;
  } catch (error) {
    const isExpected =
      client.aborted ||
      error === signal.reason ||
      error instanceof ChatModelUnavailable ||
      error instanceof Refusal ||
      error instanceof ReaderLeft;
    await end(deps, admission, meter, !isExpected);
    throw error;
  }
}

/** Ends a request without a complete answer. */
async function end(deps: CompletionDeps, admission: ChatAdmission, meter: ChatMeter, isFault: boolean): Promise<void> {
  if (isFault || deps.isStopping()) return deps.reservations.release(admission.lease);
  const charge = await chargeUnanswered(deps, admission, meter);
  if (charge) deps.onCharged(charge);
}
