import { requireOpen } from '../account/closed-account.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads, Transaction } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { findByCredential } from '../find-by-credential.ts';
import { Refusal } from '../refusal.ts';
import { isLive, type ApiKey } from './api-key.ts';
import type { Caller } from './caller.ts';
import { parseSessionToken, sessionCredential } from './session-token.ts';
import type { Session } from './session.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'apiKeys' | 'sessions'>;
  readonly secrets: TokenSecrets;
  readonly clock: Clock;
}

type TokenSecrets = Pick<Secrets, 'verify' | 'finders'>;

interface SessionWithKey {
  readonly session: Session;
  readonly key: ApiKey;
}

/**
 * Finds the caller who is signed in.
 *
 * @param token the value of the cookie `cubby_session`
 * @throws ACCESS_DENIED when the cookie is missing or forged, or the session or its key has ended
 * @throws ACCOUNT_SUSPENDED when an operator has suspended or deleted the account
 */
export async function authenticateSession(
  { metadata, secrets, clock }: Deps,
  token: string | undefined,
): Promise<Caller> {
  const { key } = await findSession(metadata.read, secrets, token, clock.now());
  const account = await metadata.read.accounts.find(key.accountId);
  if (!account) throw new Refusal('ACCESS_DENIED');
  return { account: requireOpen(account), key, isSession: true };
}

/**
 * Finds the session of a cookie and its key again, in the transaction that depends on them.
 *
 * @throws ACCESS_DENIED as {@link authenticateSession} does
 */
export function requireSession(
  tx: Transaction<'apiKeys' | 'sessions'>,
  secrets: TokenSecrets,
  token: string | undefined,
): Promise<SessionWithKey> {
  return findSession(tx, secrets, token, tx.now);
}

async function findSession(
  { sessions, apiKeys }: Reads<'sessions' | 'apiKeys'>['read'],
  secrets: TokenSecrets,
  token: string | undefined,
  now: number,
): Promise<SessionWithKey> {
  const id = parseSessionToken(secrets, token);
  const find = () =>
    id === undefined ? undefined : findByCredential(secrets, sessionCredential(id), (hash) => sessions.find(hash));
  const withKey = async (session: Session | undefined) => {
    if (!session || session.expiresAt <= now) throw new Refusal('ACCESS_DENIED');
    return { session, key: await apiKeys.findByHash(session.keyHash) };
  };
  let { session, key } = await withKey(await find());
  // A rotation of the master key may have replaced the hash in both rows between the two look-ups.
  if (!key) ({ session, key } = await withKey(await find()));
  if (!key || !isLive(key, now)) throw new Refusal('ACCESS_DENIED');
  return { session, key };
}
