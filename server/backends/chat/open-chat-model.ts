import type { AiConfig } from '#server/config/ai.ts';
import { ChatModelUnavailable, type ChatModel } from '#server/domain/chat/chat-model.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Log } from '#server/log.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { developmentResponder } from './development-responder.ts';
import { localModel } from './local-model/local-model.ts';
import { openUpstream } from './upstream.ts';
import { upstreamChain, type AttemptReport } from './upstream-chain.ts';

export interface OpenChatModelDeps {
  readonly ids: Pick<Ids, 'opaqueId'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a request may take in all. */
  readonly deadlineMs: number;
  /** Told of every attempt at an upstream, for metrics. */
  readonly onAttempt?: (report: AttemptReport) => void;
}

/**
 * Opens the model that is configured: upstreams, a model file, the responder for development, or none, which always is
 * unavailable.
 */
export function openChatModel({ upstreams, modelFile, devResponder }: AiConfig, deps: OpenChatModelDeps): ChatModel {
  const { ids, clock, log, deadlineMs, onAttempt } = deps;
  const newCallId = () => `call_${ids.opaqueId()}`;
  if (upstreams.length > 0) {
    const servers = upstreams.map((configured) => ({
      upstream: openUpstream(configured, { newCallId, clock }),
      breaker: circuitBreaker({ nowMs: () => performance.now() }),
    }));
    return upstreamChain(servers, {
      deadlineMs,
      onAttempt(report) {
        onAttempt?.(report);
        logAttempt(log, report);
      },
    });
  }
  if (modelFile !== undefined) return localModel({ file: modelFile, newCallId, log });
  if (devResponder) {
    log.info('no model is configured: the development responder answers in the AI gateway, and says so in every reply');
    return developmentResponder();
  }
  log.warn(
    'no model is configured: the AI gateway answers every request server_overloaded; set CUBBY_AI_UPSTREAM_URL or CUBBY_AI_MODEL_FILE',
  );
  return noModel;
}

const noModel: ChatModel = {
  isDevelopmentResponder: false,
  async complete() {
    throw new ChatModelUnavailable(
      'No model is configured: set CUBBY_AI_UPSTREAM_URL or CUBBY_AI_MODEL_FILE, or allow the responder for development with CUBBY_AI_DEV_RESPONDER=on.',
    );
  },
  close: async () => {},
};

/** What is the callers' own affair, and nothing that an operator should know. */
const affairsOfCallers: ReadonlySet<AttemptReport['outcome']> = new Set([
  'answered',
  'refused',
  'tools-not-supported',
  'context-too-long',
  'given-up',
]);

function logAttempt(log: Log, { outcome, closesTheWay, ...report }: AttemptReport): void {
  const fields = { ...report, outcome };
  if (outcome === 'misconfigured')
    log.error(fields, `the upstream of the AI gateway did not take the request: ${advice(report.status)}`);
  else if (!affairsOfCallers.has(outcome)) log.warn(fields, 'an upstream of the AI gateway did not answer');
  if (closesTheWay)
    log.warn(
      { upstream: report.upstream },
      'an upstream of the AI gateway keeps failing: it is left alone for a while',
    );
}

function advice(status: number | undefined): string {
  if (status === 401 || status === 403) return 'look at CUBBY_AI_UPSTREAM_KEY';
  if (status === 404) return 'look at CUBBY_AI_UPSTREAM_MODEL, and whether CUBBY_AI_UPSTREAM_URL ends in /v1';
  if (status !== undefined && status >= 300 && status < 400)
    return 'it redirects, which is not followed; set CUBBY_AI_UPSTREAM_URL to where it leads';
  return 'look at its account and at CUBBY_AI_UPSTREAM_URL';
}
