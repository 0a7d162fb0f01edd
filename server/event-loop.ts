/** Lets other requests run. Long work calls it between its steps. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Returns a function that resolves in a turn of the event loop in which it resolves for no other caller. Callers get
 * their turns in order. So steps of long work never block the loop for longer than one of them takes.
 */
export function exclusiveTurns(): () => Promise<void> {
  const line = oneAfterAnother();
  return () => line(nextTurn);
}

/** Returns a function that begins each work when those before it have ended. The work must not throw. */
export function oneAfterAnother(): (work: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve();
  return (work) => (last = last.then(work));
}
