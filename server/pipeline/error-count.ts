import type { RequestHandler } from 'express';

import { isErrorStatus } from '#server/domain/edge-errors/edge-error.ts';

/** An error as the client got it. */
export interface AnsweredError {
  readonly status: number;
  readonly method: string;
  /** The request target as it came: it may hold what opens something. */
  readonly target: string;
}

/** Tells of each error that is answered, once its answer is out or its client gone. */
export function errorCount(note: (error: AnsweredError) => void): RequestHandler {
  return (req, res, next) => {
    res.once('close', () => {
      // A client that went away first was answered nothing, whatever Node's default says.
      if (res.headersSent && isErrorStatus(res.statusCode))
        note({ status: res.statusCode, method: req.method, target: req.originalUrl });
    });
    next();
  };
}
