import { noteUse } from '../access/note-key-use.ts';
import type { Clock } from '../ports/clock.ts';
import type { Writes } from '../ports/metadata.ts';
import type { OperatorCaller } from './operator-key.ts';

interface Deps {
  readonly metadata: Writes<'operatorKeys'>;
  readonly clock: Clock;
}

/** Returns a function that stores when the key of an operator was last used, and renews its hash as noteKeyUse() does. */
export function noteOperatorKeyUse({ metadata, clock }: Deps): (caller: OperatorCaller) => Promise<void> {
  const note = noteUse(clock, (keyId, now) =>
    metadata.atomically((tx) => tx.operatorKeys.noteUse(keyId, now), { isDurable: false }),
  );
  return async ({ operatorKey, secret: { hash, renewed } }) => {
    if (renewed) await metadata.atomically((tx) => tx.operatorKeys.renewHash(operatorKey.id, hash, renewed));
    await note(operatorKey);
  };
}
