import type { Writes } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';

interface EndSession {
  readonly sessionId: string;
  /** Null at the operator's door. */
  readonly accountId: string | null;
}

/**
 * Ends a session, from the next request on.
 *
 * @throws SESSION_NOT_FOUND when it is unknown, another account's or over: all look the same
 */
export async function endSession(
  { metadata }: { readonly metadata: Writes<'browserSessions'> },
  { sessionId, accountId }: EndSession,
): Promise<void> {
  const hasEnded = await metadata.atomically((tx) => tx.browserSessions.end(sessionId, accountId, tx.now));
  if (!hasEnded) throw new Refusal('SESSION_NOT_FOUND');
}
