import { setTimeout as sleep } from 'node:timers/promises';

import { watchHolds } from '#test/faults/watch-holds.ts';

/**
 * How long some work holds the event loop at its best of three times, in milliseconds, without the time in which another
 * program had the processor: the compiler holds it too, and what blocks by itself does so each time.
 */
export async function shortestHoldMs(work: () => Promise<unknown>): Promise<number> {
  const holds = watchHolds(1);
  let shortest = Infinity;
  for (let time = 0; time < 3; time++) {
    holds.begin();
    await work();
    // What has held the loop until now is seen when the next timer fires.
    await sleep(5);
    shortest = Math.min(shortest, holds.end());
  }
  return shortest;
}
