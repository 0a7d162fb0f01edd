import { LRUCache } from 'lru-cache';

import type { AnswerCache, Cached, CachedValue } from '../../cache/answer-cache.ts';
import type { Clock } from '#server/domain/ports/clock.ts';

interface Entry {
  readonly value: CachedValue;
  readonly keptAt: number;
}

interface AnswerCacheSettings {
  readonly keptMs: number;
  readonly maxBytes: number;
}

/** One value takes at most this part of the memory, so that it cannot drop all others. */
const mostValues = 8;

/**
 * Answers of models in the memory of one process, never on a disk. The least recently used ones are dropped first. An
 * entry that is too old is removed when it is looked up.
 */
export class MemoryAnswerCache implements AnswerCache {
  readonly maxValueBytes: number;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #keptMs: number;
  readonly #entries: LRUCache<string, Entry>;

  constructor({ keptMs, maxBytes }: AnswerCacheSettings, clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#keptMs = keptMs;
    this.maxValueBytes = Math.floor(maxBytes / mostValues);
    this.#entries = new LRUCache({ maxSize: maxBytes, maxEntrySize: this.maxValueBytes });
  }

  find(key: string): Cached | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const ageMs = this.#clock.now() - entry.keptAt;
    // A clock that was set back must not lengthen its life.
    if (ageMs >= 0 && ageMs < this.#keptMs) return { value: entry.value, ageMs, leftMs: this.#keptMs - ageMs };
    this.#entries.delete(key);
    return undefined;
  }

  keep(key: string, value: CachedValue, sizeBytes: number): boolean {
    this.#entries.set(key, { value, keptAt: this.#clock.now() }, { size: Math.max(1, Math.ceil(sizeBytes)) });
    return this.#entries.has(key);
  }
}
