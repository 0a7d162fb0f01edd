import { randomUUID } from 'node:crypto';

import type { RequestHandler, Response } from 'express';

/** What a caller or a proxy may choose: long enough to be unlike others, and nothing that could forge a log line. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * Gives every answer an `X-Request-Id`: the request's own, when that is acceptable, else a new random one. To be used
 * before anything that can answer.
 */
export function assignRequestId(): RequestHandler {
  return (req, res, next) => {
    const given = req.get('X-Request-Id');
    res.set('X-Request-Id', given !== undefined && ACCEPTABLE.test(given) ? given : randomUUID());
    next();
  };
}

/** The id under which an answer is known to client and log; `''` when `assignRequestId()` has not run. */
export function requestId(res: Pick<Response, 'getHeader'>): string {
  return String(res.getHeader('X-Request-Id') ?? '');
}
