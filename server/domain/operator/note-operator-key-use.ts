import { noteSessionUse, noteUse } from '../access/note-key-use.ts';
import type { Clock } from '../ports/clock.ts';
import type { Writes } from '../ports/metadata.ts';
import type { OperatorCaller } from './operator-key.ts';

interface Deps {
  readonly metadata: Writes<'browserSessions' | 'operatorKeys'>;
  readonly clock: Clock;
}

/**
 * Returns a function that stores when the key of an operator was last used, and renews its hash as noteKeyUse() does.
 */
export function noteOperatorKeyUse({ metadata, clock }: Deps): (caller: OperatorCaller) => Promise<void> {
  const note = noteUse(clock, (keyId, now) =>
    metadata.atomically((tx) => tx.operatorKeys.noteUse(keyId, now), { isDurable: false }),
  );
  const noteSession = noteSessionUse({ metadata, clock });
  return async ({ operatorKey, secret, session }) => {
    const { hash, renewed } = secret ?? {};
    if (hash && renewed) await metadata.atomically((tx) => tx.operatorKeys.renewHash(operatorKey.id, hash, renewed));
    await note(operatorKey);
    if (session) await noteSession(session);
  };
}
