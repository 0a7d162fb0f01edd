/** The timing of two kinds of input. */
export interface Timing {
  /** Welch's t of the two means. Beyond 4.5 in either direction they differ. */
  readonly t: number;
  /** The ratio of the slower kind to the faster, by the medians. */
  readonly ratio: number;
}

/**
 * Times an action on two kinds of input, in an unpredictable order, so that other work of the machine affects both
 * alike. The slowest tenth is dropped as noise of the machine.
 *
 * @see https://eprint.iacr.org/2016/1123 (Reparaz, Balasch, Verbauwhede: Dude, is my code constant time?)
 */
export async function compare<T>(
  act: (input: T) => unknown,
  inputs: readonly [() => T, () => T],
  count: number,
): Promise<Timing> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < count; round++) {
    const kind = Math.random() < 0.5 ? 0 : 1;
    const input = inputs[kind]();
    const startedAt = process.hrtime.bigint();
    await act(input);
    times[kind].push(Number(process.hrtime.bigint() - startedAt));
  }
  const [a, b] = times.map((all) => all.sort((x, y) => x - y).slice(0, Math.floor(all.length * 0.9))) as [
    number[],
    number[],
  ];
  const medians = [a, b].map((all) => all[Math.floor(all.length / 2)]!);
  return { t: welch(a, b), ratio: Math.max(...medians) / Math.min(...medians) };
}

function welch(a: readonly number[], b: readonly number[]): number {
  const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  const spread = (all: readonly number[], middle: number) =>
    all.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (all.length - 1) / all.length;
  return (meanA - meanB) / Math.sqrt(spread(a, meanA) + spread(b, meanB));
}
