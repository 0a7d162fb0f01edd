import { LRUCache } from 'lru-cache';

import type { CountedTry, PasswordTries, PasswordTry } from '#server/features/shares/password-tries.ts';
import {
  abandonTry,
  beginTry,
  succeedTry,
  type TryCounters,
  type TryDelay,
  type TryWindow,
} from '../../counted-tries.ts';

type Windows = LRUCache<string, TryWindow>;

/** Counters of each kind. The least recently used ones are dropped first. */
const maxCounters = 20_000;

/** With `max`, the cache would allocate all of its memory at once, which takes a tenth of a start. */
const counters = { maxSize: maxCounters, sizeCalculation: () => 1 };

/** Tries of passwords in the memory of one process. */
export class MemoryPasswordTries implements PasswordTries {
  readonly #links: Windows = new LRUCache(counters);
  readonly #addresses: Windows = new LRUCache(counters);
  /** Right and wrong tries: of an address, and of an address at a link. */
  readonly #checks: Windows = new LRUCache({ ...counters, maxSize: 2 * maxCounters });
  /** The delay of an address at a link. */
  readonly #delays = new LRUCache<string, TryDelay>(counters);

  #lastSeries = 0;

  async begin(one: PasswordTry, now: number): Promise<CountedTry> {
    const { counted, after } = beginTry(this.#countersOf(one), one, now, `${++this.#lastSeries}`);
    this.#keep(one, after);
    return counted;
  }

  async succeed(counted: CountedTry): Promise<void> {
    this.#keep(counted, succeedTry(this.#countersOf(counted), counted));
  }

  async abandon(counted: CountedTry): Promise<void> {
    this.#keep(counted, abandonTry(this.#countersOf(counted), counted));
  }

  #countersOf({ link, address }: PasswordTry): TryCounters {
    const addressAtLink = atLink({ link, address });
    return {
      byLink: this.#links.get(link),
      byAddress: this.#addresses.get(address),
      checks: this.#checks.get(address),
      checksAtLink: this.#checks.get(addressAtLink),
      delay: this.#delays.get(addressAtLink),
    };
  }

  #keep({ link, address }: PasswordTry, { byLink, byAddress, checks, checksAtLink, delay }: TryCounters): void {
    const addressAtLink = atLink({ link, address });
    put(this.#links, link, byLink);
    put(this.#addresses, address, byAddress);
    put(this.#checks, address, checks);
    put(this.#checks, addressAtLink, checksAtLink);
    put(this.#delays, addressAtLink, delay);
  }
}

/** The space separates them, because neither contains one. */
function atLink({ link, address }: PasswordTry): string {
  return `${link} ${address}`;
}

function put<T extends object>(cache: LRUCache<string, T>, key: string, value: T | undefined): void {
  if (value) cache.set(key, value);
  else cache.delete(key);
}

/** Lets every try through, for limits that are switched off. */
export const unlimitedPasswordTries: PasswordTries = {
  begin: async (one, now) => ({ ...one, at: now, series: '', waitsUntil: 0, waitedUntil: 0 }),
  succeed: async () => {},
  abandon: async () => {},
};
