import { isLive } from '../access/api-key.ts';
import type { Caller } from '../access/caller.ts';
import { requireOpen } from '../account/closed-account.ts';
import { findByCredential } from '../find-by-credential.ts';
import { stateOf, type OperatorCaller } from '../operator/operator-key.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { BrowserSession, SessionKind } from '../sessions/browser-session.ts';
import { browserCredential } from '../sessions/session-token.ts';
import { SignedOut } from '../sessions/signed-out.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'apiKeys' | 'browserSessions' | 'operatorKeys'>;
  readonly secrets: Pick<Secrets, 'finders'>;
  readonly clock: Clock;
}

/**
 * Finds the caller of a session of the console.
 *
 * @param secret of the cookie, whose signature is valid
 * @throws SignedOut when the session or its key has ended
 * @throws ACCOUNT_SUSPENDED when an operator has suspended or deleted the account
 */
export async function authenticateConsole(deps: Deps, secret: string): Promise<Caller> {
  const session = await findLive(deps, 'console', secret);
  const { apiKeys, accounts } = deps.metadata.read;
  const key = await apiKeys.find(session.keyId);
  if (!key || !isLive(key, deps.clock.now())) throw new SignedOut();
  const account = await accounts.find(key.accountId);
  if (!account) throw new SignedOut();
  return { account: requireOpen(account), key, isSession: true, session };
}

/**
 * Finds the operator of a session.
 *
 * @param secret of the cookie, whose signature is valid
 * @throws SignedOut when the session or its key has ended
 */
export async function authenticateOperatorSession(deps: Deps, secret: string): Promise<OperatorCaller> {
  const session = await findLive(deps, 'operator', secret);
  const operatorKey = await deps.metadata.read.operatorKeys.find(session.keyId);
  if (!operatorKey || stateOf(operatorKey, deps.clock.now()) !== 'live') throw new SignedOut();
  return { operatorKey, session };
}

async function findLive(
  { metadata, secrets, clock }: Deps,
  kind: SessionKind,
  secret: string,
): Promise<BrowserSession> {
  const session = await findByCredential(secrets, browserCredential(kind, secret), (hash) =>
    metadata.read.browserSessions.findByHash(hash),
  );
  if (!session || session.expiresAt <= clock.now()) throw new SignedOut();
  return session;
}
