/**
 * Returns the heights of columns that stand upon each other. The first series is the highest, which is drawn first, so
 * that each one covers the lower part of the one before it.
 */
export function stacked(series: ReadonlyArray<readonly number[]>): number[][] {
  const heights: number[][] = [];
  for (let index = series.length - 1; index >= 0; index--) {
    const below = heights[0];
    heights.unshift(series[index]!.map((value, place) => value + (below?.[place] ?? 0)));
  }
  return heights;
}
