import { noteUse } from '../access/note-key-use.ts';
import type { Clock } from '../ports/clock.ts';
import type { Writes } from '../ports/metadata.ts';
import type { OperatorCaller } from './operator-key.ts';

interface Deps {
  readonly metadata: Writes<'operatorKeys'>;
  readonly clock: Clock;
}

/** Returns a function that stores when the key of an operator was last used. */
export function noteOperatorKeyUse({ metadata, clock }: Deps): (caller: OperatorCaller) => Promise<void> {
  const note = noteUse(clock, (keyId, now) =>
    metadata.atomically((tx) => tx.operatorKeys.noteUse(keyId, now), { isDurable: false }),
  );
  return ({ operatorKey }) => note(operatorKey);
}
