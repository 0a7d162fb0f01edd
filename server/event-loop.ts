/** Lets other requests run. Long work calls it between its steps. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Returns a function that resolves in a turn of the event loop in which it resolves for no other caller. Callers get
 * their turns in order. So steps of long work never block the loop for longer than one of them takes.
 */
export function exclusiveTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(nextTurn));
}
