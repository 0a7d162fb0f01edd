const windowMs = 15_000;
const leastMs = 2_000;

/** Estimates the remaining time from the bytes sent in the last seconds. */
interface Speed {
  /** @param movedBytes all bytes sent so far, which never falls */
  sample(movedBytes: number): void;
  /** Returns seconds. Undefined while there are too few samples. */
  secondsFor(bytes: number): number | undefined;
  /** Starts over after a pause. */
  reset(): void;
}

export function openSpeed(now: () => number = () => performance.now()): Speed {
  let samples: Array<{ readonly at: number; readonly movedBytes: number }> = [];
  return {
    sample(movedBytes) {
      const at = now();
      samples.push({ at, movedBytes });
      // One sample older than the window stays, so that the samples cover all of it.
      while (samples.length > 2 && samples[1]!.at < at - windowMs) samples.shift();
    },
    secondsFor(bytes) {
      const [first, last] = [samples[0], samples.at(-1)];
      if (!first || !last || last.at - first.at < leastMs) return undefined;
      const bytesPerSecond = ((last.movedBytes - first.movedBytes) / (last.at - first.at)) * 1000;
      return bytesPerSecond > 0 ? bytes / bytesPerSecond : undefined;
    },
    reset: () => void (samples = []),
  };
}
