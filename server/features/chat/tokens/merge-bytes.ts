/** The ranks of byte sequences. Each sequence is a string with one character for each byte. */
export interface ByteRanks {
  rankOf(bytes: string): number | undefined;
  /** The length of the longest sequence. */
  readonly maxBytes: number;
}

/** The most bytes of a run, because a place and a rank share one number of the heap. */
const places = 2 ** 24;

/** How many steps run between two yields. */
const stepsAtOnce = 500;

/**
 * Counts the tokens of one unbroken run exactly. It merges the neighbours of the lowest rank, leftmost first, until no
 * pair is in the vocabulary. With a heap this takes n log n steps, where the library takes n squared. Yields often.
 */
export function* countMerged(run: string, ranks: ByteRanks): Generator<undefined, number> {
  const bytes = Buffer.from(run).toString('latin1');
  const size = bytes.length;
  // A sequence is identified by the place of its first byte.
  const next = new Int32Array(size + 1);
  const previous = new Int32Array(size + 1);
  for (let at = 0; at <= size; at++) [next[at], previous[at]] = [at + 1, at - 1];
  const rankAt = new Int32Array(size + 1).fill(-1);
  // One entry for each byte at first. Each merge removes one and adds at most two.
  const heap = new NumberHeap(2 * size);
  function look(at: number): void {
    rankAt[at] = -1;
    const neighbour = next[at]!;
    if (neighbour >= size) return;
    const end = next[neighbour]!;
    const rank = end - at > ranks.maxBytes ? undefined : ranks.rankOf(bytes.slice(at, end));
    if (rank === undefined) return;
    rankAt[at] = rank;
    heap.push(rank * places + at);
  }
  for (let at = 0; at < size; at++) {
    look(at);
    if (at % stepsAtOnce === 0) yield;
  }
  let tokens = size;
  for (let steps = 1; ; steps++) {
    if (steps % stepsAtOnce === 0) yield;
    const lowest = heap.pop();
    if (lowest === undefined) return tokens;
    const at = lowest % places;
    // The entry is stale: its neighbours have changed since.
    if (rankAt[at] !== Math.floor(lowest / places)) continue;
    const neighbour = next[at]!;
    rankAt[neighbour] = -1;
    next[at] = next[neighbour]!;
    previous[next[at]] = at;
    tokens--;
    look(at);
    if (at > 0) look(previous[at]!);
  }
}

/** A heap of numbers that returns the lowest first. */
class NumberHeap {
  readonly #numbers: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#numbers = new Float64Array(capacity);
  }

  push(number: number): void {
    const numbers = this.#numbers;
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (numbers[parent]! <= number) break;
      numbers[at] = numbers[parent]!;
      at = parent;
    }
    numbers[at] = number;
  }

  pop(): number | undefined {
    if (this.#size === 0) return undefined;
    const numbers = this.#numbers;
    const size = --this.#size;
    const lowest = numbers[0]!;
    const last = numbers[size]!;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && numbers[child + 1]! < numbers[child]!) child++;
      if (numbers[child]! >= last) break;
      numbers[at] = numbers[child]!;
      at = child;
    }
    numbers[at] = last;
    return lowest;
  }
}
