import { exclusiveTurns } from '#server/event-loop.ts';

/** Resolves in a turn of the event loop for a step of reading one long body. */
export const bodyTurn = exclusiveTurns();
