import { randomUUID } from 'node:crypto';

import type { ServerResponse } from 'node:http';

import type { Middleware } from './middleware.ts';

/** What a caller or a proxy may choose: long enough to be unlike others, and nothing that could forge a log line. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * Gives every answer an `X-Request-Id`: the request's own, when that is acceptable, else a new random one. To be used
 * before anything that can answer.
 */
export function assignRequestId(): Middleware {
  return (req, res, next) => {
    const given = req.headers['x-request-id'];
    res.setHeader('X-Request-Id', typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID());
    next();
  };
}

/** The id under which an answer is known to client and log; `''` when `assignRequestId()` has not run. */
export function requestId(res: Pick<ServerResponse, 'getHeader'>): string {
  return String(res.getHeader('X-Request-Id') ?? '');
}
