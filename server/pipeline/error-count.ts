import type { RequestContext } from './request-context.ts';

/** An error that a client received. */
export interface AnsweredError {
  readonly status: number;
  readonly method: string;
  /** The raw request target, which may contain a secret. */
  readonly target: string;
}

/** Calls `note` with the error of the response, if it is one, when it is finished or its client has disconnected. */
export function countError(context: RequestContext, note: (error: AnsweredError) => void): void {
  const { req, res } = context;
  // A router may rewrite the target.
  const { method = '', url: target = '' } = req;
  context.atClose(() => {
    // Without a response, `statusCode` still has Node's default.
    if (res.headersSent && res.statusCode >= 400) note({ status: res.statusCode, method, target });
  });
}
