import { openSync, readSync } from 'node:fs';

/** Measures how long the event loop is blocked. */
export interface HoldWatch {
  begin(): void;
  /** Returns the longest block since `begin()`, in milliseconds. */
  end(): number;
  /**
   * Returns the longest time since `begin()` that the main thread computed between two timers, in milliseconds. It is
   * the same however busy the machine is, also in a container with a quota of the processor. Linux only, elsewhere 0.
   */
  longestComputedMs(): number;
}

/**
 * Compares the time between two timers with the interval that was set. It subtracts the time that the main thread
 * waited for a processor, so a busy machine looks like an idle one. Blocking on a disk or a lock still counts.
 */
export function watchHolds(intervalMs: number): HoldWatch {
  const times = openThreadTimes();
  let timer: NodeJS.Timeout | undefined;
  let longestMs = 0;
  let computedMs = 0;
  let before = { nowMs: 0, ...times() };
  const look = () => {
    const now = { nowMs: performance.now(), ...times() };
    computedMs = Math.max(computedMs, now.computedMs - before.computedMs);
    longestMs = Math.max(longestMs, now.nowMs - before.nowMs - (now.waitedMs - before.waitedMs) - intervalMs);
    before = now;
  };
  return {
    begin() {
      longestMs = 0;
      computedMs = 0;
      before = { nowMs: performance.now(), ...times() };
      timer = setInterval(look, intervalMs);
    },
    end() {
      clearInterval(timer);
      look();
      return longestMs;
    },
    longestComputedMs: () => computedMs,
  };
}

/**
 * Returns how long the main thread has run, and how long it was ready but not running, as counted by Linux. On other
 * systems always 0.
 */
function openThreadTimes(): () => { readonly computedMs: number; readonly waitedMs: number } {
  const bytes = Buffer.alloc(64);
  let file: number;
  try {
    file = openSync('/proc/self/schedstat', 'r');
  } catch {
    return () => ({ computedMs: 0, waitedMs: 0 });
  }
  return () => {
    const [ran, waited] = bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)).split(' ');
    return { computedMs: Number(ran) / 1e6, waitedMs: Number(waited) / 1e6 };
  };
}
