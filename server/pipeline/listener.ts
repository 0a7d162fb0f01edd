import express, { type Express } from 'express';

import { assignRequestId } from '#server/http/request-id.ts';
import type { IsTrusted } from '#server/http/client-address.ts';
import type { Log } from '#server/log.ts';
import type { Metrics } from '#server/metrics.ts';
import { accessLog } from './access-log.ts';
import { errorCount, type AnsweredError } from './error-count.ts';

export interface DoorDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly isTrustedProxy: IsTrusted;
}

/** A door whose errors are counted for the accounts that they concern. */
export interface CountedDoorDeps extends DoorDeps {
  /** Told of each error once it is answered; must not throw. */
  noteError(error: AnsweredError): void;
}

/** An Express application that adds nothing of its own to answers: no banner, no ETag, no query parsing. */
export function openDoor(door: string, deps: DoorDeps | CountedDoorDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(assignRequestId());
  app.use(accessLog({ door, ...deps }));
  if ('noteError' in deps) app.use(errorCount((error) => deps.noteError(error)));
  app.use((_req, res, next) => {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  return app;
}
