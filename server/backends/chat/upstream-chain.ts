import { setTimeout as sleep } from 'node:timers/promises';

import type { ChatAnswer, ChatTurn } from '#server/domain/chat/conversation.ts';
import { ChatModelUnavailable, ToolsNotSupported, type ChatModel } from '#server/domain/chat/chat-model.ts';
import type { CircuitBreaker, Trial } from './circuit-breaker.ts';
import type { Failure, FailureKind } from './failure.ts';
import { givenUp, refused, tooLong } from './unanswered.ts';
import type { Attempt, Upstream } from './upstream.ts';

/** An upstream and what keeps requests away from it while it fails. */
export interface GuardedUpstream {
  readonly upstream: Upstream;
  readonly breaker: CircuitBreaker;
}

/** What one attempt came to, for logs and metrics: no contents. */
export interface AttemptReport {
  /** Which of the configured servers, from 1. */
  readonly upstream: number;
  readonly outcome: 'answered' | FailureKind;
  readonly status?: number;
  readonly code?: string;
  readonly durationMs: number;
  /** Whether nobody is sent there for a while from now on. */
  readonly closesTheWay: boolean;
}

export interface ChainOptions {
  readonly onAttempt: (report: AttemptReport) => void;
  /** How long a request may take. Whoever asks ends it; here it is shared out among the servers. */
  readonly deadlineMs: number;
  /** No server that is not the last gets less than this to answer. */
  readonly leastShareMs?: number;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** Longest pauses before the second, third, … round through the servers; each is chosen by chance below it. */
  readonly pausesMs?: readonly number[];
  /** A server that asks for more patience than this is not asked again for the same request. */
  readonly longestPauseMs?: number;
}

/** A request on its way through the servers. */
interface Journey {
  readonly turn: ChatTurn;
  readonly signal: AbortSignal;
  /** As of `ChatModel.complete`. */
  readonly onBegun: () => void;
  /** When it ends, on the clock of `performance`. */
  readonly endsMs: number;
  /** Why each server did not answer. */
  readonly why: Map<number, string>;
  /** The servers that have given an empty answer. */
  readonly saidNothing: Set<number>;
}

/** What is left to try after a round. */
interface Again {
  readonly indexes: readonly number[];
  readonly pauseMs: number;
}

/**
 * Servers that are tried in order. Where one cannot answer, or not in its share of the time, the next is asked at once;
 * after the last, those whose trouble may pass are asked again, after a pause. This is the only place that tries again.
 */
export function upstreamChain(servers: readonly GuardedUpstream[], options: ChainOptions): ChatModel {
  const {
    onAttempt,
    deadlineMs,
    leastShareMs = 20_000,
    random = Math.random,
    pausesMs = [250, 1000, 3000],
    longestPauseMs = 5000,
  } = options;

  async function attempt(
    index: number,
    trial: Trial,
    { turn, onBegun }: Journey,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const beganMs = performance.now();
    const outcome = await servers[index]!.upstream.ask(turn, signal, onBegun).catch((fault: unknown) => {
      trial.learnedNothing();
      throw fault;
    });
    const failure = 'failure' in outcome ? outcome.failure : undefined;
    const closesTheWay = learn(trial, failure);
    const { kind, status, code } = failure ?? { kind: 'answered' as const };
    onAttempt({
      upstream: index + 1,
      outcome: kind,
      ...(status && { status }),
      ...(code && { code }),
      durationMs: Math.round(performance.now() - beganMs),
      closesTheWay,
    });
    return outcome;
  }

  /**
   * One attempt at each of the servers until one answers; otherwise those that are worth another, and the pause that
   * they ask for.
   */
  async function round(indexes: readonly number[], journey: Journey): Promise<ChatAnswer | Again> {
    let again: Again = { indexes: [], pauseMs: 0 };
    for (const [at, index] of indexes.entries()) {
      const trial = servers[index]!.breaker.mayTry(journey.turn);
      if (!trial) {
        if (!journey.why.has(index)) journey.why.set(index, 'left alone after failures');
        continue;
      }
      const laterOnes = indexes.slice(at + 1).filter((later) => servers[later]!.breaker.isOpen).length;
      const shareMs =
        laterOnes === 0 ? undefined : Math.max(leastShareMs, (journey.endsMs - performance.now()) / (laterOnes + 1));
      const outcome = await within(shareMs, journey.signal, (signal) => attempt(index, trial, journey, signal));
      if ('answer' in outcome) return outcome.answer;
      const { failure } = outcome;
      if (journey.signal.aborted) throw givenUp(journey.signal);
      endOf(failure, journey.turn);
      journey.why.set(index, wordsOf(failure));
      const pauseMs = failure.retryAfterMs ?? 0;
      if (mayPass(failure, index, journey) && pauseMs <= longestPauseMs)
        again = { indexes: [...again.indexes, index], pauseMs: Math.max(again.pauseMs, pauseMs) };
    }
    return again;
  }

  return {
    isDevelopmentResponder: false,
    async complete(turn, signal, onBegun = () => {}) {
      const journey: Journey = {
        turn,
        signal,
        onBegun,
        endsMs: performance.now() + deadlineMs,
        why: new Map(),
        saidNothing: new Set(),
      };
      let again: Again = { indexes: [...servers.keys()], pauseMs: 0 };
      for (const longestMs of [0, ...pausesMs]) {
        if (again.indexes.length === 0) break;
        const pauseMs = Math.max(again.pauseMs, random() * longestMs);
        if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {});
        if (signal.aborted) throw givenUp(signal);
        const outcome = await round(again.indexes, journey);
        if (!('indexes' in outcome)) return outcome;
        again = outcome;
      }
      throw new ChatModelUnavailable(
        `No upstream answered: ${[...journey.why].map(([index, words]) => `${index + 1} ${words}`).join(', ')}.`,
      );
    },
    async close() {
      await Promise.all(servers.map(({ upstream }) => upstream.close()));
    },
  };
}

/** Gives work a share of the time, or all of it. */
async function within<T>(
  shareMs: number | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (shareMs === undefined) return work(signal);
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

/** Tells the breaker what an attempt says about its server; answers whether that closed the way. */
function learn(trial: Trial, failure: Failure | undefined): boolean {
  switch (failure?.kind) {
    case 'unreachable':
    case 'too-slow':
      return trial.failed();
    case 'busy':
      // A server that says that it has too much to do at the moment is there.
      if (failure.status !== 429) return trial.failed();
      break;
    case 'misconfigured':
      // What stands before a server answers so to words that it does not like.
      if (failure.status !== 403) return trial.failed();
      trial.learnedNothing();
      return false;
    case 'broken':
    case 'unreadable':
    case 'empty':
    case 'too-large':
    case 'given-up':
      // Of one answer, which the words of one caller may have brought about.
      trial.learnedNothing();
      return false;
  }
  trial.succeeded();
  return false;
}

/** Ends a request for which no other server and no other time would do better. */
function endOf({ kind }: Failure, { tools = [] }: ChatTurn): void {
  if (kind === 'context-too-long') throw tooLong();
  if (kind === 'tools-not-supported' && tools.length > 0) throw new ToolsNotSupported();
  if (kind === 'refused' || kind === 'tools-not-supported') throw refused();
}

/**
 * Whether the same server may do better in a moment. One that says nothing is asked once more: many would say nothing
 * for ever.
 */
function mayPass({ kind }: Failure, index: number, { saidNothing }: Journey): boolean {
  if (kind !== 'empty') return kind === 'busy' || kind === 'unreachable';
  const isFirst = !saidNothing.has(index);
  saidNothing.add(index);
  return isFirst;
}

function wordsOf({ kind, status, code }: Failure): string {
  const detail = code ?? status;
  return detail === undefined ? kind : `${kind} (${detail})`;
}
