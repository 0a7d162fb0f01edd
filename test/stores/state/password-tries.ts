import { beforeEach, describe, expect, it } from 'vitest';

import { passwordTries } from '#server/features/shares/limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { CountedTry, PasswordTries } from '#server/features/shares/password-tries.ts';

type Outcome = 'succeed' | 'abandon';

/** Tests that tries are counted as the port promises. `open` is called before each test and returns empty counters. */
export function passwordTriesConformance(name: string, open: () => Promise<PasswordTries>): void {
  let tries: PasswordTries;
  let now: number;
  beforeEach(async () => {
    tries = await open();
    now = Date.UTC(2026, 3, 21, 9, 30);
  });

  const begin = (link: string, address: string): Promise<CountedTry> => tries.begin({ link, address }, now);
  /**
   * Returns the seconds to wait, or 0 if the try is allowed. `outcome` is the result of the try, which is wrong by
   * default.
   */
  async function tryOnce(link: string, address: string, outcome?: Outcome): Promise<number> {
    try {
      const counted = await begin(link, address);
      if (outcome) await tries[outcome](counted);
      return 0;
    } catch (error) {
      return (error as Refusal).retryAfterSeconds!;
    }
  }
  /** Makes the tries one after the other. */
  async function tryEach(asked: ReadonlyArray<readonly [link: string, address: string]>, outcome?: Outcome) {
    const waits: number[] = [];
    for (const [link, address] of asked) waits.push(await tryOnce(link, address, outcome));
    return waits;
  }

  describe(name, () => {
    it('makes an address wait ever longer at a link, up to a minute, and no other address or link', async () => {
      const waits: number[] = [];
      for (let wrong = 0; wrong < 12; wrong++) {
        expect(await tryOnce('a', '192.0.2.1')).toBe(0);
        const wait = await tryOnce('a', '192.0.2.1');
        if (wait > 0) waits.push(wait);
        else wrong++;
        now += wait * 1000;
      }
      expect(waits.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
      expect(await tryOnce('b', '192.0.2.1')).toBe(0);
      expect(await tryOnce('a', '192.0.2.2')).toBe(0);
    });

    it('limits the tries of a link in a minute, from all addresses together', async () => {
      for (let at = 0; at < passwordTries.perLink + passwordTries.reservePerLink; at++)
        expect(await tryOnce('a', `192.0.2.${at}`)).toBe(0);
      expect(await tryOnce('a', '198.51.100.1')).toBe(60);
      expect(await tryOnce('b', '198.51.100.1')).toBe(0);
      now += passwordTries.windowMs;
      expect(await tryOnce('a', '198.51.100.1')).toBe(0);
    });

    it('allows exactly as many when they come in parallel', async () => {
      const most = passwordTries.perLink + passwordTries.reservePerLink;
      const outcomes = await Promise.allSettled(
        Array.from({ length: most + 40 }, (_, at) => begin('a', `192.0.2.${at}`)),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(most);
    });

    it('allows the first two tries of an address beyond those of the link, and no third', async () => {
      for (let at = 0; at < passwordTries.perLink; at++) await tryOnce('a', `192.0.2.${at >> 1}`);
      expect(await tryOnce('a', '192.0.2.1')).toBe(60);
      expect(await tryEach(Array(3).fill(['a', '198.51.100.1']))).toEqual([0, 0, 60]);
      await tries.succeed(await begin('a', '198.51.100.2'));
      expect(await tryOnce('a', '198.51.100.2')).toBe(0);
    });

    it('limits the tries of an address in a minute, at all links together', async () => {
      for (let at = 0; at < passwordTries.perAddress; at++) expect(await tryOnce(`link-${at}`, '192.0.2.1')).toBe(0);
      expect(await tryOnce('another', '192.0.2.1')).toBe(60);
    });

    it('does not count an abandoned try, and still counts earlier ones', async () => {
      for (let wrong = 0; wrong < 3; wrong++) await tryOnce('a', '192.0.2.1');
      now += 1000;
      for (let at = 0; at < 200; at++) expect(await tryOnce('a', '192.0.2.1', 'abandon')).toBe(0);
      expect(await tryEach(Array(2).fill(['a', '192.0.2.1']))).toEqual([0, 2]);
    });

    it('counts right passwords only as checks, for an address and for an address at a link', async () => {
      const right = (link: string, address: string) => tryOnce(link, address, 'succeed');
      for (let at = 0; at < passwordTries.checksPerAddressAndLink; at++) expect(await right('a', '192.0.2.1')).toBe(0);
      expect([await right('a', '192.0.2.1'), await right('a', '192.0.2.2'), await right('b', '192.0.2.1')]).toEqual([
        60, 0, 0,
      ]);
      for (let at = passwordTries.checksPerAddressAndLink + 1; at < passwordTries.checksPerAddress; at++)
        expect(await right(`link-${at}`, '192.0.2.1')).toBe(0);
      expect(await right('c', '192.0.2.1')).toBe(60);
      for (let at = 0; at < 2 * passwordTries.perLink; at++) expect(await right('a', `198.51.100.${at}`)).toBe(0);
      now += passwordTries.windowMs;
      expect(await right('a', '192.0.2.1')).toBe(0);
    });

    it('keeps the wait for a later try that is still being checked', async () => {
      for (let wrong = 0; wrong < 3; wrong++) await tryOnce('a', '192.0.2.1');
      now += 1000;
      const earlier = await begin('a', '192.0.2.1');
      now += 2000;
      await begin('a', '192.0.2.1');
      await tries.abandon(earlier);
      expect(await tryOnce('a', '192.0.2.1')).toBe(4);
    });

    it('keeps the count of tries that came after a right password', async () => {
      const earlier = await begin('a', '192.0.2.1');
      await tries.succeed(await begin('a', '192.0.2.1'));
      for (let wrong = 0; wrong < 3; wrong++) await tryOnce('a', '192.0.2.1');
      await tries.abandon(earlier);
      expect(await tryOnce('a', '192.0.2.1')).toBe(1);
      now += 1000;
      expect(await tryEach(Array(2).fill(['a', '192.0.2.1']))).toEqual([0, 2]);
    });

    it.each(['succeed', 'abandon'] as const)(
      'frees no try of the current minute for a try of an earlier minute that it lets %s',
      async (outcome) => {
        const late = await begin('another', '192.0.2.1');
        now += passwordTries.windowMs;
        for (let at = 0; at < passwordTries.perAddress; at++) expect(await tryOnce(`link-${at}`, '192.0.2.1')).toBe(0);
        await tries[outcome](late);
        expect(await tryOnce('one-more', '192.0.2.1')).toBe(60);
      },
    );

    it('forgets the wrong tries of an address after an hour without tries at the link', async () => {
      for (let wrong = 0; wrong < 12; wrong++) {
        const wait = await tryOnce('a', '192.0.2.1');
        now += wait * 1000;
      }
      const waitAfter = async (idleMs: number): Promise<number> => {
        now += idleMs;
        expect(await tryOnce('a', '192.0.2.1')).toBe(0);
        return tryOnce('a', '192.0.2.1');
      };
      expect(await waitAfter(passwordTries.forgottenMs - 1)).toBeGreaterThan(0);
      expect(await waitAfter(passwordTries.maxDelayMs + passwordTries.forgottenMs)).toBe(0);
    });
  });
}
