import type { IncomingHttpHeaders } from 'node:http';

import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { OperatorCaller } from '#server/domain/operator/operator-key.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { authenticateConsole, authenticateOperatorSession } from '#server/domain/console/authenticate-browser.ts';
import { isCsrfTokenOf, parseBrowserToken } from '#server/domain/sessions/session-token.ts';
import { SignedOut } from '#server/domain/sessions/signed-out.ts';
import { parseCookies } from '#server/http/cookies.ts';
import { isFromOwnPage, type FormSource } from '#server/http/same-origin.ts';
import { sessionCookieNames } from '#server/handlers/session-cookies.ts';

type Deps = Parameters<typeof authenticateConsole>[0] & {
  readonly secrets: Pick<Secrets, 'finders' | 'verify'>;
  /** Origins of the API and of the operator's door, as browsers see them. */
  readonly ownOrigins: Readonly<Record<'console' | 'operator', string>>;
};

/**
 * Finds the caller of a request without `Authorization` by the cookie of its session. Returns undefined if the
 * operation takes no sessions, or the request has no cookie and does not come from a page of this server.
 *
 * @throws SignedOut without a session that is live
 * @throws ACCESS_DENIED when the cookie is forged
 * @throws CSRF_TOKEN_INVALID when the request comes from another page, lacks the token of the session, or
 *   has the token of another one
 * @throws ACCOUNT_SUSPENDED
 */
export function authenticateBrowser(
  deps: Deps,
  headers: IncomingHttpHeaders,
  { credentials, method }: OperationPolicy,
): Promise<Caller | OperatorCaller> | undefined {
  const kind = credentials.includes('consoleSession')
    ? 'console'
    : credentials.includes('operatorSession')
      ? 'operator'
      : undefined;
  if (kind === undefined) return undefined;
  const token = parseCookies(headers.cookie).get(sessionCookieNames[kind]);
  const source = { origin: headers.origin, fetchSite: headers['sec-fetch-site'] as string | undefined };
  if (token === undefined) {
    const isSignedOut = isOwnPage(source) && !credentials.includes('session');
    return isSignedOut ? Promise.reject(new SignedOut()) : undefined;
  }
  const secret = parseBrowserToken(deps.secrets, kind, token);
  if (secret === undefined) return Promise.reject(new Refusal('ACCESS_DENIED'));
  const isForeign = !isFromOwnPage(source, deps.ownOrigins[kind]);
  const sent = sentToken(headers);
  // A page sends the token with reads too. After another sign-in in this browser it then gets nothing of that account.
  const needsToken = method !== 'get' || sent !== undefined;
  if (isForeign || (needsToken && !isCsrfTokenOf(deps.secrets, kind, secret, sent)))
    return Promise.reject(new Refusal('CSRF_TOKEN_INVALID'));
  return kind === 'console' ? authenticateConsole(deps, secret) : authenticateOperatorSession(deps, secret);
}

function sentToken(headers: IncomingHttpHeaders): string | undefined {
  const token = headers['x-cubby-csrf'];
  return typeof token === 'string' ? token : undefined;
}

/** Whether a browser says that a page of this server sends the request. Other programs do not send the header. */
function isOwnPage({ fetchSite }: FormSource): boolean {
  return fetchSite === 'same-origin';
}
