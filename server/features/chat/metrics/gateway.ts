import type { Instruments } from '#server/metrics/instruments.ts';

/** The tokens and searches that a response of the AI gateway consumed. */
interface CompletionCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly searchesAnswered: number;
  readonly searchesFailed: number;
}

/** One attempt at a server behind the AI gateway. `upstream` is its name, or its number from 1. */
interface UpstreamAttempt {
  readonly upstream: string | number;
  readonly outcome: string;
  readonly durationMs: number;
}

/** Counts the requests of the AI gateway, and the attempts at the servers behind it. */
export function gatewayMetrics({ counter, gauge, gauges, histogram }: Instruments) {
  const completions = counter('ai_requests_total', 'AI gateway requests with a valid body, by outcome.', 'outcome');
  const tokens = counter('ai_tokens_total', 'Tokens of answered requests.', 'kind');
  const searches = counter('ai_searches_total', 'Web searches of answered requests.', 'outcome');
  const attempts = counter(
    'ai_upstream_attempts_total',
    'Attempts at the servers behind the AI gateway.',
    'upstream',
    'outcome',
  );
  const duration = histogram(
    'ai_upstream_duration_seconds',
    'Time of one attempt at a server behind the AI gateway.',
    [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 90],
    'upstream',
  );
  const outcomes = new Set<string>();
  const waits = histogram(
    'ai_queue_wait_seconds',
    'Time that AI gateway requests have waited for their turn, by the end of the wait.',
    [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60],
    'end',
  );
  return {
    /** Adds the number of requests that wait for their turn. */
    watchChatQueue: (waiting: () => number) =>
      void gauge('ai_queued', 'AI gateway requests that wait for their turn.', waiting, 'sum'),
    /** The end of such a wait: `admitted`, `rejected`, `timeout` or `left`. */
    requestWaited: (end: string, waitedMs: number) => waits.observe({ end }, waitedMs / 1000),
    /** The result of an AI gateway request with a valid body: `answered`, `aborted`, `fault`, or its error code. */
    completionEnded(outcome: string, spent?: CompletionCounts) {
      completions.inc({ outcome });
      if (!spent) return;
      tokens.inc({ kind: 'input' }, spent.inputTokens);
      tokens.inc({ kind: 'output' }, spent.outputTokens);
      searches.inc({ outcome: 'answered' }, spent.searchesAnswered);
      searches.inc({ outcome: 'failed' }, spent.searchesFailed);
    },
    upstreamTried({ upstream, outcome, durationMs }: UpstreamAttempt) {
      outcomes.add(outcome);
      attempts.inc({ upstream, outcome });
      duration.observe({ upstream }, durationMs / 1000);
    },
    /** Drops the counts of a server that is gone, so that their number stays bounded. */
    upstreamForgotten(upstream: string) {
      for (const outcome of outcomes) attempts.remove({ upstream, outcome });
      duration.remove({ upstream });
    },
    /** Adds the health of the servers behind the AI gateway. */
    watchUpstreams: (health: () => ReadonlyArray<Pick<UpstreamAttempt, 'upstream'> & { readonly isUp: boolean }>) =>
      void gauges(
        'ai_upstream_up',
        '0 while a server behind the AI gateway gets no requests because it keeps failing, otherwise 1.',
        { labelNames: ['upstream'], aggregator: 'min' },
        () => health().map(({ upstream, isUp }) => [{ upstream }, Number(isUp)] as const),
      ),
  };
}
