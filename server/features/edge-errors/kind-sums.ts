/** Marks a free place. Kinds are 0 and more. */
const free = -1;

const firstBits = 10;

/** Up to this size the table grows fourfold, because each growth copies all entries. */
const fastBits = 16;

/**
 * Adds up the counts of packed kinds. A month may have hundreds of thousands of counts, and a `Map` takes several times
 * as long for each. This is a hash table of plain numbers with linear probing.
 *
 * @see DECISIONS, "Errors at the edge are counted by second"
 */
export class KindSums {
  #bits = firstBits;
  #kinds = new Float64Array(2 ** firstBits).fill(free);
  #counts = new Float64Array(2 ** firstBits);
  #size = 0;

  /** @param kind a whole number from 0 to 2^53 - 1 */
  add(kind: number, count: number): void {
    const place = this.#placeOf(kind);
    if (this.#kinds[place] === free) {
      this.#kinds[place] = kind;
      this.#size++;
    }
    this.#counts[place]! += count;
    if (this.#size * 2 > this.#kinds.length) this.#grow();
  }

  /** Calls `visit` with each kind, in no particular order. */
  forEach(visit: (kind: number, count: number) => void): void {
    for (let place = 0; place < this.#kinds.length; place++) {
      const kind = this.#kinds[place]!;
      if (kind !== free) visit(kind, this.#counts[place]!);
    }
  }

  /** Returns the place of the kind, or the free place where it belongs. */
  #placeOf(kind: number): number {
    const kinds = this.#kinds;
    const last = kinds.length - 1;
    // Fibonacci hashing: the upper bits are the well mixed ones.
    let place = Math.imul(kind ^ (kind / 2 ** 32), 0x9e3779b1) >>> (32 - this.#bits);
    while (kinds[place] !== kind && kinds[place] !== free) place = (place + 1) & last;
    return place;
  }

  #grow(): void {
    const [kinds, counts] = [this.#kinds, this.#counts];
    this.#bits += this.#bits < fastBits ? 2 : 1;
    this.#kinds = new Float64Array(2 ** this.#bits).fill(free);
    this.#counts = new Float64Array(2 ** this.#bits);
    for (let from = 0; from < kinds.length; from++) {
      const kind = kinds[from]!;
      if (kind === free) continue;
      const place = this.#placeOf(kind);
      this.#kinds[place] = kind;
      this.#counts[place] = counts[from]!;
    }
  }
}
