import type { EventStream, ReplyHeaders } from '#server/http/reply.ts';
import type { CallerRequest, ChatModel } from '../models/chat-model.ts';
import type { ChatDelta, ModelDelta } from '../conversation/chat-delta.ts';
import type { Completion } from '../completion/completion.ts';
import { createCompletion, type CompletionDeps, type CompletionRequest } from '../create-completion.ts';
import type { AiRequestRecord } from '../ai-requests/request-record.ts';
import { handedOut, ReaderLeft } from '../conversation/handed-out.ts';
import { ModelRequestRecord, type ModelRequestHead } from './model-request-record.ts';
import { cacheHeadersOf, cacheWishOf } from './cache-headers.ts';
import { ignoredHeaders } from './left-out.ts';
import type { Call } from '#server/handlers/call.ts';
import { budgetAnnouncer } from './chat-budgets.ts';
import { quotaOf, type AiLimitsOfPlans } from './chat-quotas.ts';
import { openDeltaStream, type DeltaWriter } from './delta-stream.ts';
import type { Ports } from '#server/handlers/ports.ts';

/** The dependencies of all requests that ask the model, whatever their format. */
export interface AnswerDeps
  extends
    Omit<CompletionDeps, 'model' | 'ids' | 'metadata' | 'onBudgets' | 'onUnanswered' | 'onCharged' | 'onCache'>,
    Pick<Ports, 'clock' | 'ids' | 'metadata'> {
  readonly model: ChatModel;
  readonly streaming: StreamingConfig;
  /** How long requests wait for their turn: chat completions and embeddings, and those of the other forms. */
  readonly queueMs: { readonly chat: number; readonly agents: number };
  /** Returns the limits that the operator's file gives to plans now. */
  limitsOfPlans(): AiLimitsOfPlans;
  /** Counts the outcome of a request with a valid body. */
  noteCompletion(outcome: string, completion?: Completion): void;
  /** Called with the list of what was left out of a request, for the log. Must not throw. */
  onLeftOut(list: string, requestId: string): void;
  /** Records a request to a model at its end. Must not throw. */
  noteRequest(record: AiRequestRecord): void;
}

/** How answers are streamed. */
export interface StreamingConfig {
  /** How long nothing may come before a comment keeps the connection open; null without comments. */
  readonly keepAliveMs: number | null;
}

/** A piece of a streamed completion. The `end` comes once, as the last one. */
export type CompletionDelta = ChatDelta | { readonly type: 'end'; readonly completion: Completion };

/** A conversation, as a format has read it. */
export interface Conversation extends Pick<CompletionRequest, 'turn' | 'texts' | 'readFiles'> {
  /** The list of what the gateway left out of the request; undefined for nothing. */
  readonly leftOut?: string | undefined;
}

/** A conversation, and the name of the model that is to continue it. */
type ModelRequest = Conversation &
  Pick<CompletionRequest, 'model' | 'origin' | 'prices'> &
  Pick<ModelRequestHead, 'operation'>;

/** An answer, and the headers that belong to it. */
export interface Answered<Body> {
  readonly answer: Body;
  readonly headers?: ReplyHeaders;
}

/** Completes a turn, and notes its figures for the log and the metrics. */
export async function answerWhole(
  deps: AnswerDeps,
  requested: ModelRequest,
  call: Call,
): Promise<Answered<Completion>> {
  const answering = beginAnswer(deps, requested, call, false);
  let completion: Completion | undefined;
  try {
    completion = await createCompletion(answering.deps, answering.request);
    answering.answered(completion);
    return { answer: completion, ...headersOf(deps, answering.record) };
  } catch (error) {
    answering.record.failed(error);
    throw error;
  } finally {
    answering.announceBudgets();
    answering.ended(completion);
  }
}

/** Streams the answer to a turn, with the same notes. */
export async function answerStreamed(
  deps: AnswerDeps,
  requested: ModelRequest,
  call: Call,
  writer: DeltaWriter<CompletionDelta>,
): Promise<Answered<EventStream>> {
  const answering = beginAnswer(deps, requested, call, true);
  try {
    const answer = await openDeltaStream(notedDeltas(answering), writer, deps.streaming);
    return { answer, ...headersOf(deps, answering.record) };
  } finally {
    answering.announceBudgets();
  }
}

/** Returns the headers of an answer. */
function headersOf(
  { model }: Pick<AnswerDeps, 'model'>,
  { cache, leftOut }: ModelRequestRecord,
): { readonly headers?: ReplyHeaders } {
  const headers = {
    ...(model.isDevelopmentResponder && { 'X-Cubby-Responder': 'development' }),
    ...ignoredHeaders(leftOut).headers,
    ...cacheHeadersOf(cache),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
}

function notedDeltas({ deps, request, record, ...answering }: RunningAnswer): AsyncGenerator<CompletionDelta, void> {
  return handedOut(async (emit) => {
    let completion: Completion | undefined;
    try {
      completion = await createCompletion(deps, request, (piece) => {
        record.piece();
        return emit(piece);
      });
      answering.answered(completion);
      await emit({ type: 'end', completion });
    } catch (error) {
      if (!(error instanceof ReaderLeft)) record.failed(error);
      throw error;
    } finally {
      answering.ended(completion);
    }
  });
}

/** One request to the model. */
interface RunningAnswer {
  readonly deps: CompletionDeps;
  readonly request: CompletionRequest;
  readonly record: ModelRequestRecord;
  /** Called once, before the headers are sent. */
  announceBudgets(): void;
  answered(completion: Completion): void;
  /** Called once, also after a failure. */
  ended(completion: Completion | undefined): void;
}

function beginAnswer(
  deps: AnswerDeps,
  { operation, leftOut, ...requested }: ModelRequest,
  call: Call,
  isStreamed: boolean,
): RunningAnswer {
  const { caller, signal, note } = call;
  const { account, key } = caller;
  const { model, prices } = requested;
  const record = new ModelRequestRecord(call, { operation, model, prices, isStreamed, leftOut }, deps.clock);
  if (leftOut !== undefined) deps.onLeftOut(leftOut, call.requestId);
  const timing = timed(deps.model, record);
  const announcer = budgetAnnouncer(call, deps.clock);
  note({ model });
  const cacheWish = cacheWishOf(call.cacheControl);
  return {
    record,
    deps: {
      ...deps,
      model: timing.model,
      onBudgets: announcer.left,
      onUnanswered: (reason) => note({ reason }),
      onCharged(usage) {
        record.charged(usage);
        note({ input_tokens: usage.inputTokens, output_tokens: usage.outputTokens });
      },
      onCache: (outcome) => record.cached(outcome),
    },
    request: {
      account,
      keyId: key.id,
      keyLimits: key.ai,
      quota: quotaOf(account, deps.limitsOfPlans()),
      cacheWish,
      queueMs: operation === 'chat' ? deps.queueMs.chat : deps.queueMs.agents,
      ...requested,
      signal,
    },
    announceBudgets: announcer.announce,
    answered(completion) {
      record.answered(completion.usage);
      noteAnswer(call, completion);
    },
    ended(completion) {
      note({ model_ms: Math.round(timing.totalMs() * 10) / 10 });
      const ended = record.end();
      const outcome = ended.outcome === 'internal_server_error' ? 'fault' : ended.outcome;
      deps.noteCompletion(completion ? 'answered' : outcome, completion);
      deps.noteRequest(ended);
    },
  };
}

function noteAnswer({ note }: Call, { usage, rounds, searches, isCached }: Completion): void {
  note({
    input_tokens: isCached ? 0 : usage.inputTokens,
    output_tokens: isCached ? 0 : usage.outputTokens,
    model_rounds: rounds,
    searches: searches.answered + searches.failed,
    ...(usage.isEstimated && { usage_estimated: true }),
  });
}

/** Wraps the model to measure the total time of its calls. */
function timed(model: ChatModel, by: CallerRequest): { readonly model: CompletionDeps['model']; totalMs(): number } {
  let totalMs = 0;
  async function measured<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      totalMs += performance.now() - startedAt;
    }
  }
  return {
    model: {
      complete: (turn, signal, onBegun) => measured(() => model.complete(turn, signal, onBegun, by)),
      async stream(turn, signal, reader) {
        // The time in which the reader takes a piece does not count.
        let beganMs = performance.now();
        const pause = (): void => void (totalMs += performance.now() - beganMs);
        const goOn = (): void => void (beganMs = performance.now());
        const emit = (delta: ModelDelta): Promise<void> => {
          pause();
          return reader.emit(delta).then(goOn);
        };
        try {
          await model.stream(turn, signal, { ...reader, emit }, by);
          pause();
        } catch (error) {
          // The time until a reader left was added before it got its last piece.
          if (!(error instanceof ReaderLeft)) pause();
          throw error;
        }
      },
    },
    totalMs: () => totalMs,
  };
}
