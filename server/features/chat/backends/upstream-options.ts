import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { Log } from '#server/log.ts';
import type { CallTracing } from '#server/telemetry/tracing.ts';
import type { OpenUpstreamOptions } from './open-upstream.ts';

/** What requests to every server of a model need. */
export interface UpstreamDeps {
  readonly ids: Pick<Ids, 'opaqueId'>;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'signers'>;
  readonly log: Log;
  readonly tracing?: CallTracing;
  /** Whether spans have the messages and the answers. Default false. */
  readonly tracesContent?: boolean;
}

/** Returns how requests go to a server, whether variables name it or a file of models. */
export function upstreamOptions(
  { ids, clock, secrets, log, tracing, tracesContent = false }: UpstreamDeps,
  upstream: string | number,
): OpenUpstreamOptions {
  return {
    newCallId: () => `call_${ids.opaqueId()}`,
    clock,
    tracesContent,
    signaturesOf: (text) => secrets.signers().map((key) => key.sign('ai-upstream', text)),
    ...(tracing && { tracing }),
    onRejected: (field) =>
      log.info({ upstream, field }, 'an upstream of the AI gateway rejects a field: it gets requests without it'),
  };
}
