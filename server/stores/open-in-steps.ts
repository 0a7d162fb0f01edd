/** Gets how to close what a step has opened. */
export type OpenedSteps = Pick<AsyncDisposableStack, 'defer'>;

/**
 * Opens several things, one after the other. `close` of the result closes them, the last first. It goes on when one
 * cannot be closed, and then throws.
 *
 * @param onFault receives what fails while the steps before a failed one are closed. It is not the cause
 * @throws what a step throws, when everything before it is closed
 */
export async function openInSteps<T extends object>(
  onFault: (error: unknown) => void,
  open: (opened: OpenedSteps) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const opened = new AsyncDisposableStack();
  try {
    return { ...(await open(opened)), close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync().catch(onFault);
    throw error;
  }
}
