/** Gets how to close what a step has opened. */
export type OpenedSteps = Pick<AsyncDisposableStack, 'defer'>;

/**
 * Opens several things, one after the other. `close` of the result closes them, the last first, once however often it
 * is called. It goes on when one cannot be closed, and then throws the first error.
 *
 * @param onFault receives what else fails while things are closed. It is not the cause
 * @throws what a step throws, when everything before it is closed
 */
export async function openInSteps<T extends object>(
  onFault: (error: unknown) => void,
  open: (opened: OpenedSteps) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const opened = new AsyncDisposableStack();
  let closing: Promise<void> | undefined;
  try {
    return { ...(await open(opened)), close: () => (closing ??= closeAll(opened, onFault)) };
  } catch (error) {
    await closeAll(opened, onFault).catch(onFault);
    throw error;
  }
}

async function closeAll(opened: AsyncDisposableStack, onFault: (error: unknown) => void): Promise<void> {
  try {
    await opened.disposeAsync();
  } catch (error) {
    const [first, ...others] = inOrder(error);
    for (const other of others) onFault(other);
    throw first;
  }
}

/** Several errors of a stack are nested, the first one deepest. A log shows none of them. */
function inOrder(error: unknown): unknown[] {
  return error instanceof SuppressedError ? [...inOrder(error.suppressed), error.error] : [error];
}
