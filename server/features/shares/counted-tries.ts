import { passwordTries } from './limits.ts';
import type { CountedTry, PasswordTry } from './password-tries.ts';
import { triesRefusal } from './tries-refusal.ts';

/** Tries that count together until `endsAt`, in milliseconds since the epoch. */
export interface TryWindow {
  readonly endsAt: number;
  readonly tries: number;
}

/** The wrong tries of an address at a link, one after the other. */
export interface TryDelay {
  readonly series: string;
  readonly wrong: number;
  /** No try is allowed before this instant. */
  readonly until: number;
}

/** The counters that one try touches. A counter that was never used, or is forgotten, is undefined. */
export interface TryCounters {
  /** Wrong tries at the link. */
  readonly byLink: TryWindow | undefined;
  /** Wrong tries of the address. */
  readonly byAddress: TryWindow | undefined;
  /** Right and wrong tries of the address. */
  readonly checks: TryWindow | undefined;
  /** Right and wrong tries of the address at the link. */
  readonly checksAtLink: TryWindow | undefined;
  /** The delay of the address at the link. */
  readonly delay: TryDelay | undefined;
}

interface BegunTry {
  readonly counted: CountedTry;
  readonly after: TryCounters;
}

/**
 * Counts a try as wrong.
 *
 * @param series names the series of wrong tries, if this try begins one
 * @throws RATE_LIMITED, as `triesRefusal()` says it
 */
export function beginTry(counters: TryCounters, one: PasswordTry, now: number, series: string): BegunTry {
  const delay = delayAt(counters.delay, now, series);
  const byLink = windowAt(counters.byLink, now);
  const byAddress = windowAt(counters.byAddress, now);
  const checks = windowAt(counters.checks, now);
  const checksAtLink = windowAt(counters.checksAtLink, now);
  // Guesses at a link from many addresses must not keep out visitors who know its password.
  const perLink = passwordTries.perLink + (delay.wrong < passwordTries.firstTries ? passwordTries.reservePerLink : 0);
  refuseUntil(delay.until, now);
  refuseFull(checks, passwordTries.checksPerAddress, now);
  refuseFull(checksAtLink, passwordTries.checksPerAddressAndLink, now);
  refuseFull(byAddress, passwordTries.perAddress, now);
  refuseFull(byLink, perLink, now);
  const wrong = delay.wrong + 1;
  const until = now + delayAfter(wrong);
  return {
    counted: { ...one, at: now, series: delay.series, waitsUntil: until, waitedUntil: delay.until },
    after: {
      byLink: oneMore(byLink),
      byAddress: oneMore(byAddress),
      checks: oneMore(checks),
      checksAtLink: oneMore(checksAtLink),
      delay: { series: delay.series, wrong, until },
    },
  };
}

/** Counts a try as right: it and the earlier wrong tries of its address at the link no longer count as wrong. */
export function succeedTry(counters: TryCounters, { at }: CountedTry): TryCounters {
  return {
    ...counters,
    byLink: oneLess(counters.byLink, at),
    byAddress: oneLess(counters.byAddress, at),
    delay: undefined,
  };
}

/** Takes back all that a try was counted as. */
export function abandonTry(counters: TryCounters, counted: CountedTry): TryCounters {
  const { at } = counted;
  return {
    byLink: oneLess(counters.byLink, at),
    byAddress: oneLess(counters.byAddress, at),
    checks: oneLess(counters.checks, at),
    checksAtLink: oneLess(counters.checksAtLink, at),
    delay: delayWithout(counters.delay, counted),
  };
}

function delayWithout(delay: TryDelay | undefined, counted: CountedTry): TryDelay | undefined {
  if (delay?.series !== counted.series) return delay;
  // A later try that still runs keeps its address waiting.
  const until = delay.until === counted.waitsUntil ? counted.waitedUntil : delay.until;
  return { series: delay.series, wrong: delay.wrong - 1, until };
}

function delayAt(delay: TryDelay | undefined, now: number, series: string): TryDelay {
  return delay && now - delay.until < passwordTries.forgottenMs ? delay : { series, wrong: 0, until: 0 };
}

function windowAt(window: TryWindow | undefined, now: number): TryWindow {
  return window && window.endsAt > now ? window : { endsAt: now + passwordTries.windowMs, tries: 0 };
}

function oneMore({ endsAt, tries }: TryWindow): TryWindow {
  return { endsAt, tries: tries + 1 };
}

/** Takes a try back from the window in which it was counted, unless the key has a later window by now. */
function oneLess(window: TryWindow | undefined, at: number): TryWindow | undefined {
  if (!window || window.endsAt - passwordTries.windowMs > at) return window;
  return { endsAt: window.endsAt, tries: window.tries - 1 };
}

/** Doubles with each wrong password after the free ones. */
function delayAfter(wrong: number): number {
  const { freeTries, firstDelayMs, maxDelayMs } = passwordTries;
  return wrong < freeTries ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(wrong - freeTries, 30));
}

function refuseUntil(instant: number, now: number): void {
  if (instant > now) throw triesRefusal(Math.ceil((instant - now) / 1000));
}

function refuseFull({ tries, endsAt }: TryWindow, limit: number, now: number): void {
  if (tries >= limit) refuseUntil(endsAt, now);
}
