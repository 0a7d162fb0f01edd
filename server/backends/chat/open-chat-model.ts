import type { AiConfig } from '#server/config/ai.ts';
import { ChatModelUnavailable, type ChatModel } from '#server/domain/chat/chat-model.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Log } from '#server/log.ts';
import type { CallTracing } from '#server/telemetry/tracing.ts';
import { circuitBreaker } from '#server/circuit-breaker.ts';
import { developmentResponder } from './development-responder.ts';
import { LocalModel } from './local-model/local-model.ts';
import { UpstreamChain, type AttemptReport } from './upstream-chain.ts';

interface OpenChatModelDeps {
  readonly ids: Pick<Ids, 'opaqueId'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Time limit of a request, with all attempts. */
  readonly deadlineMs: number;
  /** Called for each attempt at an upstream, for metrics. */
  readonly onAttempt?: (report: AttemptReport) => void;
  readonly tracing?: CallTracing;
  readonly tracesContent?: boolean;
  /** Called once with a function that tells which upstreams get requests. */
  readonly onUpstreams?: (areUp: () => readonly boolean[]) => void;
}

/**
 * Opens the configured model: upstreams, a model file, or the development responder. Without any, it returns a model
 * that is always unavailable.
 */
export async function openChatModel(
  { upstreams, modelFile, devResponder }: AiConfig,
  deps: OpenChatModelDeps,
): Promise<ChatModel> {
  const { ids, clock, log, deadlineMs, onAttempt, onUpstreams, tracing, tracesContent = false } = deps;
  const newCallId = () => `call_${ids.opaqueId()}`;
  if (upstreams.length > 0) {
    // Its HTTP client takes a tenth of a start, so it is loaded only where it is used.
    const { openUpstream } = await import('./upstream.ts');
    const servers = upstreams.map((configured) => ({
      upstream: openUpstream(configured, { newCallId, clock, tracesContent, ...(tracing && { tracing }) }),
      breaker: circuitBreaker({ nowMs: () => performance.now() }),
    }));
    onUpstreams?.(() => servers.map(({ breaker }) => breaker.isAvailable));
    return new UpstreamChain(servers, {
      deadlineMs,
      onAttempt(report) {
        onAttempt?.(report);
        logAttempt(log, report);
      },
    });
  }
  if (modelFile !== undefined) return new LocalModel({ file: modelFile, newCallId, log });
  if (devResponder) {
    log.info('no model is configured: the development responder answers in the AI gateway, and names itself each time');
    return developmentResponder();
  }
  log.warn(
    'no model is configured: the AI gateway rejects all requests; set CUBBY_AI_UPSTREAM_URL or CUBBY_AI_MODEL_FILE',
  );
  return noModel;
}

function noAnswer(): never {
  throw new ChatModelUnavailable(
    'No model is configured: set CUBBY_AI_UPSTREAM_URL or CUBBY_AI_MODEL_FILE, or CUBBY_AI_DEV_RESPONDER=on.',
  );
}

const noModel: ChatModel = {
  isDevelopmentResponder: false,
  complete: async () => noAnswer(),
  // oxlint-disable-next-line require-yield
  async *stream() {
    noAnswer();
  },
  close: async () => {},
};

/** Outcomes that only concern the caller, and are not logged. */
const callersOutcomes: ReadonlySet<AttemptReport['outcome']> = new Set([
  'answered',
  'refused',
  'tools-not-supported',
  'context-too-long',
  'given-up',
]);

function logAttempt(log: Log, { outcome, opensBreaker, ...report }: AttemptReport): void {
  const fields = { ...report, outcome };
  if (outcome === 'misconfigured')
    log.error(fields, `the upstream of the AI gateway rejected the request: ${advice(report.status)}`);
  else if (!callersOutcomes.has(outcome)) log.warn(fields, 'an upstream of the AI gateway did not answer');
  if (opensBreaker)
    log.warn({ upstream: report.upstream }, 'an upstream of the AI gateway keeps failing: it gets no requests for now');
}

function advice(status: number | undefined): string {
  if (status === 401 || status === 403) return 'check CUBBY_AI_UPSTREAM_KEY';
  if (status === 404) return 'check CUBBY_AI_UPSTREAM_MODEL, and whether CUBBY_AI_UPSTREAM_URL ends in /v1';
  if (status !== undefined && status >= 300 && status < 400)
    return 'it redirects, which is not followed; set CUBBY_AI_UPSTREAM_URL to the redirect target';
  return 'check its account and CUBBY_AI_UPSTREAM_URL';
}
