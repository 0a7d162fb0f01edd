import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { withWaiting, type FoundDevice, type TypedCode } from './find-waiting.ts';

interface Deps {
  readonly metadata: Writes<'apiKeys' | 'deviceRequests' | 'sessions'>;
  readonly secrets: Pick<Secrets, 'finders' | 'verify'>;
}

/**
 * Finds the pending request of a user code, to show its client and the scopes that it asks for.
 *
 * @throws ACCESS_DENIED when nobody is signed in
 * @throws INVALID_USER_CODE when no request with this code is pending. The fifth time ends the session
 */
export function lookUpDevice(deps: Deps, typed: TypedCode): Promise<FoundDevice> {
  return withWaiting(deps, typed, (tx, hash) => tx.deviceRequests.findPending(hash, tx.now));
}
