import type { IncomingHttpHeaders } from 'node:http';

import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import { authenticateSession } from '#server/domain/access/authenticate-session.ts';
import { authenticate } from '#server/domain/access/authenticate.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { authenticateOperator } from '#server/domain/operator/authenticate-operator.ts';
import type { OperatorCaller } from '#server/domain/operator/operator-key.ts';
import { credentialOf } from '#server/domain/access/credential.ts';
import { parseCookies } from '#server/http/cookies.ts';
import { authenticateBrowser } from './authenticate-browser.ts';

type Deps = Parameters<typeof authenticate>[0] &
  Parameters<typeof authenticateSession>[0] &
  Parameters<typeof authenticateOperator>[0] &
  Parameters<typeof authenticateBrowser>[0];

/**
 * Finds the caller of an operation by its `Authorization` header, or by `X-Api-Key` if the operation accepts it. A
 * request without one is authenticated by the cookie of its session: that of the console, or that of the approval page
 * if the operation accepts it. The S3 gateway has its own: `s3/signature/authenticate.ts`.
 *
 * @throws ACCESS_DENIED
 * @throws ACCOUNT_SUSPENDED
 * @throws CSRF_TOKEN_INVALID
 * @throws UPLOAD_TOKEN_USED when the request needs a use of an upload token that has none left
 */
export function authenticateOperation(
  deps: Deps,
  headers: IncomingHttpHeaders,
  policy: OperationPolicy,
): Promise<Caller | OperatorCaller> {
  const { credentials, uploadToken } = policy;
  const { authorization, 'x-api-key': keyHeader } = headers;
  if (authorization === undefined) {
    if (credentials.includes('keyHeader') && typeof keyHeader === 'string')
      return authenticate(deps, credentialOf(keyHeader), uploadToken ?? 'other');
    const browser = authenticateBrowser(deps, headers, policy);
    if (browser) return browser;
    if (credentials.includes('session'))
      return authenticateSession(deps, parseCookies(headers.cookie).get('cubby_session'));
  }
  return credentials.includes('operatorKey')
    ? authenticateOperator(deps, credentialOf(authorization))
    : authenticate(deps, credentialOf(authorization), uploadToken ?? 'other');
}
