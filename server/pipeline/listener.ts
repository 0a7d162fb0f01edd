import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { BodyMemory } from '#server/http/body-memory.ts';
import type { IsTrusted } from '#server/http/client-address.ts';
import { assignRequestId } from '#server/http/request-id.ts';
import type { Log } from '#server/log.ts';
import type { Metrics } from '#server/metrics.ts';
import type { ServedSpan, Tracing } from '#server/telemetry/tracing.ts';
import { logAccess } from './access-log.ts';
import { countError, type AnsweredError } from './error-count.ts';
import { openContext, type RequestContext } from './request-context.ts';
import { countTraffic } from './traffic-count.ts';

export interface DoorDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Undefined if nothing is traced. */
  readonly tracing?: Tracing | undefined;
  readonly isTrustedProxy: IsTrusted;
  /** The address before `/docs` in links to error codes: of the API, or only its path at the API itself. */
  readonly docsUrl: string;
  /** Counts the bodies that are in memory, at all doors together. */
  readonly bodies: BodyMemory;
  /** Called after each request of an account, with the sent bytes of its body. Must not throw. */
  noteTraffic(accountId: string, egressBytes: number): void;
}

/** A door whose errors are counted for their accounts. */
export interface CountedDoorDeps extends DoorDeps {
  /** Called after each error response. Must not throw. */
  noteError(error: AnsweredError): void;
}

const withId = assignRequestId();

/** Creates a door's listener. Every request gets an id and a line in the access log before the door handles it. */
export function openDoor(
  door: string,
  deps: DoorDeps | CountedDoorDeps,
  answer: (req: IncomingMessage, res: ServerResponse) => void,
): RequestListener {
  const { log, metrics, tracing } = deps;
  const handle = (req: IncomingMessage, res: ServerResponse, span?: ServedSpan) =>
    withId(req, res, () => {
      const context = openContext(req, res, deps);
      context.note({ door, ...(span && { trace_id: span.traceId, span_id: span.spanId }) });
      if (span) endSpan(context, span);
      logAccess(context, { log, metrics });
      countTraffic(context, deps.noteTraffic);
      if ('noteError' in deps) countError(context, deps.noteError);
      res.setHeader('X-Content-Type-Options', 'nosniff');
      answer(req, res);
    });
  if (!tracing) return (req, res) => handle(req, res);
  return (req, res) => tracing.serve(req.headers, req.method!, (span) => handle(req, res, span));
}

/**
 * Ends the span of a request with its response. The path is the contract's, because the real one may contain a secret.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
function endSpan(context: RequestContext, span: ServedSpan): void {
  const { req, res, notes } = context;
  context.atClose(() => {
    const { door, operation, template, code, outcome, model, cache } = notes;
    const status = res.headersSent ? res.statusCode : undefined;
    const isFailed = status === undefined || status >= 500;
    span.end({
      name: template === undefined ? req.method! : `${req.method} ${template}`,
      isFailed,
      attributes: {
        'http.request.method': req.method,
        'http.route': template,
        'http.response.status_code': status,
        'cubby.door': door,
        'cubby.operation': operation,
        'cubby.code': code,
        // The tokens are only on the spans of the model's servers, so that nobody counts them twice.
        'gen_ai.request.model': model,
        'cubby.cache': cache,
        'error.type': isFailed ? (code ?? outcome ?? (status === undefined ? 'aborted' : String(status))) : undefined,
      },
    });
  });
}
