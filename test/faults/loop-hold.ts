import { expect } from 'vitest';

import type { SpawnedServer } from './spawned-server.ts';

/**
 * Fails when `work` makes the server hold its event loop for longer than `boundMs`. Up to three times, because the compiler and
 * other programs hold it too: what blocks by itself does so each time.
 */
export async function expectShortHolds(
  server: SpawnedServer,
  boundMs: number,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const seen: number[] = [];
  do {
    await server.watchLoop();
    await work();
    seen.push((await server.loopDelay()).maxMs);
  } while (seen.at(-1)! >= boundMs && seen.length < 3);
  console.log(`${name}: ${seen.map((ms) => ms.toFixed(1)).join(', ')} ms`);
  expect(Math.min(...seen)).toBeLessThan(boundMs);
}
