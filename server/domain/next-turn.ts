/** Lets other requests in: work that takes long in one go would keep them all waiting. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
