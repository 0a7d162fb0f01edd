import type { EarlyAnswers } from '../early/early.ts';

/** An answer that was requested early is used within this time. Later the page asks again. */
const freshMs = 10_000;

/**
 * Sends a request, or returns the answer to the same one if `early.ts` has requested it. Each is returned once.
 */
export function fetchOrEarly(input: Request | string, init?: RequestInit): Promise<Response> {
  const { url, method } = input instanceof Request ? input : { url: new URL(input, location.href).href, method: 'GET' };
  const early = method === 'GET' ? taken(new URL(url)) : undefined;
  return early ?? fetch(input, init);
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
