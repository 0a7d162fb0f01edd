/**
 * Returns the next chunk of a source. Rejects with the signal's reason as soon as it is aborted, even while the source
 * hangs. It adds one listener for each chunk, because a race against one long-lived promise would keep every chunk in
 * memory.
 */
export function nextOrAbort<T>(
  iterator: AsyncIterator<T>,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<T>> {
  if (signal === undefined) return iterator.next();
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => reject(signal.reason);
    const done = () => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { once: true });
    iterator.next().then(resolve, reject).finally(done);
  });
}

/** Closes a source that is not read to its end. Not awaited, because a source that hangs may never settle. */
export function release(iterator: AsyncIterator<unknown>): void {
  void (async () => iterator.return?.())().catch(() => {});
}
