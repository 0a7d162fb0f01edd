import { requestId } from '#server/http/request-id.ts';
import type { Log } from '#server/log.ts';
import type { Metrics } from '#server/metrics.ts';
import type { RequestContext } from './request-context.ts';

/** Writes the access log: one line for each request, when its response is finished or its client has disconnected. */
export function logAccess(
  context: RequestContext,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): void {
  const startedAt = performance.now();
  const { req, res, client, notes } = context;
  const { door = 'none' } = notes;
  metrics.requestBegun(door);
  context.atClose(() => {
    const durationMs = performance.now() - startedAt;
    const { operation = 'none', template, ...noted } = notes;
    // Without a response, `statusCode` still has Node's default.
    const status = res.headersSent ? res.statusCode : undefined;
    metrics.requestEnded({ door, operation, status: status ?? 'aborted', code: noted.code, durationMs });
    if (!log.isLevelEnabled('info')) return;
    log.info(
      {
        door,
        method: req.method,
        operation,
        path: template,
        status,
        ms: Math.round(durationMs * 10) / 10,
        address: client.address,
        request_id: requestId(res),
        ...noted,
        ...(!res.writableFinished && { outcome: 'aborted' }),
      },
      'request',
    );
  });
}

/** Logs a fault and counts it. The client sees only the request's id. */
export function logFault(
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
  { res, notes }: RequestContext,
  error: unknown,
): void {
  const { operation, trace_id, span_id } = notes;
  log.error({ operation, request_id: requestId(res), ...(trace_id && { trace_id, span_id }), error }, 'fault');
  metrics.faultLogged();
}
