import { setTimeout as sleep } from 'node:timers/promises';

import type { ModelDelta } from '../conversation/chat-delta.ts';
import type { ChatAnswer, ChatTurn } from '../conversation/conversation.ts';
import {
  ChatModelUnavailable,
  ToolsNotSupported,
  type CallerRequest,
  type ChatModel,
  type DeltaReader,
} from '../models/chat-model.ts';
import type { Emit } from '../conversation/handed-out.ts';
import type { CircuitBreaker, Trial } from '#server/circuit-breaker.ts';
import { UpstreamFailure, type Failure, type FailureKind } from './failure.ts';
import { givenUp, refused, tooLong } from './model-errors.ts';
import type { Attempt, Upstream } from './upstream.ts';

/** An upstream and its circuit breaker. */
interface GuardedUpstream {
  /** Default: its number, from 1. */
  readonly name?: string;
  readonly upstream: Upstream;
  readonly breaker: CircuitBreaker;
}

/** The result of one attempt, for logs and metrics. It has no contents of the conversation. */
export interface AttemptReport {
  /** The name of the server, or its number from 1. */
  readonly upstream: string | number;
  readonly outcome: 'answered' | FailureKind;
  readonly status?: number;
  readonly code?: string;
  readonly durationMs: number;
  /** Whether this attempt opened the server's circuit breaker. */
  readonly opensBreaker: boolean;
}

export interface ChainOptions {
  readonly onAttempt: (report: AttemptReport) => void;
  /** Returns the indexes of all servers, in the order in which a request asks them. Default: as they are. */
  readonly order?: (random: () => number) => readonly number[];
  /** Time limit of a request. The caller enforces it. Here it is divided among the servers. */
  readonly deadlineMs: number;
  /** Minimum share of the time for each server before the last. */
  readonly leastShareMs?: number;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** Longest pauses before the second, third, … round through the servers. Each pause is a random part of it. */
  readonly pausesMs?: readonly number[];
  /** A server that asks for a longer pause gets no further attempt of the same request. */
  readonly longestPauseMs?: number;
}

/** Asks one server once. */
type Ask<T> = (upstream: Upstream, signal: AbortSignal) => Promise<Attempt<T>>;

/** The state of a request while servers are tried. */
interface ChainRequest<T> {
  readonly ask: Ask<T>;
  readonly turn: ChatTurn;
  readonly signal: AbortSignal;
  readonly by: CallerRequest | undefined;
  /** The deadline, on the clock of `performance`. */
  readonly endsMs: number;
  /** The reason why each server did not answer, by its index. */
  readonly why: Map<number, string>;
  /** The servers that returned an empty answer. */
  readonly answeredEmpty: Set<number>;
}

/** The servers of the next round, and the pause before it. */
interface Again {
  readonly indexes: readonly number[];
  readonly pauseMs: number;
}

/**
 * Tries servers in order. If one cannot answer, or not in its share of the time, it asks the next one at once. After
 * the last, it pauses and asks those again whose failure may pass. Nothing else retries.
 */
export class UpstreamChain implements ChatModel {
  readonly isDevelopmentResponder = false;
  readonly #servers: readonly GuardedUpstream[];
  readonly #options: Required<ChainOptions>;

  constructor(servers: readonly GuardedUpstream[], options: ChainOptions) {
    this.#servers = servers;
    this.#options = {
      leastShareMs: 20_000,
      random: Math.random,
      pausesMs: [250, 1000, 3000],
      longestPauseMs: 5000,
      order: () => [...servers.keys()],
      ...options,
    };
  }

  complete(
    turn: ChatTurn,
    signal: AbortSignal,
    onBegun: () => void = () => {},
    by?: CallerRequest,
  ): Promise<ChatAnswer> {
    return this.#try(turn, signal, by, (upstream, signal) => upstream.ask(turn, signal, onBegun, by?.requestId));
  }

  async stream(turn: ChatTurn, signal: AbortSignal, reader: DeltaReader, by?: CallerRequest): Promise<void> {
    const goOn = await this.#try(turn, signal, by, (upstream, signal) =>
      begun(reader.emit, (emit) => upstream.stream(turn, signal, { ...reader, emit }, by?.requestId)),
    );
    try {
      await goOn();
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      if (signal.aborted) throw givenUp(signal);
      throw new ChatModelUnavailable(`The answer broke off: ${describeFailure(error.failure)}.`);
    }
  }

  async #try<T>(turn: ChatTurn, signal: AbortSignal, by: CallerRequest | undefined, ask: Ask<T>): Promise<T> {
    const { deadlineMs, pausesMs, random, order } = this.#options;
    const endsMs = performance.now() + deadlineMs;
    const request: ChainRequest<T> = { ask, turn, signal, by, endsMs, why: new Map(), answeredEmpty: new Set() };
    let again: Again = { indexes: order(random), pauseMs: 0 };
    for (const longestMs of [0, ...pausesMs]) {
      if (again.indexes.length === 0) break;
      const pauseMs = Math.max(again.pauseMs, random() * longestMs);
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) throw givenUp(signal);
      const outcome = await this.#round(again.indexes, request);
      if ('answer' in outcome) return outcome.answer;
      again = outcome;
    }
    throw new ChatModelUnavailable(
      'No upstream answered: ' +
        `${[...request.why].map(([index, reason]) => `${this.#nameOf(index)} ${reason}`).join(', ')}.`,
    );
  }

  #nameOf(index: number): string | number {
    return this.#servers[index]!.name ?? index + 1;
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(({ upstream }) => upstream.close()));
  }

  /** Asks each server once until one answers. Otherwise returns the servers that are worth another attempt. */
  async #round<T>(indexes: readonly number[], request: ChainRequest<T>): Promise<{ readonly answer: T } | Again> {
    const { leastShareMs, longestPauseMs } = this.#options;
    let again: Again = { indexes: [], pauseMs: 0 };
    for (const [at, index] of indexes.entries()) {
      const trial = this.#servers[index]!.breaker.mayTry(request.turn);
      if (!trial) {
        if (!request.why.has(index)) request.why.set(index, 'left alone after failures');
        continue;
      }
      const laterOnes = indexes.slice(at + 1).filter((later) => this.#servers[later]!.breaker.isAvailable).length;
      const shareMs =
        laterOnes === 0 ? undefined : Math.max(leastShareMs, (request.endsMs - performance.now()) / (laterOnes + 1));
      const attempt = (signal: AbortSignal) => this.#attempt(index, trial, request, signal);
      const outcome = await (shareMs === undefined
        ? attempt(request.signal)
        : within(shareMs, request.signal, attempt));
      if ('answer' in outcome) return outcome;
      const { failure } = outcome;
      if (request.signal.aborted) throw givenUp(request.signal);
      throwIfFinal(failure, request.turn);
      request.why.set(index, describeFailure(failure));
      const pauseMs = failure.retryAfterMs ?? 0;
      if (mayPass(failure, index, request) && pauseMs <= longestPauseMs)
        again = { indexes: [...again.indexes, index], pauseMs: Math.max(again.pauseMs, pauseMs) };
    }
    return again;
  }

  async #attempt<T>(
    index: number,
    trial: Trial,
    { ask, by }: ChainRequest<T>,
    signal: AbortSignal,
  ): Promise<Attempt<T>> {
    const beganMs = performance.now();
    by?.attempted();
    const outcome = await ask(this.#servers[index]!.upstream, signal).catch((fault: unknown) => {
      trial.learnedNothing();
      throw fault;
    });
    const failure = 'failure' in outcome ? outcome.failure : undefined;
    const opensBreaker = reportTo(trial, failure);
    const { kind, status, code } = failure ?? { kind: 'answered' as const };
    this.#options.onAttempt({
      upstream: this.#nameOf(index),
      outcome: kind,
      ...(status && { status }),
      ...(code && { code }),
      durationMs: Math.round(performance.now() - beganMs),
      opensBreaker,
    });
    return outcome;
  }
}

/**
 * Begins a stream and waits for its first piece. Until then another server can be tried. Returns the function that
 * hands out this piece and all others.
 */
async function begun(
  emit: Emit<ModelDelta>,
  stream: (emit: Emit<ModelDelta>) => Promise<void>,
): Promise<Attempt<() => Promise<void>>> {
  const first = Promise.withResolvers<void>();
  const chosen = Promise.withResolvers<void>();
  let isFirst = true;
  const ended = stream((delta) => {
    if (!isFirst) return emit(delta);
    isFirst = false;
    first.resolve();
    return chosen.promise.then(() => emit(delta));
  });
  try {
    await Promise.race([first.promise, ended]);
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return { failure: error.failure };
  }
  if (isFirst) throw new Error('The stream of an upstream ended without its end.');
  const goOn = (): Promise<void> => {
    chosen.resolve();
    return ended;
  };
  return { answer: goOn };
}

/** Runs work with a time limit. */
async function within<T>(shareMs: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const share = new AbortController();
  const timer = setTimeout(
    () => share.abort(new DOMException('The share of the time is over.', 'TimeoutError')),
    shareMs,
  );
  try {
    return await work(AbortSignal.any([signal, share.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** Reports the result of an attempt to the breaker of its server. Returns whether that opened the breaker. */
function reportTo(trial: Trial, failure: Failure | undefined): boolean {
  switch (failure?.kind) {
    case 'unreachable':
    case 'too-slow':
      return trial.failed();
    case 'busy':
      // A 429 shows that the server is there.
      if (failure.status !== 429) return trial.failed();
      break;
    case 'misconfigured':
      // A firewall in front of the server returns 403 for texts that it does not like.
      if (failure.status !== 403) return trial.failed();
      trial.learnedNothing();
      return false;
    case 'broken':
    case 'unreadable':
    case 'empty':
    case 'too-large':
    case 'given-up':
      // The text of one caller may have caused this one answer.
      trial.learnedNothing();
      return false;
  }
  trial.succeeded();
  return false;
}

/** Throws for a failure that another server or another attempt would repeat. */
function throwIfFinal({ kind }: Failure, { tools = [] }: ChatTurn): void {
  if (kind === 'context-too-long') throw tooLong();
  if (kind === 'tools-not-supported' && tools.length > 0) throw new ToolsNotSupported();
  if (kind === 'refused' || kind === 'tools-not-supported') throw refused();
}

/** Whether the same server may answer in a moment. A server with an empty answer gets one more attempt. */
function mayPass({ kind }: Failure, index: number, { answeredEmpty }: ChainRequest<unknown>): boolean {
  if (kind !== 'empty') return kind === 'busy' || kind === 'unreachable';
  const isFirst = !answeredEmpty.has(index);
  answeredEmpty.add(index);
  return isFirst;
}

function describeFailure({ kind, status, code }: Failure): string {
  const detail = code ?? status;
  return detail === undefined ? kind : `${kind} (${detail})`;
}
