import { vi } from 'vitest';

/**
 * Resolves once `check` throws no more. It waits for an event and not for a time, so it is patient: a busy machine may
 * take seconds.
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 15_000, interval: 10 });
}
