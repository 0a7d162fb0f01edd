/**
 * Wraps a callback of the page so that it cannot affect the upload. An error that it throws is reported like an
 * uncaught error.
 */
export function guarded<A extends readonly unknown[]>(
  callback: ((...args: A) => void) | undefined,
): (...args: A) => void {
  return (...args) => {
    try {
      callback?.(...args);
    } catch (error) {
      report(error);
    }
  };
}

function report(error: unknown): void {
  if (typeof reportError === 'function') return reportError(error);
  queueMicrotask(() => {
    throw error;
  });
}
