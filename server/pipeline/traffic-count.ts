import type { ServerResponse } from 'node:http';

import type { RequestContext } from './request-context.ts';

/** Calls `note` once with the account that a request belongs to, when its response is finished or was cut off. */
export function countTraffic(context: RequestContext, note: (accountId: string, egressBytes: number) => void): void {
  // A cut-off response closes before its sender notes the bytes. A short one is noted before it closes.
  let isFirst = true;
  const end = (): void => {
    if (isFirst) return void (isFirst = false);
    const { owner, notes } = context;
    if (owner !== undefined) note(owner, notes.bytes ?? wholeBodyBytes(context.res));
  };
  context.atClose(end);
  context.atEnd(end);
}

/** Returns the bytes of a body that was sent at once. 0 if it was cut off, because nobody knows where. */
function wholeBodyBytes(res: ServerResponse): number {
  const hasBody = res.writableFinished && res.req.method !== 'HEAD' && res.statusCode !== 204 && res.statusCode !== 304;
  return hasBody ? Number(res.getHeader('Content-Length') ?? 0) : 0;
}
