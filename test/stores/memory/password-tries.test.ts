import { describe, expect, it } from 'vitest';

import { passwordTries } from '#server/domain/limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { MemoryPasswordTries } from '#server/stores/memory/password-tries.ts';
import { TestClock } from '#test/support/clock.ts';

/** Seconds to wait, or 0 when it may be tried. */
function tryOnce(tries: MemoryPasswordTries, link: string, address: string): number {
  try {
    tries.begin({ link, address });
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
    for (let at = 0; at < passwordTries.perLink + passwordTries.reservePerLink; at++) expect(tryOnce(tries, 'a', `192.0.2.${at}`)).toBe(0);
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
    tries.begin({ link: 'a', address: '198.51.100.2' });
    tries.succeeded({ link: 'a', address: '198.51.100.2' });
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
    for (let at = 0; at < 200; at++) {
      expect(tryOnce(tries, 'a', '192.0.2.1')).toBe(0);
      tries.abandoned({ link: 'a', address: '192.0.2.1' });
    }
    expect([tryOnce(tries, 'a', '192.0.2.1'), tryOnce(tries, 'a', '192.0.2.1')]).toEqual([0, 2]);
  });

  it('counts right ones as no wrong ones, but as checks, of an address and of an address at a link', () => {
    const clock = new TestClock();
    const tries = new MemoryPasswordTries(clock);
    const right = (link: string, address: string): number => {
      const wait = tryOnce(tries, link, address);
      if (wait === 0) tries.succeeded({ link, address });
      return wait;
    };
    for (let at = 0; at < passwordTries.checksPerAddressAndLink; at++) expect(right('a', '192.0.2.1')).toBe(0);
    expect([right('a', '192.0.2.1'), right('a', '192.0.2.2'), right('b', '192.0.2.1')]).toEqual([60, 0, 0]);
    for (let at = passwordTries.checksPerAddressAndLink + 1; at < passwordTries.checksPerAddress; at++) expect(right(`link-${at}`, '192.0.2.1')).toBe(0);
    expect(right('c', '192.0.2.1')).toBe(60);
    for (let at = 0; at < 2 * passwordTries.perLink; at++) expect(right('a', `198.51.100.${at}`)).toBe(0);
    clock.advance(passwordTries.windowMs);
    expect(right('a', '192.0.2.1')).toBe(0);
  });
});
