/** The most items of a set. They are few enough that requests in between do not notice. */
const mostItems = 50;

/** The first set is small, because nobody knows yet what its items cost: one file may consist of 2048 blobs. */
const firstItems = 8;

/** How long a set may hold the event loop, in milliseconds. */
const aimMs = 10;

/**
 * How many items the next transaction changes. A database in this process holds the event loop for a whole transaction,
 * so each set is as large as the one before it allows. One over a network holds nothing, and sets soon have their full
 * size.
 */
export class SetSize {
  #next: number;

  /** @param first the size of the first set. Default 8 */
  constructor(first = firstItems) {
    this.#next = first;
  }

  /** A set of light items, which may have its full size from the beginning. */
  static ofLightItems(): SetSize {
    return new SetSize(mostItems);
  }

  /** How many items the next set has, at most. */
  get next(): number {
    return this.#next;
  }

  /** Calls `change` with one set after another, which runs `measured()` in its transaction. */
  async each<Item>(items: readonly Item[], change: (set: readonly Item[]) => Promise<unknown>): Promise<void> {
    for (let at = 0; at < items.length;) {
      const set = items.slice(at, at + this.#next);
      at += set.length;
      await change(set);
    }
  }

  /** Does the work of a set within its transaction. Learns from how long it holds the event loop. */
  async measured<T>(set: readonly unknown[], work: () => Promise<T>): Promise<T> {
    let isBlocking = true;
    setImmediate(() => (isBlocking = false));
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      const blockedMs = isBlocking ? performance.now() - startedAt : 0;
      if (set.length > 0) this.#learn(set.length, blockedMs);
    }
  }

  /** Nothing is learnt from a shorter set about a longer one, but what its items cost. */
  #learn(items: number, blockedMs: number): void {
    const fitting = blockedMs > 0 ? Math.floor((items * aimMs) / blockedMs) : mostItems;
    const grown = items < this.#next ? this.#next : 2 * this.#next;
    this.#next = Math.max(1, Math.min(fitting, grown, mostItems));
  }
}
