import type { OperationPolicy } from '#generated/policies.ts';
import { authenticateSession } from '#server/domain/access/authenticate-session.ts';
import { authenticate } from '#server/domain/access/authenticate.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { credentialOf } from '#server/domain/access/credential.ts';

type Deps = Parameters<typeof authenticate>[0] & Parameters<typeof authenticateSession>[0];

/**
 * Finds the caller of an operation. A request without `Authorization` is authenticated by its session cookie, if the
 * operation accepts sessions.
 *
 * @throws ACCESS_DENIED
 * @throws UPLOAD_TOKEN_USED when the request needs a use of an upload token that has none left
 */
export function authenticateOperation(
  deps: Deps,
  authorization: string | undefined,
  { credentials, uploadToken }: OperationPolicy,
  cookies: ReadonlyMap<string, string>,
): Promise<Caller> {
  return credentials.includes('session') && authorization === undefined
    ? authenticateSession(deps, cookies.get('cubby_session'))
    : authenticate(deps, credentialOf(authorization), uploadToken ?? 'other');
}
