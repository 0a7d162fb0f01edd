/** Returns a signal that aborts when the client goes away, or with a `TimeoutError` when the time is over. */
export function stopSignal(client: AbortSignal, deadlineMs: number): { readonly signal: AbortSignal; done(): void } {
  const stop = new AbortController();
  const onGone = () => stop.abort(client.reason);
  if (client.aborted) onGone();
  client.addEventListener('abort', onGone);
  const timer = setTimeout(
    () => stop.abort(new DOMException(`The answer took over ${deadlineMs} ms.`, 'TimeoutError')),
    deadlineMs,
  );
  return {
    signal: stop.signal,
    done() {
      clearTimeout(timer);
      client.removeEventListener('abort', onGone);
    },
  };
}
