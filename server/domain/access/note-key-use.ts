import { LRUCache } from 'lru-cache';

import { atMost } from '../at-most.ts';
import type { Clock } from '../ports/clock.ts';
import type { Writes } from '../ports/metadata.ts';
import type { BrowserSession } from '../sessions/browser-session.ts';
import type { Caller } from './caller.ts';
import { renewSecret } from './renew-secret.ts';

interface Deps {
  readonly metadata: Writes<'apiKeys' | 'browserSessions'>;
  readonly clock: Clock;
}

/** The last use of a key is stored to the minute, so a busy key is written once a minute. */
const precisionMs = 60_000;

/**
 * Returns a function that stores when a key was last used, at most once a minute.
 *
 * @param store stores it. Not worth a sync of the disk: a power cut loses at most the last minute
 */
export function noteUse(
  clock: Clock,
  store: (keyId: string, now: number) => Promise<void>,
): (key: { readonly id: string; readonly lastUsedAt: number | null }) => Promise<void> {
  // When the last use of each key was written. The row that a caller carries may be older.
  const noted = new LRUCache<string, number>(atMost(10_000));
  return async (key) => {
    const now = clock.now();
    const last = Math.max(key.lastUsedAt ?? 0, noted.get(key.id) ?? 0);
    if (now - last < precisionMs) return;
    noted.set(key.id, now);
    await store(key.id, now);
  };
}

/** Returns a function that stores when a session of a browser was last used, at most once a minute. */
export function noteSessionUse({
  metadata,
  clock,
}: {
  readonly metadata: Writes<'browserSessions'>;
  readonly clock: Clock;
}): (session: BrowserSession) => Promise<void> {
  return noteUse(clock, (sessionId, now) =>
    metadata.atomically((tx) => tx.browserSessions.noteUse(sessionId, now), { isDurable: false }),
  );
}

/**
 * Returns a function that stores when the key of a caller was last used. A secret that is stored under a former master
 * key is stored under the current one.
 */
export function noteKeyUse({ metadata, clock }: Deps): (caller: Caller) => Promise<void> {
  const note = noteUse(clock, (keyId, now) =>
    metadata.atomically((tx) => tx.apiKeys.noteUse(keyId, now), { isDurable: false }),
  );
  const noteSession = noteSessionUse({ metadata, clock });
  // A request with an upload token does not show that anybody has the key itself.
  return async ({ key, token, secret, session }) => {
    if (secret?.renewed) await metadata.atomically((tx) => renewSecret(tx, key.id, secret));
    if (!token) await note(key);
    if (session) await noteSession(session);
  };
}
