let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a turn of the event loop in which nobody else's does: pieces of long work that come at once hold it no
 * longer than one does.
 */
export function ownTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}
