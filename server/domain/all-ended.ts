/** Waits for all of them, also if some fail. @throws the first error, after that */
export async function allEnded(ends: ReadonlyArray<Promise<unknown>>): Promise<void> {
  for (const end of await Promise.allSettled(ends)) if (end.status === 'rejected') throw end.reason;
}
