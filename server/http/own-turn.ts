let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a turn of the event loop in which no other call resolves. So pieces of long work never block the loop for
 * longer than one of them takes.
 */
export function ownTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}
