import type { IncomingHttpHeaders } from 'node:http';

import type { OperationPolicy } from '#generated/policies.ts';
import { authenticateSession } from '#server/domain/access/authenticate-session.ts';
import { authenticate } from '#server/domain/access/authenticate.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { authenticateOperator } from '#server/domain/operator/authenticate-operator.ts';
import type { OperatorCaller } from '#server/domain/operator/operator-key.ts';
import { credentialOf } from '#server/domain/access/credential.ts';
import { parseCookies } from '#server/http/cookies.ts';

type Deps = Parameters<typeof authenticate>[0] &
  Parameters<typeof authenticateSession>[0] &
  Parameters<typeof authenticateOperator>[0];

/**
 * Finds the caller of an operation by its `Authorization` header, or by `X-Api-Key` if the operation accepts it. A request without one is authenticated by its session
 * cookie, if the operation accepts sessions. The S3 gateway has its own: `s3/signature/authenticate.ts`.
 *
 * @throws ACCESS_DENIED
 * @throws ACCOUNT_SUSPENDED
 * @throws UPLOAD_TOKEN_USED when the request needs a use of an upload token that has none left
 */
export function authenticateOperation(
  deps: Deps,
  { authorization, cookie, 'x-api-key': keyHeader }: IncomingHttpHeaders,
  { credentials, uploadToken }: OperationPolicy,
): Promise<Caller | OperatorCaller> {
  if (credentials.includes('operatorKey')) return authenticateOperator(deps, credentialOf(authorization));
  if (credentials.includes('keyHeader') && authorization === undefined && typeof keyHeader === 'string')
    return authenticate(deps, credentialOf(keyHeader), uploadToken ?? 'other');
  return credentials.includes('session') && authorization === undefined
    ? authenticateSession(deps, parseCookies(cookie).get('cubby_session'))
    : authenticate(deps, credentialOf(authorization), uploadToken ?? 'other');
}
