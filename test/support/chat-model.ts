import { onTestFinished } from 'vitest';

import { startChatUpstream, type ChatUpstream, type ChatUpstreamOptions } from '#mocks/chat-upstream.ts';
import { circuitBreaker, type CircuitBreakerOptions } from '#server/circuit-breaker.ts';
import { openUpstream, type OpenUpstreamOptions } from '#server/features/chat/backends/open-upstream.ts';
import { UpstreamChain, type AttemptReport, type ChainOptions } from '#server/features/chat/backends/upstream-chain.ts';
import type { ChatTurn } from '#server/features/chat/conversation/conversation.ts';
import type { ChatModel } from '#server/features/chat/models/chat-model.ts';
import { TestClock } from './clock.ts';

/** Returns a turn of one question. */
export function question(text = 'What is an ETag?', turn: Partial<ChatTurn> = {}): ChatTurn {
  return { messages: [{ role: 'user', content: text }], maxOutputTokens: 1000, ...turn };
}

/** A signal for tests in which nobody aborts. */
export const patience = new AbortController().signal;

/** Starts an upstream that is closed when the test ends. */
export async function someUpstream(options: ChatUpstreamOptions = {}): Promise<ChatUpstream> {
  const upstream = await startChatUpstream(options);
  onTestFinished(() => upstream.close());
  return upstream;
}

export interface TestChain {
  readonly upstreams: readonly ChatUpstream[];
  readonly model: ChatModel;
  /** `upstream outcome`, oldest first. */
  readonly attempts: readonly string[];
  readonly reports: readonly AttemptReport[];
}

export interface TestChainOptions
  extends Partial<OpenUpstreamOptions>, Partial<ChainOptions>, Partial<CircuitBreakerOptions> {
  readonly count?: number;
  readonly key?: string;
}

/** Starts a model over real upstreams, with short pauses. */
export async function startChain({ count = 1, key, ...options }: TestChainOptions = {}): Promise<TestChain> {
  const upstreams = await Promise.all(Array.from({ length: count }, () => someUpstream()));
  const reports: AttemptReport[] = [];
  const attempts: string[] = [];
  const clock = new TestClock();
  let calls = 0;
  const servers = upstreams.map(({ url }) => ({
    upstream: openUpstream({ url, key, model: 'tiny' }, { newCallId: () => `made_up_${++calls}`, clock, ...options }),
    breaker: circuitBreaker({ nowMs: () => clock.now(), ...options }),
  }));
  const model = new UpstreamChain(servers, {
    deadlineMs: 90_000,
    pausesMs: [5, 5, 5],
    onAttempt(report) {
      reports.push(report);
      attempts.push(`${report.upstream} ${report.outcome}`);
    },
    ...options,
  });
  onTestFinished(() => model.close());
  return { upstreams, model, attempts, reports };
}
