import { describe, expect, it } from 'vitest';

import { circuitBreaker } from '#server/circuit-breaker.ts';

function start() {
  const time = { ms: 0 };
  const breaker = circuitBreaker({ nowMs: () => time.ms, opensAfter: 3, pauseMs: 100 });
  /** Starts an attempt of a new request. */
  const trial = () => breaker.mayTry({})!;
  const open = () => [1, 2, 3].map(() => trial().failed());
  return { time, breaker, trial, open };
}

describe('circuitBreaker()', () => {
  it('opens after failures in a row, and reports it once', () => {
    const { breaker, trial, open } = start();
    expect([trial().failed(), trial().failed()]).toEqual([false, false]);
    trial().succeeded();
    expect(breaker.isAvailable).toBe(true);
    expect(open()).toEqual([false, false, true]);
    expect([breaker.isAvailable, breaker.mayTry({})]).toEqual([false, undefined]);
  });

  it('counts a request once, however often it is tried', () => {
    const { breaker, trial } = start();
    const request = {};
    for (let time = 0; time < 10; time++) expect(breaker.mayTry(request)!.failed()).toBe(false);
    expect([trial().failed(), trial().failed()]).toEqual([false, true]);
  });

  it('ignores failures of attempts that began before another one succeeded', () => {
    const { breaker, trial } = start();
    const slow = [trial(), trial(), trial(), trial()];
    trial().succeeded();
    for (const one of slow) expect(one.failed()).toBe(false);
    expect(breaker.isAvailable).toBe(true);
  });

  it('allows a single attempt after the pause, and closes when it succeeds', () => {
    const { breaker, time, open } = start();
    open();
    time.ms = 99;
    expect(breaker.mayTry({})).toBeUndefined();
    time.ms = 100;
    const probe = breaker.mayTry({})!;
    expect(breaker.mayTry({})).toBeUndefined();
    probe.succeeded();
    expect([breaker.mayTry({}), breaker.mayTry({})]).not.toContain(undefined);
    expect(breaker.mayTry({})!.failed()).toBe(false);
  });

  it('waits another pause when that attempt fails, and does not report it', () => {
    const { breaker, time, trial, open } = start();
    open();
    time.ms = 150;
    const probe = trial();
    time.ms = 170;
    expect([probe.failed(), breaker.mayTry({})]).toEqual([false, undefined]);
    time.ms = 269;
    expect(breaker.mayTry({})).toBeUndefined();
    time.ms = 270;
    expect(breaker.mayTry({})).toBeDefined();
  });

  it('allows another attempt when the first one ended without a result', () => {
    const { breaker, time, trial, open } = start();
    open();
    time.ms = 100;
    trial().learnedNothing();
    expect(breaker.mayTry({})).toBeDefined();
    expect(breaker.mayTry({})).toBeUndefined();
  });

  it('allows another attempt after a further pause when the first takes long, and ignores the first', () => {
    const { breaker, time, trial, open } = start();
    open();
    time.ms = 100;
    const slow = trial();
    time.ms = 199;
    expect(breaker.mayTry({})).toBeUndefined();
    time.ms = 200;
    trial();
    time.ms = 290;
    for (const late of [() => slow.failed(), () => slow.learnedNothing()]) {
      late();
      expect(breaker.mayTry({})).toBeUndefined();
    }
    time.ms = 300;
    expect(breaker.mayTry({})).toBeDefined();
  });

  it('ignores failures of attempts that began before it opened', () => {
    const { breaker, time, trial, open } = start();
    const before = [trial(), trial(), trial()];
    open();
    time.ms = 50;
    expect(before[0]!.failed()).toBe(false);
    time.ms = 100;
    trial();
    expect(before[1]!.failed()).toBe(false);
    before[2]!.learnedNothing();
    expect(breaker.mayTry({})).toBeUndefined();
  });
});
