import type { ApiKey } from '#server/domain/access/api-key.ts';
import { requireSession } from '#server/domain/access/authenticate-session.ts';
import { maxWrongCodes } from './limits.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { findByCredential } from '#server/domain/find-by-credential.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { parseUserCode, userCredential } from './device-codes.ts';
import type { DeviceRequest } from './device-request.ts';

interface Deps {
  readonly metadata: Writes<Names>;
  readonly secrets: Pick<Secrets, 'finders' | 'verify'>;
}

/** A code, as the person of a session typed it. */
export interface TypedCode {
  readonly sessionToken: string | undefined;
  readonly userCode: string;
}

/** A request that a code has found. */
export interface FoundDevice {
  /** As the client shows it, not as it was typed. */
  readonly userCode: string;
  readonly request: DeviceRequest;
}

type Names = 'apiKeys' | 'deviceRequests' | 'sessions';

type Attempt = (tx: Transaction<Names>, userCodeHash: Uint8Array, key: ApiKey) => Promise<DeviceRequest | undefined>;

/**
 * Runs an attempt with the hash of a typed code. A wrong code is counted in the same transaction, so that parallel
 * calls cannot make more than five attempts.
 *
 * @throws ACCESS_DENIED when nobody is signed in
 * @throws INVALID_USER_CODE when no request with this code is pending. The fifth time ends the session
 */
export async function withWaiting(
  { metadata, secrets }: Deps,
  { sessionToken, userCode }: TypedCode,
  attempt: Attempt,
): Promise<FoundDevice> {
  const parsed = parseUserCode(userCode);
  // A refusal inside the transaction would undo the count.
  const outcome = await metadata.atomically(async (tx) => {
    const { session, key } = await requireSession(tx, secrets, sessionToken);
    const request =
      parsed === undefined
        ? undefined
        : await findByCredential(secrets, userCredential(parsed), (hash) => attempt(tx, hash, key));
    if (request) return { request, wrongCodes: 0 };
    const wrongCodes = await tx.sessions.countWrongCode(session.hash);
    if (wrongCodes >= maxWrongCodes) await tx.sessions.remove(session.hash);
    return { request, wrongCodes };
  });
  if (parsed !== undefined && outcome.request) return { userCode: parsed, request: outcome.request };
  const isOver = outcome.wrongCodes >= maxWrongCodes;
  throw new Refusal(
    'INVALID_USER_CODE',
    isOver
      ? {
          message:
            'No request waits under that code. It was the fifth wrong one, so you were signed out. Compare the ' +
            'code with the screen of your device, and sign in again.',
        }
      : {},
  );
}
