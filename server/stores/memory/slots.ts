import type { Slots } from '#server/domain/ports/rate-limits.ts';

/** Places for things under way, in the memory of one process. */
export class MemorySlots implements Slots {
  readonly #taken = new Map<string, number>();

  async acquire(key: string, limit: number): Promise<(() => void) | undefined> {
    const taken = this.#taken.get(key) ?? 0;
    if (taken >= limit) return undefined;
    this.#taken.set(key, taken + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = this.#taken.get(key)! - 1;
      if (left === 0) this.#taken.delete(key);
      else this.#taken.set(key, left);
    };
  }
}
