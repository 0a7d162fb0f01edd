import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { IsTrusted } from '#server/http/client-address.ts';
import { assignRequestId } from '#server/http/request-id.ts';
import type { Log } from '#server/log.ts';
import type { Metrics } from '#server/metrics.ts';
import { logAccess } from './access-log.ts';
import { countError, type AnsweredError } from './error-count.ts';
import { openContext } from './request-context.ts';

export interface DoorDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly isTrustedProxy: IsTrusted;
  /** The address before `/docs` in links to error codes: of the API, or only its path at the API itself. */
  readonly docsUrl: string;
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
  const { log, metrics } = deps;
  return (req, res) =>
    withId(req, res, () => {
      const context = openContext(req, res, deps.isTrustedProxy, deps.docsUrl);
      context.note({ door });
      logAccess(context, { log, metrics });
      if ('noteError' in deps) countError(context, deps.noteError);
      res.setHeader('X-Content-Type-Options', 'nosniff');
      answer(req, res);
    });
}
