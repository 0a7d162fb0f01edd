import type { ConfiguredUpstream } from '../config/upstream.ts';
import type { ChatAnswer, ChatTurn } from '../conversation/conversation.ts';
import type { DeltaReader } from '../models/chat-model.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { untraced, withRequestId, type CallSpan, type CallTracing } from '#server/telemetry/tracing.ts';
import { readAnswer } from './answer.ts';
import type { Failure } from './failure.ts';
import { openPool } from './open-pool.ts';
import { headersWith, postOnce, type ModelServer, type PostOptions } from './post-once.ts';
import { requestBody } from './request-body.ts';
import { endAttributes, serverAttributes, turnAttributes, usageAttributes } from './span-attributes.ts';
import { inputContent, outputContent } from './span-content.ts';
import { streamedAsk } from './streamed-ask.ts';
import { tracedStream } from './traced-stream.ts';

/** The result of an attempt. */
export type Attempt<T = ChatAnswer> = { readonly answer: T } | { readonly failure: Failure };

/** An OpenAI-compatible server. */
export interface Upstream {
  /**
   * Asks once, without a retry. Rejects only for a fault of Cubby. Closes its connection at once when `signal` aborts.
   *
   * @param onBegun see `ChatModel.complete`
   * @param requestId sent as `X-Request-Id`
   */
  ask(turn: ChatTurn, signal: AbortSignal, onBegun?: () => void, requestId?: string): Promise<Attempt>;
  /**
   * Asks once for a stream. See `ChatModel.stream`.
   *
   * @throws {UpstreamFailure} also between two pieces
   * @throws the errors of the reader
   */
  stream(turn: ChatTurn, signal: AbortSignal, reader: DeltaReader, requestId?: string): Promise<void>;
  /** Cuts off all requests. */
  close(): Promise<void>;
}

export interface UpstreamOptions {
  /** Creates ids for tool calls without one. */
  readonly newCallId: () => string;
  readonly clock: Clock;
  readonly tracing?: CallTracing;
  /** Whether spans have the messages and the answers. Default false. */
  readonly tracesContent?: boolean;
  /** Time limit for opening a connection. */
  readonly connectTimeoutMs?: number;
  /**
   * Longest pause within the body of a response. Its beginning has only the limit of the request, because servers send
   * it when the whole text is generated.
   */
  readonly bodyTimeoutMs?: number;
  /** An error within this time is a refusal: the server did no work. */
  readonly refusedAtOnceMs?: number;
  /**
   * The default is ten times the longest answer of any plan. JSON.parse would block the event loop for half a second on
   * 8 MiB of brackets.
   */
  readonly maxBodyBytes?: number;
}

/** Opens a pool of connections to a server. */
export function openServer({ url, key, model }: ConfiguredUpstream, options: UpstreamOptions): Upstream {
  const {
    newCallId,
    clock,
    connectTimeoutMs,
    bodyTimeoutMs,
    maxBodyBytes = 1024 * 1024,
    refusedAtOnceMs,
    tracing = untraced,
    tracesContent = false,
  } = options;
  const { pathname } = new URL(url);
  const attributes = serverAttributes(url, model);
  const pool = openPool(url, { connectTimeoutMs, bodyTimeoutMs });
  const path = `${pathname.replace(/(?<!\/)\/+$/, '')}/chat/completions`;
  const server = { pool, path, headers: headersWith(key), model };
  const attributesOf = (turn: ChatTurn, isStreamed: boolean) => ({
    ...attributes,
    ...turnAttributes(turn, isStreamed),
    ...(tracesContent && inputContent(turn)),
  });
  const askForStream = streamedAsk(server, { ...options, maxBodyBytes });
  return {
    ask: (turn, signal, onBegun = () => {}, requestId) =>
      tracing.call(`chat ${model}`, attributesOf(turn, false), async (span) => {
        const post = { signal, onBegun, span: withRequestId(span, requestId), clock, maxBodyBytes, refusedAtOnceMs };
        const attempt = await askWhole(server, turn, post, newCallId);
        noteAttempt(span, attempt, tracesContent);
        return attempt;
      }),
    stream(turn, signal, { emit, onBegun = () => {} }, requestId) {
      const span = { name: `chat ${model}`, attributes: attributesOf(turn, true), tracesContent };
      return tracedStream(tracing, span, emit, (span, emit) =>
        askForStream(turn, signal, { emit, onBegun }, withRequestId(span, requestId)),
      );
    },
    close: () => pool.destroy(),
  };
}

/** Asks once for a whole answer. */
async function askWhole(
  server: ModelServer,
  turn: ChatTurn,
  options: PostOptions,
  newCallId: () => string,
): Promise<Attempt> {
  const response = await postOnce(server, requestBody(turn, server.model), options);
  if ('failure' in response) return response;
  const answer = readAnswer(response.received, turn, newCallId);
  if (answer === undefined) return { failure: { kind: 'unreadable', status: 200 } };
  if (answer !== 'empty') return { answer };
  // The server has processed the request, although it returned nothing.
  options.onBegun();
  return { failure: { kind: 'empty', status: 200 } };
}

function noteAttempt(span: CallSpan, attempt: Attempt, showsContent: boolean): void {
  if ('failure' in attempt) {
    const { kind, status } = attempt.failure;
    span.note({ 'http.response.status_code': status });
    return span.failed(kind);
  }
  const { finishReason, usage, toolCalls } = attempt.answer;
  span.note({ ...usageAttributes(usage), ...endAttributes(finishReason, toolCalls) });
  if (showsContent) span.note(outputContent(attempt.answer));
}
