/**
 * Returns the options of a cache for at most so many entries, whose memory grows with what is in it. `max` alone would
 * allocate all of it at once: 200 kB and a millisecond of each start for ten thousand entries.
 */
export function atMost(entries: number): { readonly maxSize: number; readonly sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
