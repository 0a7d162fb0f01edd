import { numbersFrom } from '#test/support/numbers-from.ts';

const source = (() => {
  const next = numbersFrom(1);
  return Buffer.from(Array.from({ length: 1 << 20 }, () => Math.floor(next() * 256)));
})();

/** A sequence of choices. The same seed gives the same choices. */
export class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = numbersFrom(seed);
  }

  /** Returns the sequence of one part of a run, for instance of a request of an episode. */
  static of(seed: number, ...parts: readonly number[]): Random {
    return new Random(
      parts.reduce((mixed, part) => Math.imul((mixed ^ 0x5bd1e995) + part + 1, 0x27d4eb2d) ^ (mixed >>> 15), seed | 0),
    );
  }

  /** Returns a whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  /** Returns a whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('There is nothing to choose from.');
    return list[this.below(list.length)]!;
  }

  /** Chooses by weights. */
  weighted<T>(choices: ReadonlyArray<readonly [weight: number, value: T]>): T {
    let at = this.#next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of choices) if ((at -= weight) < 0) return value;
    return choices.at(-1)![1];
  }

  /** Returns up to 1 MiB of bytes that do not compress. */
  bytes(length: number): Buffer {
    const at = this.below(source.length - length + 1);
    return source.subarray(at, at + length);
  }

  /** Returns a text of characters of an alphabet. */
  text(alphabet: string, length: number): string {
    let text = '';
    for (let at = 0; at < length; at++) text += alphabet[this.below(alphabet.length)];
    return text;
  }
}
