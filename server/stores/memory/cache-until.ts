import { LRUCache } from 'lru-cache';

/** Values in the memory of one process, each good until an instant. The least recently used ones are dropped first. */
export class CacheUntil<Value> {
  readonly #kept: LRUCache<string, { readonly value: Value; readonly goodUntil: number }>;

  /** @param maxSize of all values together, as `sizeOf` counts them */
  constructor(maxSize: number, sizeOf: (value: Value, key: string) => number) {
    this.#kept = new LRUCache({ maxSize, sizeCalculation: ({ value }, key) => sizeOf(value, key) });
  }

  get(key: string, now: number): Value | undefined {
    const kept = this.#kept.get(key);
    return kept && kept.goodUntil > now ? kept.value : undefined;
  }

  set(key: string, value: Value, goodUntil: number): void {
    this.#kept.set(key, { value, goodUntil });
  }
}
