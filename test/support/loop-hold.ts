import { setTimeout as sleep } from 'node:timers/promises';

import { watchHolds } from '#test/faults/watch-holds.ts';

/** Most requests hold the event loop for less. */
const boundMs = 50;

/**
 * Returns the shortest of three times that some work holds the event loop, in milliseconds, without the time of other
 * programs. The compiler holds the loop too, but only at first, and a busy disk holds it now and then. Code that blocks
 * holds it each time, so three more follow if all were too long.
 */
export async function shortestHoldMs(work: () => Promise<unknown>): Promise<number> {
  const holds = watchHolds(1);
  let shortest = Infinity;
  for (let time = 0; time < 3 || (shortest >= boundMs && time < 6); time++) {
    holds.begin();
    await work();
    // A hold until now is measured only when the next timer fires.
    await sleep(5);
    shortest = Math.min(shortest, holds.end());
  }
  return shortest;
}
