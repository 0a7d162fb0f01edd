import { randomUUID } from 'node:crypto';

import type { ServerResponse } from 'node:http';

import type { Middleware } from './middleware.ts';

/**
 * Ids that a caller or a proxy may choose: long enough to be unique, without characters that could forge a log line.
 */
const ACCEPTABLE = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * Gives every response an `X-Request-Id`: the request's own if it is acceptable, otherwise a new random one. Use it
 * before everything that can respond.
 */
export function assignRequestId(): Middleware {
  return (req, res, next) => {
    const given = req.headers['x-request-id'];
    res.setHeader('X-Request-Id', typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID());
    next();
  };
}

/** Returns the id of a response, for client and log. Returns `''` if `assignRequestId()` has not run. */
export function requestId(res: Pick<ServerResponse, 'getHeader'>): string {
  return String(res.getHeader('X-Request-Id') ?? '');
}
