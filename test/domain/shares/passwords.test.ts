import { describe, expect, it } from 'vitest';

import { hashQueue } from '#server/domain/shares/hash-queue.ts';
import { hashPassword, isPasswordOf } from '#server/domain/shares/password.ts';
import { isSharePassFor, sharePassFor } from '#server/domain/shares/share-pass.ts';
import { masterSecrets } from '#server/stores/system/secrets.ts';

describe('hashPassword()', () => {
  it('keeps what it costs beside the hash, with a salt of its own, and not the password', async () => {
    const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(one).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(other);
    expect(one).not.toContain('horse');
  });
});

describe('isPasswordOf()', () => {
  it('tells the right one from others, in either spelling of its letters', async () => {
    const hash = await hashPassword('pässword'.normalize('NFC'));
    expect(await isPasswordOf(hash, 'pässword'.normalize('NFD'))).toBe(true);
    expect(await isPasswordOf(hash, 'passwort')).toBe(false);
  });

  it('takes as long without a hash as with one', async () => {
    const hash = await hashPassword('correct horse');
    const timeOf = async (stored: string | null) => {
      const times = [];
      for (let round = 0; round < 3; round++) {
        const since = performance.now();
        expect(await isPasswordOf(stored, 'wrong password')).toBe(false);
        times.push(performance.now() - since);
      }
      return Math.min(...times);
    };
    const [withHash, without] = [await timeOf(hash), await timeOf(null)];
    expect(without / withHash).toBeGreaterThan(0.5);
    expect(without / withHash).toBeLessThan(2);
  });
});

describe('hashQueue()', () => {
  /** Work that ends when it is told to. */
  function work() {
    const begun: string[] = [];
    const ends: Array<() => void> = [];
    let most = 0;
    let running = 0;
    const of = (name: string) => () => {
      begun.push(name);
      most = Math.max(most, ++running);
      return new Promise<void>((resolve) => void ends.push(() => (running--, resolve())));
    };
    const endOne = async () => {
      ends.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { begun, of, endOne, most: () => most };
  }

  it('runs two at once, one of a lane, and lets lanes take turns', async () => {
    const queue = hashQueue();
    const { begun, of, endOne, most } = work();
    for (let guess = 0; guess < 5; guess++) void queue.run('guessed', of('guess'));
    void queue.run('honest', of('honest'));
    void queue.run('other', of('other'));
    expect(begun).toEqual(['guess', 'honest']);
    await endOne();
    expect(begun).toEqual(['guess', 'honest', 'other']);
    await endOne();
    expect(begun).toEqual(['guess', 'honest', 'other', 'guess']);
    for (let rest = 0; rest < 5; rest++) await endOne();
    expect(begun.filter((name) => name === 'guess')).toHaveLength(5);
    expect(most()).toBe(2);
  });

  it('answers RATE_LIMITED when eight of a lane wait, or 64 in all', async () => {
    const queue = hashQueue();
    const { of } = work();
    const outcomes = (lane: string, count: number) => Promise.all(Array.from({ length: count }, () => Promise.race([queue.run(lane, of(lane)).catch(({ code }) => code), new Promise((resolve) => setImmediate(resolve))])));
    expect((await outcomes('one', 12)).filter((code) => code === 'RATE_LIMITED')).toHaveLength(3);
    const many = await Promise.all(Array.from({ length: 70 }, (_, at) => outcomes(`lane ${at}`, 1)));
    // One of them runs beside the first lane, whose eight wait.
    expect(many.flat().filter((code) => code === 'RATE_LIMITED')).toHaveLength(70 - 1 - 56);
  });

  it('goes on behind work that fails', async () => {
    const queue = hashQueue();
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run('a', async () => 7)).toBe(7);
  });
});

describe('a pass', () => {
  const secrets = masterSecrets(Buffer.alloc(32, 7));
  const share = { id: 'a', passwordHash: 'scrypt$1' };
  const pass = sharePassFor(secrets, share, 1000);

  it('holds for an hour, for its link and its password alone', () => {
    expect(isSharePassFor(secrets, share, pass, 3_600_999)).toBe(true);
    expect(isSharePassFor(secrets, share, pass, 3_601_000)).toBe(false);
    expect(isSharePassFor(secrets, { ...share, id: 'b' }, pass, 1000)).toBe(false);
    expect(isSharePassFor(secrets, { ...share, passwordHash: 'scrypt$2' }, pass, 1000)).toBe(false);
    expect(isSharePassFor(secrets, share, pass.replace(/^\d+/, '9999999'), 1000)).toBe(false);
  });
});
