import { errors, Pool } from 'undici';

import type { ConfiguredUpstream } from '#server/config/ai.ts';
import type { ChatAnswer, ChatTurn } from '#server/domain/chat/conversation.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { BodyTooLarge, exchange, type ExchangeAnswer } from '../exchange.ts';
import { jsonValue } from '../json-value.ts';
import { readAnswer } from './answer.ts';
import { failureOfStatus, type Failure } from './failure.ts';
import { requestBody } from './request-body.ts';
import { isOverTime } from './unanswered.ts';
import { workWatch } from './work-watch.ts';

/** What an attempt came to. */
export type Attempt = { readonly answer: ChatAnswer } | { readonly failure: Failure };

/** An OpenAI-compatible server, asked once at a time of need: it tries nothing again. */
export interface Upstream {
  /**
   * Rejects only with a fault of ours. Closes its connection at once when `signal` is aborted.
   *
   * @param onBegun as of `ChatModel.complete`
   */
  ask(turn: ChatTurn, signal: AbortSignal, onBegun?: () => void): Promise<Attempt>;
  /** Cuts off what is under way. */
  close(): Promise<void>;
}

export interface UpstreamOptions {
  /** Names tool calls that came without a name. */
  readonly newCallId: () => string;
  readonly clock: Clock;
  /** How long a connection may take to come about. */
  readonly connectTimeoutMs?: number;
  /**
   * How long the body of an answer may pause. For its beginning there is no limit but that of the request: it comes
   * when the whole text is written.
   */
  readonly bodyTimeoutMs?: number;
  /** An error that comes within this time is a refusal, after which the server has not worked. */
  readonly refusedAtOnceMs?: number;
  /**
   * Ten times what the longest answer of any plan takes. One of 8 MiB that is all brackets takes JSON.parse half a
   * second, in which nobody else is served.
   */
  readonly maxBodyBytes?: number;
}

/** Of an error only its first part is read. */
const maxErrorBytes = 65_536;

/** Opens the way to a server; its connections are kept and used again. */
export function openUpstream({ url, key, model }: ConfiguredUpstream, options: UpstreamOptions): Upstream {
  const {
    newCallId,
    clock,
    connectTimeoutMs = 5000,
    bodyTimeoutMs = 30_000,
    maxBodyBytes = 1024 * 1024,
    refusedAtOnceMs,
  } = options;
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, {
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: bodyTimeoutMs,
    allowH2: false,
  });
  const path = `${pathname.replace(/(?<!\/)\/+$/, '')}/chat/completions`;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Cubby',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  const maxBytes = (status: number): number => (status === 200 ? maxBodyBytes : maxErrorBytes);
  return {
    async ask(turn, signal, onBegun = () => {}) {
      const body = JSON.stringify(requestBody(turn, model));
      const watch = workWatch(onBegun, refusedAtOnceMs);
      const said = await exchange(
        pool,
        { method: 'POST', path, headers, body },
        { signal, maxBytes, onSending: watch.sent },
      )
        .catch((error: unknown) => {
          if (signal.aborted) watch.cutOff();
          return saidDespite(error) ?? { failure: failureOfError(error, signal) };
        })
        .finally(watch.done);
      if ('failure' in said) return said;
      const { status, text, retryAfter } = said;
      if (status !== 200) return { failure: failureOfStatus(status, text, retryAfter, clock.now()) };
      const answer = readAnswer(jsonValue(text), turn, newCallId);
      if (answer === undefined) return { failure: { kind: 'unreadable', status } };
      if (answer !== 'empty') return { answer };
      // It has read all of the request to say nothing.
      onBegun();
      return { failure: { kind: 'empty', status } };
    },
    close: () => pool.destroy(),
  };
}

/** Of an error that is too long the status says enough. */
function saidDespite(error: unknown): ExchangeAnswer | undefined {
  return error instanceof BodyTooLarge && error.status !== 200
    ? { status: error.status, retryAfter: undefined, text: '' }
    : undefined;
}

/**
 * Of what was thrown the code alone: messages quote addresses.
 *
 * @throws what was no doing of the server's
 */
function failureOfError(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return { kind: isOverTime(signal) ? 'too-slow' : 'given-up' };
  if (error instanceof BodyTooLarge) return { kind: 'too-large' };
  if ([TypeError, RangeError, ReferenceError, errors.InvalidArgumentError].some((ours) => error instanceof ours))
    throw error;
  const { code } = error as { readonly code?: unknown };
  return { kind: 'unreachable', code: typeof code === 'string' ? code : 'no connection' };
}
