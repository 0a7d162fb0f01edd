import type { IncomingMessage, ServerResponse } from 'node:http';

import { isErrorStatus } from '#server/domain/edge-errors/edge-error.ts';

/** An error as the client got it. */
export interface AnsweredError {
  readonly status: number;
  readonly method: string;
  /** The request target as it came: it may hold what opens something. */
  readonly target: string;
}

/** Tells of the error that is answered, if one is, once its answer is out or its client gone. */
export function countError(req: IncomingMessage, res: ServerResponse, note: (error: AnsweredError) => void): void {
  // A router may rewrite the target.
  const { method = '', url: target = '' } = req;
  res.once('close', () => {
    // A client that went away first was answered nothing, whatever Node's default says.
    if (res.headersSent && isErrorStatus(res.statusCode)) note({ status: res.statusCode, method, target });
  });
}
