import { LRUCache } from 'lru-cache';

import { passwordTries } from '#server/domain/limits.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { BegunTry, PasswordTries, PasswordTry } from '#server/domain/shares/password-tries.ts';

interface Window {
  readonly endsAt: number;
  tries: number;
}

interface Delay {
  wrong: number;
  /** Before this instant nothing is tried. */
  until: number;
}

/** Counters of each kind; the ones that were not used for the longest go first. */
const maxCounters = 20_000;

/** Tries of passwords in the memory of one process. */
export class MemoryPasswordTries implements PasswordTries {
  readonly #clock: Clock;
  readonly #links = new LRUCache<string, Window>({ max: maxCounters });
  readonly #addresses = new LRUCache<string, Window>({ max: maxCounters });
  /** Right ones too: of an address, and of an address at a link. */
  readonly #checks = new LRUCache<string, Window>({ max: 2 * maxCounters });
  /** Of an address at a link. */
  readonly #delays = new LRUCache<string, Delay>({ max: maxCounters });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin({ link, address }: PasswordTry): BegunTry {
    const now = this.#clock.now();
    const addressAtLink = `${link} ${address}`;
    const delay = this.#delayOf(addressAtLink, now);
    const byLink = windowOf(this.#links, link, now);
    const byAddress = windowOf(this.#addresses, address, now);
    const checks = windowOf(this.#checks, address, now);
    const checksAtLink = windowOf(this.#checks, addressAtLink, now);
    // Whoever guesses at a link from many addresses must not keep those out that come to it with its password.
    const perLink = passwordTries.perLink + (delay.wrong < passwordTries.firstTries ? passwordTries.reservePerLink : 0);
    refuseUntil(delay.until, now);
    refuseFull(checks, passwordTries.checksPerAddress, now);
    refuseFull(checksAtLink, passwordTries.checksPerAddressAndLink, now);
    refuseFull(byAddress, passwordTries.perAddress, now);
    refuseFull(byLink, perLink, now);
    for (const window of [checks, checksAtLink, byAddress, byLink]) window.tries++;
    delay.wrong++;
    const [before, until] = [delay.until, now + delayAfter(delay.wrong)];
    delay.until = until;
    this.#delays.set(addressAtLink, delay);
    // From the very windows in which it was counted: those of the next minute may stand in their place by then.
    return {
      succeeded: () => {
        this.#delays.delete(addressAtLink);
        takeBack(byLink, byAddress);
      },
      abandoned: () => {
        delay.wrong--;
        // Not what a later try, which is still under way, makes its address wait.
        if (delay.until === until) delay.until = before;
        takeBack(byLink, byAddress, checks, checksAtLink);
      },
    };
  }

  #delayOf(addressAtLink: string, now: number): Delay {
    const known = this.#delays.get(addressAtLink);
    return known && now - known.until < passwordTries.forgottenMs ? known : { wrong: 0, until: 0 };
  }
}

function takeBack(...windows: readonly Window[]): void {
  for (const window of windows) window.tries--;
}

function windowOf(windows: LRUCache<string, Window>, key: string, now: number): Window {
  const known = windows.get(key);
  if (known && known.endsAt > now) return known;
  const window = { endsAt: now + passwordTries.windowMs, tries: 0 };
  windows.set(key, window);
  return window;
}

/** Doubles with each wrong password behind the free ones. */
function delayAfter(wrong: number): number {
  const { freeTries, firstDelayMs, maxDelayMs } = passwordTries;
  return wrong < freeTries ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(wrong - freeTries, 30));
}

function tooManyTries(retryAfterSeconds: number): Refusal {
  return new Refusal('RATE_LIMITED', {
    retryAfterSeconds,
    detail: `Too many wrong passwords came for this link or from this address. It takes another in ${retryAfterSeconds} s.`,
  });
}

function refuseUntil(instant: number, now: number): void {
  if (instant > now) throw tooManyTries(Math.ceil((instant - now) / 1000));
}

function refuseFull({ tries, endsAt }: Window, limit: number, now: number): void {
  if (tries >= limit) refuseUntil(endsAt, now);
}

/** Where limits are switched off. */
export const unlimitedPasswordTries: PasswordTries = { begin: () => ({ succeeded() {}, abandoned() {} }) };
