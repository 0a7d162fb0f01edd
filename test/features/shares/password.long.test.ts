import { afterAll, describe, expect, it } from 'vitest';

import { hashPassword, isPasswordOf } from '#server/features/shares/password.ts';
import { scryptThreads } from '#server/stores/system/scrypt-threads.ts';

const { scrypt, close } = scryptThreads();
afterAll(close);

describe('hashPassword()', () => {
  it('returns the cost parameters with the hash, a salt of its own, and not the password', async () => {
    const [one, other] = await Promise.all([
      hashPassword(scrypt, 'correct horse'),
      hashPassword(scrypt, 'correct horse'),
    ]);
    expect(one).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(other);
    expect(one).not.toContain('horse');
  });
});

describe('isPasswordOf()', () => {
  it('accepts only the right password, in either Unicode spelling', async () => {
    const hash = await hashPassword(scrypt, 'pässword'.normalize('NFC'));
    expect(await isPasswordOf(scrypt, hash, 'pässword'.normalize('NFD'))).toBe(true);
    expect(await isPasswordOf(scrypt, hash, 'passwort')).toBe(false);
  });

  it('takes as long without a hash as with one', async () => {
    const hash = await hashPassword(scrypt, 'correct horse');
    // Processor time of all threads, because a busy machine takes longer for the same work.
    const timeOf = async (stored: string | null) => {
      const since = process.cpuUsage();
      expect(await isPasswordOf(scrypt, stored, 'wrong password')).toBe(false);
      return process.cpuUsage(since).user;
    };
    let [withHash, without] = [Infinity, Infinity];
    for (let round = 0; round < 3; round++) {
      withHash = Math.min(withHash, await timeOf(hash));
      without = Math.min(without, await timeOf(null));
    }
    expect(without / withHash).toBeGreaterThan(0.5);
    expect(without / withHash).toBeLessThan(2);
  });
});
