import { ChatModelUnavailable } from './chat-model.ts';
import { Refusal } from '../refusal.ts';
import { admitChat, type ChatAdmission, type ChatAsk } from './admit-chat.ts';
import { overloadedRetrySeconds } from './chat-refusal.ts';
import { quotaInForce } from './chat-quota.ts';
import { checkConversation } from './check-conversation.ts';
import type { Completion, ConverseDeps } from './completion.ts';
import type { ChatTurn } from './conversation.ts';
import { converse } from './converse.ts';
import { chargeUnanswered } from './charge-unanswered.ts';
import { countInputTokens, estimateInputTokens, templateTokens } from './count-tokens.ts';
import { ChatMeter } from './meter.ts';
import { mayOfferSearch, webSearchToolTokens } from './web-search-tool.ts';

export interface CompletionDeps extends ConverseDeps {
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
}

/** A conversation to continue. */
interface CompletionRequest extends Pick<ChatAsk, 'account' | 'quota'> {
  readonly turn: AskedTurn;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** A turn that may leave the length of the answer to the plan. */
export type AskedTurn = Omit<ChatTurn, 'maxOutputTokens'> & { readonly maxOutputTokens?: number };

/**
 * Returns the next message of a conversation. The model may search the web in between. Tokens are reserved before the
 * model is asked, and the charge is durable before this resolves.
 *
 * A request that fails before a model has begun to work costs nothing. A request that fails later, because the client
 * goes away, the time is over or the model returns nothing, is charged as `chargeUnanswered` says. It costs nothing if
 * the server stops or has a fault.
 *
 * @throws invalid_request, context_length_exceeded, and the code of each limit
 * @throws server_overloaded when the model does not answer in time
 */
export async function createCompletion(deps: CompletionDeps, request: CompletionRequest): Promise<Completion> {
  const stop = stopSignal(request.signal, deps.deadlineMs);
  try {
    return await answer(deps, request, stop.signal);
  } catch (error) {
    const isOfModel = error instanceof ChatModelUnavailable || (stop.signal.aborted && error === stop.signal.reason);
    if (request.signal.aborted) {
      // The client has gone, so no refusal can be sent.
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
  { account, quota, turn, signal: client }: CompletionRequest,
  signal: AbortSignal,
): Promise<Completion> {
  checkConversation(turn.messages);
  const counting = { limitTokens: quota.contextTokens, accountId: account.id, signal };
  const textTokens = await estimateInputTokens(turn, counting);
  signal.throwIfAborted();
  if (textTokens > quota.contextTokens)
    throw new Refusal('context_length_exceeded', {
      detail: `It has ${textTokens} tokens of at most ${quota.contextTokens}.`,
    });
  const maxOutputTokens = Math.min(turn.maxOutputTokens ?? quota.outputTokens, quota.outputTokens);
  const search =
    mayOfferSearch(turn) && textTokens + webSearchToolTokens <= quota.contextTokens ? deps.search : undefined;
  const beside = templateTokens(turn) + (search ? webSearchToolTokens : 0);
  const countClosely = async () => beside + (await countInputTokens(turn, counting));
  const admission = await admitChat(deps, {
    account,
    quota,
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
  const meter = new ChatMeter();
  try {
    signal.throwIfAborted();
    const completion = await converse(deps, turn, admission, meter, signal);
    signal.throwIfAborted();
    const { account, quota } = admission.ask;
    await deps.reservations.settle(admission.lease, completion.usage, quotaInForce(quota, account));
    return completion;
  } catch (error) {
    const isFault =
      !client.aborted &&
      error !== signal.reason &&
      !(error instanceof ChatModelUnavailable) &&
      !(error instanceof Refusal);
    if (isFault || deps.isStopping()) await deps.reservations.release(admission.lease);
    else await chargeUnanswered(deps, admission, meter);
    throw error;
  }
}

/** Returns a signal that aborts when the client goes away, or with a `TimeoutError` when the time is over. */
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
