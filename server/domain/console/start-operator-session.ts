import { recordAudit } from '../audit/record-audit.ts';
import { browserSessionMs, maxBrowserSessions } from '../limits.ts';
import { authenticateOperator } from '../operator/authenticate-operator.ts';
import { stateOf, type OperatorKey } from '../operator/operator-key.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { newSession, type Browser, type StartedSession } from './start-session.ts';

interface Deps {
  readonly metadata: Metadata<'audit' | 'browserSessions' | 'operatorKeys'>;
  readonly secrets: Secrets;
  readonly ids: Pick<Ids, 'opaqueId' | 'secretText'>;
  readonly clock: Clock;
}

/**
 * Exchanges an operator key for a session. If the key has too many, the oldest ends.
 *
 * @throws ACCESS_DENIED when the key is malformed, of another kind, unknown, revoked or expired: all look the same
 */
export async function startOperatorSession(
  deps: Deps,
  { credential, ...browser }: Browser & { readonly credential: string },
): Promise<StartedSession & { readonly key: OperatorKey }> {
  const { operatorKey } = await authenticateOperator(deps, credential.trim());
  const { id } = operatorKey;
  const started = await deps.metadata.atomically(async (tx) => {
    // This locks the row of the key, so that sign-ins at the same time count each other.
    await tx.operatorKeys.noteUse(id, tx.now);
    const key = await tx.operatorKeys.find(id);
    if (!key || stateOf(key, tx.now) !== 'live') throw new Refusal('ACCESS_DENIED');
    const made = newSession(deps, 'operator', {
      accountId: null,
      key,
      now: tx.now,
      lifetimeMs: browserSessionMs,
      browser,
    });
    await tx.browserSessions.removeSurplus({ keyId: id }, maxBrowserSessions, tx.now);
    await tx.browserSessions.add(made.session, made.hash);
    const by = { kind: 'operator_key', id, address: browser.sourceIp } as const;
    const details = { session: made.session.id };
    await recordAudit(tx, { action: 'session.started', by, accountId: null, subject: id, details });
    return made;
  });
  return { ...started, key: operatorKey };
}
