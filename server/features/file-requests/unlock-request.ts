import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { passFor, type CheckDeps } from '#server/features/shares/check-password.ts';
import { stateOf, stateRefusals } from './file-request.ts';
import { findRequest, lockOf } from './visit-request.ts';

interface Deps extends CheckDeps {
  readonly metadata: Reads<'accounts' | 'fileRequests' | 'rules'>;
  readonly secrets: Pick<Secrets, 'finders' | 'sign' | 'verify'>;
}

interface UnlockRequest {
  readonly link: string;
  readonly password: string;
  /** The client's address as it is counted. */
  readonly address: string;
}

/**
 * Refuses a request that no password opens, before one is sent. It takes the time of a try.
 *
 * @throws the errors of {@link unlockRequest}
 */
export async function requireUnlockable(deps: Deps, entry: Omit<UnlockRequest, 'password'>): Promise<void> {
  const request = (await findRequest(deps, entry.link))?.request;
  if (!request || stateRefusals[stateOf(request, deps.clock.now())] !== undefined)
    await unlockRequest(deps, { ...entry, password: '' });
}

/**
 * Checks the password of a request. Returns a pass that opens its page from then on, or undefined for a request without
 * a password. A try takes the same time for an unknown request, an ended one and a wrong password.
 *
 * @throws FILE_REQUEST_PASSWORD_REQUIRED when it is wrong
 * @throws FILE_REQUEST_NOT_FOUND, FILE_REQUEST_CLOSED, FILE_REQUEST_EXPIRED
 * @throws RATE_LIMITED after too many wrong passwords
 * @throws SERVER_OVERLOADED while too many are being checked
 */
export async function unlockRequest(
  deps: Deps,
  { link, password, address }: UnlockRequest,
): Promise<string | undefined> {
  const request = (await findRequest(deps, link))?.request;
  const ended = request ? stateRefusals[stateOf(request, deps.clock.now())] : 'FILE_REQUEST_NOT_FOUND';
  if (request && ended === undefined && request.passwordHash === null) return undefined;
  const lock = request && { ...lockOf(request), accountId: request.accountId };
  return passFor(deps, lock, { password, address, ended, wrong: 'FILE_REQUEST_PASSWORD_REQUIRED' });
}
