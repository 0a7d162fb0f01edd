import type { ConfiguredUpstream } from '#server/config/upstream.ts';
import type { ChatAnswer, ChatTurn } from '#server/domain/chat/conversation.ts';
import type { ModelDelta } from '#server/domain/chat/chat-delta.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { untraced, type Attributes, type CallSpan, type CallTracing } from '#server/telemetry/tracing.ts';
import { BodyTooLarge, sendRequest, type ReceivedResponse } from '../send-request.ts';
import { jsonValue } from '../json-value.ts';
import { readAnswer } from './answer.ts';
import { failureOfStatus, type Failure } from './failure.ts';
import { failureOfConnection } from './connection-failure.ts';
import { openPool } from './open-pool.ts';
import { requestBody } from './request-body.ts';
import { requestProgress } from './request-progress.ts';
import { streamedAsk, tracedStream } from './streamed-ask.ts';

/** The result of an attempt. */
export type Attempt<T = ChatAnswer> = { readonly answer: T } | { readonly failure: Failure };

/** An OpenAI-compatible server. */
export interface Upstream {
  /**
   * Asks once, without a retry. Rejects only for a fault of Cubby. Closes its connection at once when `signal` aborts.
   *
   * @param onBegun see `ChatModel.complete`
   */
  ask(turn: ChatTurn, signal: AbortSignal, onBegun?: () => void): Promise<Attempt>;
  /**
   * Asks once for a stream. See `ChatModel.stream`.
   *
   * @throws {UpstreamFailure} also between two pieces
   */
  stream(turn: ChatTurn, signal: AbortSignal, onBegun?: () => void): AsyncGenerator<ModelDelta, void>;
  /** Cuts off all requests. */
  close(): Promise<void>;
}

export interface UpstreamOptions {
  /** Creates ids for tool calls without one. */
  readonly newCallId: () => string;
  readonly clock: Clock;
  readonly tracing?: CallTracing;
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
  } = options;
  const { pathname } = new URL(url);
  const asked = askedAttributes(url, model);
  const pool = openPool(url, { connectTimeoutMs, bodyTimeoutMs });
  const path = `${pathname.replace(/(?<!\/)\/+$/, '')}/chat/completions`;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Cubby',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  const maxBytes = (status: number): number => (status === 200 ? maxBodyBytes : maxErrorBytes);
  const attributesOf = ({ maxOutputTokens }: ChatTurn) => ({ ...asked, 'gen_ai.request.max_tokens': maxOutputTokens });
  const askForStream = streamedAsk({ pool, path, headers, model }, { ...options, maxBodyBytes });
  return {
    ask: (turn, signal, onBegun = () => {}) =>
      tracing.call(`chat ${model}`, attributesOf(turn), async (span) => {
        const attempt = await ask(turn, signal, onBegun, { ...headers, ...span.headers });
        noteAttempt(span, attempt);
        return attempt;
      }),
    stream: (turn, signal, onBegun = () => {}) =>
      tracedStream(tracing, `chat ${model}`, attributesOf(turn), (sentHeaders) =>
        askForStream(turn, signal, onBegun, sentHeaders),
      ),
    close: () => pool.destroy(),
  };

  async function ask(
    turn: ChatTurn,
    signal: AbortSignal,
    onBegun: () => void,
    sentHeaders: Readonly<Record<string, string>>,
  ): Promise<Attempt> {
    const body = JSON.stringify(requestBody(turn, model));
    const progress = requestProgress(onBegun, refusedAtOnceMs);
    const response = await sendRequest(
      pool,
      { method: 'POST', path, headers: sentHeaders, body },
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
    const answer = readAnswer(jsonValue(text), turn, newCallId);
    if (answer === undefined) return { failure: { kind: 'unreadable', status } };
    if (answer !== 'empty') return { answer };
    // The server has processed the request, although it returned nothing.
    onBegun();
    return { failure: { kind: 'empty', status } };
  }
}

/** @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ */
function askedAttributes(url: string, model: string): Attributes {
  const { hostname, port, protocol } = new URL(url);
  return {
    'gen_ai.operation.name': 'chat',
    // "openai" is also the value for servers that speak its protocol, unless another one is known.
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': model,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}

function noteAttempt(span: CallSpan, attempt: Attempt): void {
  if ('failure' in attempt) {
    const { kind, status } = attempt.failure;
    span.note({ 'http.response.status_code': status });
    return span.failed(kind);
  }
  const { finishReason, usage } = attempt.answer;
  span.note({
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'gen_ai.response.finish_reasons': [finishReason],
  });
}

/** For an error response that is too long, the status is enough. */
function responseDespite(error: unknown): ReceivedResponse | undefined {
  return error instanceof BodyTooLarge && error.status !== 200
    ? { status: error.status, retryAfter: undefined, text: '' }
    : undefined;
}
