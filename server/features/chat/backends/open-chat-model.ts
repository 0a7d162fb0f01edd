import type { AiConfig } from '../config/ai.ts';
import { ChatModelUnavailable, type ChatModel } from '../models/chat-model.ts';
import { circuitBreaker } from '#server/circuit-breaker.ts';
import { logAttempt, variables } from './attempt-log.ts';
import { developmentResponder } from './development-responder.ts';
import { LocalModel } from './local-model/local-model.ts';
import { UpstreamChain, type AttemptReport } from './upstream-chain.ts';
import { upstreamOptions, type UpstreamDeps } from './upstream-options.ts';

/** Whether a server gets requests. */
interface UpstreamHealth {
  /** Its name, or its number from 1. */
  readonly upstream: string | number;
  readonly isUp: boolean;
}

export interface OpenChatModelDeps extends UpstreamDeps {
  /** Time limit of a request, with all attempts. */
  readonly deadlineMs: number;
  /** Called for each attempt at an upstream, for metrics. */
  readonly onAttempt?: (report: AttemptReport) => void;
  /** Called once with a function that tells which upstreams get requests. */
  readonly onUpstreams?: (health: () => readonly UpstreamHealth[]) => void;
}

/**
 * Opens the configured model: upstreams, a model file, or the development responder. Without any, it returns a model
 * that is always unavailable.
 */
export async function openChatModel(
  { upstreams, modelFile, devResponder }: AiConfig,
  deps: OpenChatModelDeps,
): Promise<ChatModel> {
  const { ids, log, deadlineMs, onAttempt, onUpstreams } = deps;
  if (upstreams.length > 0) {
    // Its HTTP client takes a tenth of a start, so it is loaded only where it is used.
    const { openUpstream } = await import('./open-upstream.ts');
    const servers = upstreams.map((configured, at) => ({
      upstream: openUpstream(configured, upstreamOptions(deps, at + 1)),
      breaker: circuitBreaker({ nowMs: () => performance.now() }),
    }));
    onUpstreams?.(() => servers.map(({ breaker }, at) => ({ upstream: at + 1, isUp: breaker.isAvailable })));
    return new UpstreamChain(servers, {
      deadlineMs,
      onAttempt(report) {
        onAttempt?.(report);
        logAttempt(log, report, variables);
      },
    });
  }
  if (modelFile !== undefined)
    return new LocalModel({ file: modelFile, newCallId: () => `call_${ids.opaqueId()}`, log });
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
    'This server has no model. The operator of this server can name one with CUBBY_AI_UPSTREAM_URL.',
  );
}

const noModel: ChatModel = {
  isDevelopmentResponder: false,
  complete: async () => noAnswer(),
  stream: async () => noAnswer(),
  close: async () => {},
};
