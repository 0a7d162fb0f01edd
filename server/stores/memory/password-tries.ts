import { LRUCache } from 'lru-cache';

import { passwordTries } from '#server/domain/limits.ts';
import type { CountedTry, PasswordTries, PasswordTry } from '#server/domain/ports/password-tries.ts';
import { triesRefusal } from '#server/domain/shares/tries-refusal.ts';

interface Window {
  readonly endsAt: number;
  tries: number;
}

interface Delay {
  readonly series: string;
  wrong: number;
  /** Before this instant nothing is tried. */
  until: number;
}

type Windows = LRUCache<string, Window>;

/** Counters of each kind. The least recently used ones are dropped first. */
const maxCounters = 20_000;

/** With `max`, the cache would allocate all of its room at once, which takes a tenth of a start. */
const counters = { maxSize: maxCounters, sizeCalculation: () => 1 };

/** Tries of passwords in the memory of one process. */
export class MemoryPasswordTries implements PasswordTries {
  readonly #links: Windows = new LRUCache(counters);
  readonly #addresses: Windows = new LRUCache(counters);
  /** Right and wrong tries: of an address, and of an address at a link. */
  readonly #checks: Windows = new LRUCache({ ...counters, maxSize: 2 * maxCounters });
  /** The delay of an address at a link. */
  readonly #delays = new LRUCache<string, Delay>(counters);

  #lastSeries = 0;

  async begin({ link, address }: PasswordTry, now: number): Promise<CountedTry> {
    const addressAtLink = atLink({ link, address });
    const delay = this.#delayOf(addressAtLink, now);
    const byLink = windowOf(this.#links, link, now);
    const byAddress = windowOf(this.#addresses, address, now);
    const checks = windowOf(this.#checks, address, now);
    const checksAtLink = windowOf(this.#checks, addressAtLink, now);
    // Guesses at a link from many addresses must not keep out visitors who know its password.
    const perLink = passwordTries.perLink + (delay.wrong < passwordTries.firstTries ? passwordTries.reservePerLink : 0);
    refuseUntil(delay.until, now);
    refuseFull(checks, passwordTries.checksPerAddress, now);
    refuseFull(checksAtLink, passwordTries.checksPerAddressAndLink, now);
    refuseFull(byAddress, passwordTries.perAddress, now);
    refuseFull(byLink, perLink, now);
    for (const window of [checks, checksAtLink, byAddress, byLink]) window.tries++;
    delay.wrong++;
    const waitedUntil = delay.until;
    delay.until = now + delayAfter(delay.wrong);
    this.#delays.set(addressAtLink, delay);
    return { link, address, at: now, series: delay.series, waitsUntil: delay.until, waitedUntil };
  }

  async succeed(counted: CountedTry): Promise<void> {
    this.#delays.delete(atLink(counted));
    this.#takeBackWrong(counted);
  }

  async abandon(counted: CountedTry): Promise<void> {
    const delay = this.#delays.peek(atLink(counted));
    if (delay?.series === counted.series) {
      delay.wrong--;
      // A later try that still runs keeps its address waiting.
      if (delay.until === counted.waitsUntil) delay.until = counted.waitedUntil;
    }
    this.#takeBackWrong(counted);
    takeBack(this.#checks, counted.address, counted.at);
    takeBack(this.#checks, atLink(counted), counted.at);
  }

  #takeBackWrong({ link, address, at }: CountedTry): void {
    takeBack(this.#links, link, at);
    takeBack(this.#addresses, address, at);
  }

  #delayOf(addressAtLink: string, now: number): Delay {
    const known = this.#delays.get(addressAtLink);
    return known && now - known.until < passwordTries.forgottenMs
      ? known
      : { series: `${++this.#lastSeries}`, wrong: 0, until: 0 };
  }
}

function atLink({ link, address }: PasswordTry): string {
  return `${link} ${address}`;
}

/** Takes a try back from the window in which it was counted, unless the key has a later window by now. */
function takeBack(windows: Windows, key: string, at: number): void {
  const window = windows.peek(key);
  if (window && window.endsAt - passwordTries.windowMs <= at) window.tries--;
}

function windowOf(windows: Windows, key: string, now: number): Window {
  const known = windows.get(key);
  if (known && known.endsAt > now) return known;
  const window = { endsAt: now + passwordTries.windowMs, tries: 0 };
  windows.set(key, window);
  return window;
}

/** Doubles with each wrong password after the free ones. */
function delayAfter(wrong: number): number {
  const { freeTries, firstDelayMs, maxDelayMs } = passwordTries;
  return wrong < freeTries ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(wrong - freeTries, 30));
}

function refuseUntil(instant: number, now: number): void {
  if (instant > now) throw triesRefusal(Math.ceil((instant - now) / 1000));
}

function refuseFull({ tries, endsAt }: Window, limit: number, now: number): void {
  if (tries >= limit) refuseUntil(endsAt, now);
}

/** Lets every try through, for limits that are switched off. */
export const unlimitedPasswordTries: PasswordTries = {
  begin: async (one, now) => ({ ...one, at: now, series: '', waitsUntil: 0, waitedUntil: 0 }),
  succeed: async () => {},
  abandon: async () => {},
};
