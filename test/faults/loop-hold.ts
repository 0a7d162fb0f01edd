import { expect } from 'vitest';

import type { SpawnedServer } from './spawned-server.ts';

/**
 * Fails if `work` makes the server block its event loop for longer than `boundMs`, without the time of other programs.
 * `computedMs` counts what the main thread computes in one turn, and not how long it waits for others. It tries up to
 * three times, because the compiler blocks the loop too, while a real block happens each time.
 */
export async function expectShortHolds(
  server: SpawnedServer,
  boundMs: number,
  name: string,
  work: () => Promise<unknown>,
  measure: 'heldMs' | 'computedMs' = 'heldMs',
): Promise<void> {
  const seen: number[] = [];
  do {
    await server.watchLoop();
    await work();
    seen.push((await server.loopDelay())[measure]);
  } while (seen.at(-1)! >= boundMs && seen.length < 3);
  console.log(`${name}: ${seen.map((ms) => ms.toFixed(1)).join(', ')} ms`);
  expect(Math.min(...seen)).toBeLessThan(boundMs);
}
