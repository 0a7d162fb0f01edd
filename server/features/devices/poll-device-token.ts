import type { OauthCode } from '#generated/errors.ts';
import { addKey, type CreatedKey } from '#server/domain/access/create-key.ts';
import { deviceKeyLifetimeMs, deviceSlowDownMs } from './limits.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { findByCredential } from '#server/domain/find-by-credential.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { deviceCredential } from './device-codes.ts';
import { stateAt, type DeviceState } from './device-request.ts';

interface Deps {
  readonly metadata: Writes<'activity' | 'apiKeys' | 'audit' | 'deviceRequests' | 'events'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'finders' | 'keyNumber'>;
  readonly ids: Ids;
}

/** The error that a client gets in each state. @see RFC 8628, section 3.5 */
const answers: Readonly<Record<Exclude<DeviceState, 'approved'>, OauthCode>> = {
  pending: 'authorization_pending',
  refused: 'access_denied',
  spent: 'invalid_grant',
  expired: 'expired_token',
};

/**
 * Returns the client's key once a person has approved. One transaction takes the approval and creates the key, so only
 * one of several parallel calls gets it.
 *
 * @throws authorization_pending while nobody has decided, and while an approved request waits because the account has
 *   ten live keys
 * @throws slow_down when the client asks before its interval has passed. The interval then grows by 5 seconds
 * @throws access_denied when the person refused, or the key they signed in with has ended
 * @throws expired_token when nobody decided, or the client did not ask, within 15 minutes
 * @throws invalid_grant when the code is unknown or its key was fetched
 */
export async function pollDeviceToken(deps: Deps, deviceCode: string): Promise<CreatedKey> {
  // A refusal inside the transaction would undo the record of this poll.
  const outcome = await deps.metadata
    .atomically((tx) =>
      findByCredential(
        deps.secrets,
        deviceCredential(deviceCode),
        async (hash) => (await fetchKey(tx, deps, hash)) ?? (await noAnswer(tx, hash)),
      ),
    )
    .catch(refuseInOauth);
  if (outcome === undefined) throw new Refusal('invalid_grant');
  if (typeof outcome === 'string') throw new Refusal(outcome);
  return outcome;
}

async function fetchKey(
  tx: Transaction<'activity' | 'apiKeys' | 'audit' | 'deviceRequests' | 'events'>,
  deps: Deps,
  hash: Uint8Array,
): Promise<CreatedKey | undefined> {
  const approved = await tx.deviceRequests.spend(hash, tx.now);
  if (!approved?.decision) return undefined;
  const { accountId, keyId, actor } = approved.decision;
  return addKey(tx, deps, {
    accountId,
    name: approved.clientName,
    scopes: approved.scopes,
    lifetimeMs: deviceKeyLifetimeMs,
    asker: { keyId, actor },
  });
}

/** Returns undefined if no request has the code. */
async function noAnswer(tx: Transaction<'deviceRequests'>, hash: Uint8Array): Promise<OauthCode | undefined> {
  const request = await tx.deviceRequests.findByDeviceCode(hash);
  if (!request) return undefined;
  const state = stateAt(request, tx.now);
  if (state === 'approved') throw new Error('An approval that is there was not taken.');
  if (state === 'pending' && (await tx.deviceRequests.notePoll(hash, tx.now, deviceSlowDownMs)) === 'too-soon')
    return 'slow_down';
  return answers[state];
}

/** Turns a refusal that undid the creation of the key, and so the use of the approval, into an OAuth error. */
function refuseInOauth(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  if (error.code === 'APIKEY_LIMIT_REACHED') {
    throw new Refusal('authorization_pending', {
      message:
        'This request was approved, but the account has ten live keys. Revoke one, and ask again after the interval.',
    });
  }
  if (error.code === 'ACCESS_DENIED') {
    throw new Refusal('access_denied', {
      message: 'The API key with which this request was approved has ended. Ask for a new code.',
    });
  }
  throw error;
}
