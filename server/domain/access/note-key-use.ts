import type { Clock } from '../ports/clock.ts';
import type { Writes } from '../ports/metadata.ts';
import type { Caller } from './caller.ts';

interface Deps {
  readonly metadata: Writes<'apiKeys'>;
  readonly clock: Clock;
}

/** The last use of a key is kept to the minute: a row a minute and key, not one a request. */
const precisionMs = 60_000;

/** Remembers when a key was last used. */
export function noteKeyUse({ metadata, clock }: Deps): (caller: Caller) => Promise<void> {
  const noted = new Map<string, number>();
  return async ({ key, token }) => {
    // Its token does not say that anybody holds the key itself.
    if (token) return;
    const now = clock.now();
    const last = Math.max(key.lastUsedAt ?? 0, noted.get(key.id) ?? 0);
    if (now - last < precisionMs) return;
    noted.set(key.id, now);
    // Not worth a sync of the disk: after a power cut it is a minute older.
    await metadata.atomically((tx) => tx.apiKeys.noteUse(key.id, now), { isLasting: false });
  };
}
