import type { Clock } from '../ports/clock.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { isLive } from './api-key.ts';
import type { Caller } from './caller.ts';
import { credentialKind } from './credential.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'read'>;
  readonly secrets: Pick<Secrets, 'credentialHash'>;
  readonly clock: Clock;
}

/**
 * Finds who a credential belongs to. The look-up goes by keyed hash, so its time tells nothing about the secret.
 *
 * @throws ACCESS_DENIED when it is missing, malformed, unknown, revoked or expired: all look the same
 */
export async function authenticate({ metadata, secrets, clock }: Deps, credential: string | undefined): Promise<Caller> {
  if (credential === undefined || credentialKind(credential) !== 'apiKey') throw new Refusal('ACCESS_DENIED');
  const key = await metadata.read.apiKeys.findByHash(secrets.credentialHash(credential));
  if (!key || !isLive(key, clock.now())) throw new Refusal('ACCESS_DENIED');
  const account = await metadata.read.accounts.find(key.accountId);
  if (!account) throw new Refusal('ACCESS_DENIED');
  return { account, key };
}
