import { credentialKind } from '../access/credential.ts';
import { sentSecret } from '../access/renew-secret.ts';
import { findByCredential } from '../find-by-credential.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { stateOf, type OperatorCaller } from './operator-key.ts';

interface Deps {
  readonly metadata: Reads<'operatorKeys'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'finders' | 'keyNumber'>;
  readonly clock: Clock;
}

/**
 * Finds the operator that a credential belongs to. It is looked up by keyed hash, so the response time reveals nothing
 * about a secret.
 *
 * @throws ACCESS_DENIED when it is missing, of another kind, unknown, revoked or expired: all look the same
 */
export async function authenticateOperator(
  { metadata, secrets, clock }: Deps,
  credential: string | undefined,
): Promise<OperatorCaller> {
  const refusal = new Refusal('ACCESS_DENIED', {
    message:
      'No valid operator key came with this request. Send one that "cubby operator key create" made in the ' +
      'Authorization header, bare or after "Bearer ".',
  });
  if (credential === undefined || credentialKind(credential) !== 'operatorKey') throw refusal;
  const found = await findByCredential(secrets, credential, async (hash, { keyNumber }) => {
    const operatorKey = await metadata.read.operatorKeys.findByHash(hash);
    return operatorKey && { operatorKey, secret: sentSecret(secrets, credential, hash, keyNumber) };
  });
  if (!found || stateOf(found.operatorKey, clock.now()) !== 'live') throw refusal;
  return found;
}
