import { describe, expect, it } from 'vitest';

import { passwordTries } from '#server/domain/limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { BegunTry } from '#server/domain/shares/password-tries.ts';
import { MemoryPasswordTries } from '#server/stores/memory/password-tries.ts';
import { TestClock } from '#test/support/clock.ts';

/** Seconds to wait, or 0 when it may be tried; what then becomes of the try, if not wrong. */
function tryOnce(tries: MemoryPasswordTries, link: string, address: string, outcome?: keyof BegunTry): number {
  try {
    const begun = tries.begin({ link, address });
    if (outcome) begun[outcome]();
    return 0;
  } catch (error) {
    return (error as Refusal).retryAfterSeconds!;
  }
}

describe('MemoryPasswordTries', () => {
  it('makes an address wait longer and longer at a link, up to a minute, and no other address or link', () => {
    const clock = new TestClock();
    const tries = new MemoryPasswordTries(clock);
    const waits: number[] = [];
    for (let wrong = 0; wrong < 12; wrong++) {
      expect(tryOnce(tries, 'a', '192.0.2.1')).toBe(0);
      const wait = tryOnce(tries, 'a', '192.0.2.1');
      if (wait > 0) waits.push(wait);
      else wrong++;
      clock.advance(wait * 1000);
    }
    expect(waits.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(tryOnce(tries, 'b', '192.0.2.1')).toBe(0);
    expect(tryOnce(tries, 'a', '192.0.2.2')).toBe(0);
  });

  it('lets through so many of a link in a minute, from all addresses together', () => {
    const clock = new TestClock();
    const tries = new MemoryPasswordTries(clock);
    for (let at = 0; at < passwordTries.perLink + passwordTries.reservePerLink; at++)
      expect(tryOnce(tries, 'a', `192.0.2.${at}`)).toBe(0);
    expect(tryOnce(tries, 'a', '198.51.100.1')).toBe(60);
    expect(tryOnce(tries, 'b', '198.51.100.1')).toBe(0);
    clock.advance(passwordTries.windowMs);
    expect(tryOnce(tries, 'a', '198.51.100.1')).toBe(0);
  });

  it('lets through the first two tries of an address beyond those of the link, and no third', () => {
    const tries = new MemoryPasswordTries(new TestClock());
    for (let at = 0; at < passwordTries.perLink; at++) tryOnce(tries, 'a', `192.0.2.${at >> 1}`);
    expect(tryOnce(tries, 'a', '192.0.2.1')).toBe(60);
    expect([1, 2, 3].map(() => tryOnce(tries, 'a', '198.51.100.1'))).toEqual([0, 0, 60]);
    tries.begin({ link: 'a', address: '198.51.100.2' }).succeeded();
    expect(tryOnce(tries, 'a', '198.51.100.2')).toBe(0);
  });

  it('lets through so many of an address in a minute, at all links together', () => {
    const tries = new MemoryPasswordTries(new TestClock());
    for (let at = 0; at < passwordTries.perAddress; at++) expect(tryOnce(tries, `link-${at}`, '192.0.2.1')).toBe(0);
    expect(tryOnce(tries, 'another', '192.0.2.1')).toBe(60);
  });

  it('takes back what nobody looked at, and nothing before it', () => {
    const clock = new TestClock();
    const tries = new MemoryPasswordTries(clock);
    for (let wrong = 0; wrong < 3; wrong++) tryOnce(tries, 'a', '192.0.2.1');
    clock.advance(1000);
    for (let at = 0; at < 200; at++) expect(tryOnce(tries, 'a', '192.0.2.1', 'abandoned')).toBe(0);
    expect([tryOnce(tries, 'a', '192.0.2.1'), tryOnce(tries, 'a', '192.0.2.1')]).toEqual([0, 2]);
  });

  it('counts right ones as no wrong ones, but as checks, of an address and of an address at a link', () => {
    const clock = new TestClock();
    const tries = new MemoryPasswordTries(clock);
    const right = (link: string, address: string): number => tryOnce(tries, link, address, 'succeeded');
    for (let at = 0; at < passwordTries.checksPerAddressAndLink; at++) expect(right('a', '192.0.2.1')).toBe(0);
    expect([right('a', '192.0.2.1'), right('a', '192.0.2.2'), right('b', '192.0.2.1')]).toEqual([60, 0, 0]);
    for (let at = passwordTries.checksPerAddressAndLink + 1; at < passwordTries.checksPerAddress; at++)
      expect(right(`link-${at}`, '192.0.2.1')).toBe(0);
    expect(right('c', '192.0.2.1')).toBe(60);
    for (let at = 0; at < 2 * passwordTries.perLink; at++) expect(right('a', `198.51.100.${at}`)).toBe(0);
    clock.advance(passwordTries.windowMs);
    expect(right('a', '192.0.2.1')).toBe(0);
  });

  it('takes back no wait for a later try that is still looked at', () => {
    const clock = new TestClock();
    const tries = new MemoryPasswordTries(clock);
    for (let wrong = 0; wrong < 3; wrong++) tryOnce(tries, 'a', '192.0.2.1');
    clock.advance(1000);
    const earlier = tries.begin({ link: 'a', address: '192.0.2.1' });
    clock.advance(2000);
    tries.begin({ link: 'a', address: '192.0.2.1' });
    earlier.abandoned();
    expect(tryOnce(tries, 'a', '192.0.2.1')).toBe(4);
  });

  it.each(['succeeded', 'abandoned'] as const)(
    'frees no place in a minute in which a try that %s did not begin',
    (outcome) => {
      const clock = new TestClock();
      const tries = new MemoryPasswordTries(clock);
      const late = tries.begin({ link: 'another', address: '192.0.2.1' });
      clock.advance(passwordTries.windowMs);
      for (let at = 0; at < passwordTries.perAddress; at++) expect(tryOnce(tries, `link-${at}`, '192.0.2.1')).toBe(0);
      late[outcome]();
      expect(tryOnce(tries, 'one-more', '192.0.2.1')).toBe(60);
    },
  );

  it('forgets how often an address was wrong once it has left the link alone for an hour', () => {
    const clock = new TestClock();
    const tries = new MemoryPasswordTries(clock);
    for (let wrong = 0; wrong < 12; wrong++) clock.advance(tryOnce(tries, 'a', '192.0.2.1') * 1000);
    const waitAfter = (idleMs: number): number => {
      clock.advance(idleMs);
      expect(tryOnce(tries, 'a', '192.0.2.1')).toBe(0);
      return tryOnce(tries, 'a', '192.0.2.1');
    };
    expect(waitAfter(passwordTries.forgottenMs - 1)).toBeGreaterThan(0);
    expect(waitAfter(passwordTries.maxDelayMs + passwordTries.forgottenMs)).toBe(0);
  });
});
