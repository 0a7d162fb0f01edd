import { requestId } from '#server/http/request-id.ts';
import type { Log } from '#server/log.ts';
import type { Metrics } from '#server/metrics.ts';
import type { Visit } from './visit.ts';

/** Logs one line for the request, when its answer is out or its client gone, and counts it. */
export function logAccess(
  { req, res, origin, notes }: Visit,
  { door, log, metrics }: { readonly door: string; readonly log: Log; readonly metrics: Metrics },
): void {
  const startedAt = performance.now();
  res.once('close', () => {
    const durationMs = performance.now() - startedAt;
    const { operation = 'none', template, ...noted } = notes;
    // A client that went away first was answered nothing, whatever Node's default says.
    const status = res.headersSent ? res.statusCode : undefined;
    metrics.requestAnswered({ operation, status: status ?? 'aborted', durationMs });
    log.info(
      {
        door,
        method: req.method,
        operation,
        path: template,
        status,
        ms: Math.round(durationMs * 10) / 10,
        address: origin.address,
        request_id: requestId(res),
        ...noted,
        ...(!res.writableFinished && { outcome: 'aborted' }),
      },
      'request',
    );
  });
}

/** Logs a fault and counts it; the client sees the request's id and nothing of the fault. */
export function logFault(
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
  { res, notes }: Visit,
  error: unknown,
): void {
  log.error({ operation: notes.operation, request_id: requestId(res), error }, 'fault');
  metrics.faultLogged();
}
