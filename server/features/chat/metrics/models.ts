import type { Instruments } from '#server/metrics/instruments.ts';

/** The figures of one request to a model. */
interface ModelRequest {
  readonly operation: string;
  readonly model: string;
  readonly outcome: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the file of models. */
  readonly cost: number;
  readonly isCached: boolean;
  readonly durationMs: number;
  readonly firstTokenMs: number | null;
}

/** The bounds that the conventions advise. */
const durationBounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const firstTokenBounds = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const perTokenBounds = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5];
const tokenBounds = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536];

/**
 * Measures the requests to models, as a server of models does. Answers from the cache are counted and not measured.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/
 */
export function modelMetrics({ counter, histogram }: Instruments) {
  const cached = counter('ai_cached_total', 'Answers from the cache, by operation and model.', 'operation', 'model');
  const costs = counter('ai_cost_total', 'Cost of requests, in the currency of the file of models.', 'model');
  const duration = histogram(
    'ai_request_duration_seconds',
    'Time of requests to models, with all attempts and searches (gen_ai.server.request.duration).',
    durationBounds,
    'operation',
    'model',
    'outcome',
  );
  const firstToken = histogram(
    'ai_time_to_first_token_seconds',
    'Time to the first piece of streams (gen_ai.server.time_to_first_token).',
    firstTokenBounds,
    'operation',
    'model',
  );
  const perToken = histogram(
    'ai_time_per_output_token_seconds',
    'Time of each further token of answered streams (gen_ai.server.time_per_output_token).',
    perTokenBounds,
    'operation',
    'model',
  );
  const tokens = histogram(
    'ai_request_tokens',
    'Charged tokens of one request (gen_ai.client.token.usage).',
    tokenBounds,
    'operation',
    'model',
    'kind',
  );
  return {
    modelRequestEnded(request: ModelRequest) {
      const { operation, model, outcome, isCached, durationMs, firstTokenMs, inputTokens, outputTokens, cost } =
        request;
      const labels = { operation, model };
      if (isCached) return cached.inc(labels);
      duration.observe({ ...labels, outcome }, durationMs / 1000);
      if (inputTokens > 0) tokens.observe({ ...labels, kind: 'input' }, inputTokens);
      if (outputTokens > 0) tokens.observe({ ...labels, kind: 'output' }, outputTokens);
      if (cost > 0) costs.inc({ model }, cost);
      if (firstTokenMs === null) return;
      firstToken.observe(labels, firstTokenMs / 1000);
      const further = outputTokens - 1;
      if (outcome === 'answered' && further > 0) perToken.observe(labels, (durationMs - firstTokenMs) / 1000 / further);
    },
  };
}
