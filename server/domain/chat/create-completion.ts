import { ChatModelUnavailable } from './chat-model.ts';
import { Refusal } from '../refusal.ts';
import { admitChat, type ChatAdmission, type ChatAsk } from './admit-chat.ts';
import { overloadedRetrySeconds } from './chat-refusal.ts';
import { checkConversation } from './check-conversation.ts';
import type { Completion, ConverseDeps } from './completion.ts';
import type { ChatTurn } from './conversation.ts';
import { converse } from './converse.ts';
import { chargeUnanswered } from './charge-unanswered.ts';
import { countInputTokens, estimateInputTokens, templateTokens } from './count-tokens.ts';
import { chatMeter } from './meter.ts';
import { mayOfferSearch, webSearchToolTokens } from './web-search-tool.ts';

export interface CompletionDeps extends ConverseDeps {
  /** `completionDeadlineMs`, except in tests. */
  readonly deadlineMs: number;
  /** Whether the server is about to cut off what is under way. */
  isStopping(): boolean;
  /** Told of what went wrong where nobody is answered with it; must not throw. */
  onFault(error: unknown): void;
  /** Told, for the log, why the model gave no answer: no contents. Must not throw. */
  onUnanswered(reason: string): void;
}

/** A conversation to go on with. */
export interface CompletionRequest extends Pick<ChatAsk, 'account' | 'limits'> {
  readonly turn: AskedTurn;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** A turn whose length may be left to the plan. */
export type AskedTurn = Omit<ChatTurn, 'maxOutputTokens'> & { readonly maxOutputTokens?: number };

/**
 * Answers a conversation with its next message, searching the web between where the model wants it. What it may cost is
 * reserved before the model is asked, and what it did cost is durable before it is answered. What fails before a model
 * has begun to work on it costs nothing. What fails afterwards (its client goes away, its time is over, the model says
 * nothing) costs the request, the rounds that were answered, and the input of the one under way; except where the
 * server stops, or the fault is its own.
 *
 * @throws invalid_request, context_length_exceeded; each limit's own code; server_overloaded when the model does not
 *   answer in time
 */
export async function createCompletion(deps: CompletionDeps, request: CompletionRequest): Promise<Completion> {
  const stop = stopSignal(request.signal, deps.deadlineMs);
  try {
    return await answer(deps, request, stop.signal);
  } catch (error) {
    const isOfModel = error instanceof ChatModelUnavailable || (stop.signal.aborted && error === stop.signal.reason);
    if (request.signal.aborted) {
      // Nobody is there to be refused anything.
      if (!isOfModel && !(error instanceof Refusal)) deps.onFault(error);
      throw request.signal.reason;
    }
    if (!isOfModel) throw error;
    deps.onUnanswered(error instanceof Error ? error.message : String(error));
    throw new Refusal('server_overloaded', { retryAfterSeconds: overloadedRetrySeconds });
  } finally {
    stop.done();
  }
}

async function answer(
  deps: CompletionDeps,
  { account, limits, turn, signal: client }: CompletionRequest,
  signal: AbortSignal,
): Promise<Completion> {
  checkConversation(turn.messages);
  const counting = { limitTokens: limits.contextTokens, accountId: account.id, signal };
  const textTokens = await estimateInputTokens(turn, counting);
  signal.throwIfAborted();
  if (textTokens > limits.contextTokens)
    throw new Refusal('context_length_exceeded', {
      detail: `It has ${textTokens} tokens of at most ${limits.contextTokens}.`,
    });
  const maxOutputTokens = Math.min(turn.maxOutputTokens ?? limits.outputTokens, limits.outputTokens);
  const search =
    mayOfferSearch(turn) && textTokens + webSearchToolTokens <= limits.contextTokens ? deps.search : undefined;
  const beside = templateTokens(turn) + (search ? webSearchToolTokens : 0);
  const countClosely = async () => beside + (await countInputTokens(turn, counting));
  const admission = await admitChat(deps, {
    account,
    limits,
    inputTokens: textTokens + beside,
    maxOutputTokens,
    countClosely,
  });
  return answerAdmitted({ ...deps, search }, { ...turn, maxOutputTokens }, admission, client, signal);
}

async function answerAdmitted(
  deps: CompletionDeps,
  turn: ChatTurn,
  admission: ChatAdmission,
  client: AbortSignal,
  signal: AbortSignal,
): Promise<Completion> {
  const meter = chatMeter();
  try {
    signal.throwIfAborted();
    const completion = await converse(deps, turn, admission, meter, signal);
    signal.throwIfAborted();
    await deps.room.settle(admission.lease, completion.usage);
    return completion;
  } catch (error) {
    const isFault =
      !client.aborted &&
      error !== signal.reason &&
      !(error instanceof ChatModelUnavailable) &&
      !(error instanceof Refusal);
    if (isFault || deps.isStopping()) await deps.room.release(admission.lease);
    else await chargeUnanswered(deps, admission, meter);
    throw error;
  }
}

/**
 * Aborted when the client goes away or the time is over; a `TimeoutError` is the model's fault, anything else is not.
 */
function stopSignal(client: AbortSignal, deadlineMs: number): { readonly signal: AbortSignal; done(): void } {
  const stop = new AbortController();
  const onGone = () => stop.abort(client.reason);
  if (client.aborted) onGone();
  client.addEventListener('abort', onGone);
  const timer = setTimeout(
    () => stop.abort(new DOMException(`The answer took over ${deadlineMs} ms.`, 'TimeoutError')),
    deadlineMs,
  );
  return {
    signal: stop.signal,
    done() {
      clearTimeout(timer);
      client.removeEventListener('abort', onGone);
    },
  };
}
