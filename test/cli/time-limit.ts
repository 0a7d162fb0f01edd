import { onTestFinished, vi } from 'vitest';

/**
 * Lets a time limit pass when the test says so, and not by the clock.
 *
 * @param limitMs the limit to replace, of those that `AbortSignal.timeout()` makes from now on
 */
export function timeLimit(limitMs: number): { pass(): void } {
  const limit = new AbortController();
  const real = AbortSignal.timeout.bind(AbortSignal);
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (ms === limitMs ? limit.signal : real(ms)));
  onTestFinished(() => spy.mockRestore());
  return { pass: () => limit.abort(new DOMException('The time is over.', 'TimeoutError')) };
}
