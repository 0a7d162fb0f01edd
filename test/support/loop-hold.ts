import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long some work holds the event loop at its best of three times, in milliseconds: the compiler and other programs
 * hold it too, and what blocks by itself does so each time.
 */
export async function shortestHoldMs(work: () => Promise<unknown>, resolutionMs = 1): Promise<number> {
  let shortest = Infinity;
  for (let time = 0; time < 3; time++) {
    const delay = monitorEventLoopDelay({ resolution: resolutionMs });
    delay.enable();
    await work();
    // What has held the loop until now is seen when the next timer fires.
    await sleep(5 * resolutionMs);
    delay.disable();
    shortest = Math.min(shortest, delay.max / 1e6);
  }
  return shortest;
}
