/** Lets other requests run. Long work calls it between its steps. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
