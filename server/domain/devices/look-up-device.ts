import type { Writes } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { withWaiting, type FoundDevice, type TypedCode } from './find-waiting.ts';

interface Deps {
  readonly metadata: Writes<'apiKeys' | 'deviceRequests' | 'sessions'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'verify'>;
}

/**
 * Finds the request that waits under a code, for the person to see who asks for what.
 *
 * @throws ACCESS_DENIED when nobody is signed in
 * @throws INVALID_USER_CODE when no request waits under the code; the fifth time ends the session
 */
export function lookUpDevice(deps: Deps, typed: TypedCode): Promise<FoundDevice> {
  return withWaiting(deps, typed, (tx, hash) => tx.deviceRequests.findPending(hash, tx.now));
}
