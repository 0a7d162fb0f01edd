import type { OpenChatModelDeps } from './open-chat-model.ts';
import type { UpstreamOptions } from './upstream.ts';

type Deps = Pick<OpenChatModelDeps, 'ids' | 'clock' | 'log' | 'tracing' | 'tracesContent'>;

/** Returns how a server is asked, whether variables name it or a file of models. */
export function upstreamOptions(
  { ids, clock, log, tracing, tracesContent = false }: Deps,
  upstream: string | number,
): UpstreamOptions {
  return {
    newCallId: () => `call_${ids.opaqueId()}`,
    clock,
    tracesContent,
    ...(tracing && { tracing }),
    onRejected: (field) =>
      log.info({ upstream, field }, 'an upstream of the AI gateway rejects a field: it gets requests without it'),
  };
}
