/**
 * A callback of the page that cannot decide how an upload ends: what it throws is reported as the platform reports what
 * nobody caught, and the upload goes on.
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
