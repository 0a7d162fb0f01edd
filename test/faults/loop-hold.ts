import { expect } from 'vitest';

import type { SpawnedServer } from './spawned-server.ts';

/**
 * Fails when `work` makes the server hold its event loop for longer than `boundMs`, other programs aside. Up to three
 * times, because the compiler holds it too: what blocks by itself does so each time.
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
    seen.push((await server.loopDelay()).heldMs);
  } while (seen.at(-1)! >= boundMs && seen.length < 3);
  console.log(`${name}: ${seen.map((ms) => ms.toFixed(1)).join(', ')} ms`);
  expect(Math.min(...seen)).toBeLessThan(boundMs);
}
