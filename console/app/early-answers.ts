import type { EarlyAnswers } from '../early/early.ts';

/** An answer that was requested early is used within this time. Later the page asks again. */
const freshMs = 10_000;

/**
 * Sends a request, or returns the answer to the same one if `early.ts` has requested it. Each is returned once.
 */
export function fetchOrEarly(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const isRequest = input instanceof Request;
  const isRead = isRequest ? input.method === 'GET' : init?.method === undefined;
  const answer = isRead ? taken(new URL(isRequest ? input.url : input, location.href)) : undefined;
  return answer ?? fetch(input, init);
}

/** Forgets what was requested early. Another session has other answers. */
export function dropEarly(): void {
  early()?.clear();
}

function early(): EarlyAnswers | undefined {
  return (globalThis as { early?: EarlyAnswers }).early;
}

function taken({ pathname, searchParams, origin }: URL): Promise<Response> | undefined {
  if (origin !== location.origin || performance.now() > freshMs) return undefined;
  const path = searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
  const answer = early()?.get(path);
  early()?.delete(path);
  return answer;
}
