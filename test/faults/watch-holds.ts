import { openSync, readSync } from 'node:fs';

/** Measures how long the event loop is blocked. */
export interface HoldWatch {
  begin(): void;
  /** Returns the longest block since `begin()`, in milliseconds. */
  end(): number;
}

/**
 * Compares the time between two timers with the interval that was set. It subtracts the time that the main thread
 * waited for a processor, so a busy machine looks like an idle one. Blocking on a disk or a lock still counts.
 */
export function watchHolds(intervalMs: number): HoldWatch {
  const waitedMs = openWaitedMs();
  let timer: NodeJS.Timeout | undefined;
  let longestMs = 0;
  let before = { nowMs: 0, waitedMs: 0 };
  const look = () => {
    const now = { nowMs: performance.now(), waitedMs: waitedMs() };
    longestMs = Math.max(longestMs, now.nowMs - before.nowMs - (now.waitedMs - before.waitedMs) - intervalMs);
    before = now;
  };
  return {
    begin() {
      longestMs = 0;
      before = { nowMs: performance.now(), waitedMs: waitedMs() };
      timer = setInterval(look, intervalMs);
    },
    end() {
      clearInterval(timer);
      look();
      return longestMs;
    },
  };
}

/** Returns how long the main thread was ready but not running, as counted by Linux. On other systems always 0. */
function openWaitedMs(): () => number {
  const bytes = Buffer.alloc(64);
  let file: number;
  try {
    file = openSync('/proc/self/schedstat', 'r');
  } catch {
    return () => 0;
  }
  return () => Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)).split(' ')[1]) / 1e6;
}
