/** Lets other requests run. Long work calls it between its steps. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits for a time, or until the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
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
