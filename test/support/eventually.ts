import { vi } from 'vitest';

/** Resolves once `check` no longer throws. The timeout is long, because a busy machine may take seconds. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 15_000, interval: 10 });
}
