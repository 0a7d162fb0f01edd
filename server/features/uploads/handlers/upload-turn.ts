import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { findSerial } from '../serial-state.ts';
import type { UploadTurn, UploadTurns } from '../upload-turns.ts';

interface Deps {
  readonly turns: UploadTurns;
  readonly clock: Clock;
}

/** Runs `act` once no other request of this process writes to the upload. */
export async function withTurn<T>(
  { turns, clock }: Deps,
  lookup: UploadLookup,
  act: (turn: UploadTurn) => Promise<T>,
  event: 'status' | 'abort' = 'status',
): Promise<T> {
  const turn = await turns.take((await findSerial(lookup, clock, event)).id);
  try {
    return await act(turn);
  } finally {
    turn.end();
  }
}
