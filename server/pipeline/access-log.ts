import type { RequestHandler, Response } from 'express';

import type { CallNotes } from '#server/handlers/call.ts';
import { clientAddress, type IsTrusted } from '#server/http/client-address.ts';
import { requestId } from '#server/http/request-id.ts';
import type { Log } from '#server/log.ts';
import type { Metrics } from '#server/metrics.ts';

/** What a door learns of a request while it answers it. */
export interface RequestNotes extends CallNotes {
  readonly operation?: string;
  /** The contract's path: the real one may carry a token or an id that opens something. */
  readonly template?: string;
  readonly account?: string;
  readonly key?: string;
  /** The id of the upload token that was sent, which is no secret. */
  readonly upload_token?: string;
  readonly code?: string;
  readonly bytes?: number;
  readonly outcome?: string;
}

const notes = new WeakMap<object, RequestNotes>();

/** Adds to the line that will be logged for this request. */
export function noteOperation(res: object, more: RequestNotes): void {
  notes.set(res, { ...notes.get(res), ...more });
}

/** Logs one line for each request, when its answer is out or its client gone, and counts it. */
export function accessLog({
  door,
  log,
  metrics,
  isTrustedProxy,
}: {
  readonly door: string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly isTrustedProxy: IsTrusted;
}): RequestHandler {
  return (req, res: Response, next) => {
    const startedAt = performance.now();
    const address = clientAddress(req, isTrustedProxy);
    res.once('close', () => {
      const durationMs = performance.now() - startedAt;
      const { operation = 'none', template, ...noted } = notes.get(res) ?? {};
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
          address,
          request_id: requestId(res),
          ...noted,
          ...(!res.writableFinished && { outcome: 'aborted' }),
        },
        'request',
      );
    });
    next();
  };
}
