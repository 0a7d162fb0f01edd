import type { Writes } from '../ports/metadata.ts';

/** Lets automatic deletion continue after a jump of the clock. Returns whether it was waiting. */
export function confirmClock({ metadata }: { readonly metadata: Writes<'clockJump'> }): Promise<boolean> {
  return metadata.atomically((tx) => tx.clockJump.clear());
}
