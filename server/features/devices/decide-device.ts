import { requireOneMoreKey } from '#server/domain/access/live-key.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { cleanUserAgent } from '#server/domain/activity/record-activity.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { withWaiting, type FoundDevice, type TypedCode } from './find-waiting.ts';

interface Deps {
  readonly metadata: Writes<'apiKeys' | 'deviceRequests' | 'sessions'>;
  readonly secrets: Pick<Secrets, 'finders' | 'verify'>;
}

interface DecideDevice extends TypedCode {
  readonly event: 'approve' | 'refuse';
  /** The person at the page. */
  readonly actor: Actor;
}

/**
 * Approves or refuses the pending request of a user code. The decision is final. The key of an approved request is
 * created when the client fetches it.
 *
 * @throws ACCESS_DENIED when nobody is signed in
 * @throws INVALID_USER_CODE when no request with this code is pending. The fifth time ends the session
 * @throws APIKEY_LIMIT_REACHED when the account has ten live keys. Nothing is decided then
 */
export function decideDevice(deps: Deps, { event, actor, ...typed }: DecideDevice): Promise<FoundDevice> {
  // Cut here, because it is stored with the request until the client fetches the key.
  const person = { ...actor, userAgent: cleanUserAgent(actor.userAgent) };
  return withWaiting(deps, typed, async (tx, hash, { id: keyId, accountId }) => {
    const decided = await tx.deviceRequests.decide(hash, event, { accountId, keyId, actor: person }, tx.now);
    if (decided && event === 'approve') await requireOneMoreKey(tx, accountId);
    return decided;
  });
}
