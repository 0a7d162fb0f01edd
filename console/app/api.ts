import { client, hosts } from '#dist/modules/client/index.js';

import { errorFrom, isAborted } from './api-error.ts';
import { noteLost, noteReached } from './connection.ts';
import { fetchOrEarly } from './early-answers.ts';
import { csrfToken, endedByServer, session, startOver } from './session-state.ts';

/** The result of a function of the generated client. */
interface Outcome<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  readonly response?: Response | undefined;
}

/** Sends all requests of the generated client to the page's own host, with the session's cookie and its token. */
export function connect(): void {
  hosts.operator = location.origin;
  client.setConfig({ baseUrl: location.origin, credentials: 'same-origin', cache: 'no-store', fetch: fetchOrEarly });
  client.interceptors.request.use((request) => {
    const token = csrfToken();
    // Reads have it too. So a page gets nothing of a session that another tab has begun since.
    if (token !== undefined) request.headers.set('X-Cubby-CSRF', token);
    return request;
  });
}

/**
 * Awaits a call of the generated client and returns its body.
 *
 * @throws {ApiError}, or the `AbortError` of the call's signal
 */
export async function send<T>(outcome: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await outcome;
  if (response) noteReached();
  if (response?.ok && data !== undefined) return data;
  if (isAborted(error)) throw error;
  const failure = errorFrom(response, error);
  if (failure.status === 0) noteLost();
  if (failure.status === 401) endedByServer();
  // The cookie is that of a later sign-in.
  if (session.peek() && failure.code.toUpperCase() === 'CSRF_TOKEN_INVALID') startOver();
  throw failure;
}

/**
 * Awaits a call of the generated client and returns the `response` of its envelope.
 *
 * @throws {ApiError}, or the `AbortError` of the call's signal
 */
export async function ask<T>(outcome: Promise<Outcome<{ readonly response?: T }>>): Promise<NonNullable<T>> {
  return (await send(outcome)).response as NonNullable<T>;
}
