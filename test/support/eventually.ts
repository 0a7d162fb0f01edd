import { vi } from 'vitest';

/**
 * Resolves once `check` no longer throws. Vitest's own waits end after a second, which is too short for a busy machine.
 *
 * @param timeoutMs default: half a minute
 */
export function eventually<T>(check: () => T | Promise<T>, timeoutMs = 30_000): Promise<T> {
  return vi.waitFor(check, { timeout: timeoutMs, interval: 10 });
}
