import { keyHolder, recordAudit } from '../audit/record-audit.ts';
import { sessionLifetimeMs } from '../limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { renewSecret } from './renew-secret.ts';
import { everyScope } from './scope.ts';
import { formatSessionToken, parseSessionToken, sessionCredential } from './session-token.ts';

interface Deps {
  readonly metadata: Metadata<'accounts' | 'apiKeys' | 'audit' | 'sessions' | 'uploadTokens'>;
  readonly secrets: Secrets;
  readonly ids: Pick<Ids, 'secretText'>;
  readonly clock: Clock;
}

const idLength = 40;

interface SignedIn {
  readonly caller: Caller;
  /** The value of the cookie. */
  readonly token: string;
}

/**
 * Signs a person in for an hour, with an API key that has full access.
 *
 * @param address the person's, for the audit log
 * @throws ACCESS_DENIED when the key is missing, malformed, unknown, revoked or expired: all look the same
 * @throws MISSING_SCOPE when it does not have full access
 */
export async function signIn(deps: Deps, credential: string | undefined, address: string): Promise<SignedIn> {
  const caller = await authenticate(deps, credential?.trim());
  if (!caller.key.scopes.includes(everyScope)) throw new Refusal('MISSING_SCOPE');
  const { secret } = caller;
  if (!secret) throw new Refusal('ACCESS_DENIED');
  const id = deps.ids.secretText(idLength);
  await deps.metadata.atomically(
    async (tx) => {
      await renewSecret(tx, caller.key.id, secret);
      await tx.sessions.add({
        hash: deps.secrets.credentialHash(sessionCredential(id)),
        keyHash: (secret.renewed ?? secret).hash,
        expiresAt: tx.now + sessionLifetimeMs,
        wrongCodes: 0,
      });
      const { id: keyId, accountId } = caller.key;
      const by = keyHolder(keyId, { sourceIp: address });
      await recordAudit(tx, { action: 'session.started', by, accountId, subject: keyId, details: {} });
    },
    { account: caller.key.accountId },
  );
  return { caller, token: formatSessionToken(deps.secrets, id) };
}

/** Ends the session of a cookie if it exists. May be called twice. */
export async function signOut(
  { metadata, secrets }: Pick<Deps, 'metadata' | 'secrets'>,
  token: string | undefined,
): Promise<void> {
  const id = parseSessionToken(secrets, token);
  if (id === undefined) return;
  await metadata.atomically(async (tx) => {
    for (const key of secrets.finders()) await tx.sessions.remove(key.credentialHash(sessionCredential(id)));
  });
}
