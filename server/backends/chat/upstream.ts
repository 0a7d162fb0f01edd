import type { ConfiguredUpstream } from '#server/config/upstream.ts';
import type { ChatAnswer, ChatTurn } from '#server/domain/chat/conversation.ts';
import type { ModelDelta } from '#server/domain/chat/chat-delta.ts';
import type { Emit } from '#server/domain/chat/handed-out.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { untraced, withRequestId, type CallSpan, type CallTracing } from '#server/telemetry/tracing.ts';
import { BodyTooLarge, sendRequest, type ReceivedResponse } from '../send-request.ts';
import { jsonValue } from '../json-value.ts';
import { readAnswer } from './answer.ts';
import { failureOfStatus, type Failure } from './failure.ts';
import { failureOfConnection } from './connection-failure.ts';
import { openPool } from './open-pool.ts';
import { requestBody } from './request-body.ts';
import { requestProgress } from './request-progress.ts';
import {
  endAttributes,
  responseAttributes,
  serverAttributes,
  turnAttributes,
  usageAttributes,
} from './span-attributes.ts';
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
   * @throws the errors of `emit`
   */
  stream(
    turn: ChatTurn,
    signal: AbortSignal,
    emit: Emit<ModelDelta>,
    onBegun?: () => void,
    requestId?: string,
  ): Promise<void>;
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

/** Only the first part of an error response is read. */
const maxErrorBytes = 65_536;

/** Opens a pool of connections to a server. */
export function openUpstream({ url, key, model }: ConfiguredUpstream, options: UpstreamOptions): Upstream {
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
  const asked = serverAttributes(url, model);
  const pool = openPool(url, { connectTimeoutMs, bodyTimeoutMs });
  const path = `${pathname.replace(/(?<!\/)\/+$/, '')}/chat/completions`;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Cubby',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  const maxBytes = (status: number): number => (status === 200 ? maxBodyBytes : maxErrorBytes);
  const attributesOf = (turn: ChatTurn, isStreamed: boolean) => ({
    ...asked,
    ...turnAttributes(turn, isStreamed),
    ...(tracesContent && inputContent(turn)),
  });
  const askForStream = streamedAsk({ pool, path, headers, model }, { ...options, maxBodyBytes });
  return {
    ask: (turn, signal, onBegun = () => {}, requestId) =>
      tracing.call(`chat ${model}`, attributesOf(turn, false), async (span) => {
        const attempt = await ask(turn, signal, onBegun, withRequestId(span, requestId));
        noteAttempt(span, attempt, tracesContent);
        return attempt;
      }),
    stream(turn, signal, emit, onBegun = () => {}, requestId) {
      const span = { name: `chat ${model}`, attributes: attributesOf(turn, true), tracesContent };
      return tracedStream(tracing, span, emit, (span, emit) =>
        askForStream(turn, signal, emit, onBegun, withRequestId(span, requestId)),
      );
    },
    close: () => pool.destroy(),
  };

  async function ask(turn: ChatTurn, signal: AbortSignal, onBegun: () => void, span: CallSpan): Promise<Attempt> {
    const body = JSON.stringify(requestBody(turn, model));
    const progress = requestProgress(onBegun, refusedAtOnceMs);
    const response = await sendRequest(
      pool,
      { method: 'POST', path, headers: { ...headers, ...span.headers }, body },
      { signal, maxBytes, onSending: progress.sent },
    )
      .catch((error: unknown) => {
        if (signal.aborted) progress.cutOff();
        return responseDespite(error) ?? { failure: failureOfConnection(error, signal) };
      })
      .finally(progress.done);
    if ('failure' in response) return response;
    const { status, text, retryAfter } = response;
    if (status !== 200) return { failure: failureOfStatus(status, text, retryAfter, clock.now()) };
    const received = jsonValue(text);
    span.note(responseAttributes(received));
    const answer = readAnswer(received, turn, newCallId);
    if (answer === undefined) return { failure: { kind: 'unreadable', status } };
    if (answer !== 'empty') return { answer };
    // The server has processed the request, although it returned nothing.
    onBegun();
    return { failure: { kind: 'empty', status } };
  }
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

/** For an error response that is too long, the status is enough. */
function responseDespite(error: unknown): ReceivedResponse | undefined {
  return error instanceof BodyTooLarge && error.status !== 200
    ? { status: error.status, retryAfter: undefined, text: '' }
    : undefined;
}
