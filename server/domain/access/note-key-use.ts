import { LRUCache } from 'lru-cache';

import type { Clock } from '../ports/clock.ts';
import type { Writes } from '../ports/metadata.ts';
import type { Caller } from './caller.ts';

interface Deps {
  readonly metadata: Writes<'apiKeys'>;
  readonly clock: Clock;
}

/** The last use of a key is stored to the minute, so a busy key is written once a minute. */
const precisionMs = 60_000;

/** Returns a function that stores when a key was last used. */
export function noteKeyUse({ metadata, clock }: Deps): (caller: Caller) => Promise<void> {
  // When the last use of each key was written. The row that a caller carries may be older.
  const noted = new LRUCache<string, number>({ max: 10_000 });
  return async ({ key, token }) => {
    // A request with an upload token does not show that anybody has the key itself.
    if (token) return;
    const now = clock.now();
    const last = Math.max(key.lastUsedAt ?? 0, noted.get(key.id) ?? 0);
    if (now - last < precisionMs) return;
    noted.set(key.id, now);
    // Not worth a sync of the disk: a power cut loses at most the last minute.
    await metadata.atomically((tx) => tx.apiKeys.noteUse(key.id, now), { isDurable: false });
  };
}
