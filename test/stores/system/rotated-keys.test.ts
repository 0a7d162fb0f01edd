import { describe, expect, it } from 'vitest';

import type { MasterKeyRotation } from '#server/domain/master-key/rotation.ts';
import { keyCheckOf } from '#server/stores/system/master-key.ts';
import { openKeys, requireKeys, sealKeys } from '#server/stores/system/rotated-keys.ts';

const key = (text: string) => Buffer.from(text.repeat(32));
const [former, next, other] = [key('a'), key('b'), key('c')];

const begun: MasterKeyRotation = {
  ...sealKeys(former, next),
  number: 2,
  beganAt: 0,
  inForceAt: null,
  signsUntil: null,
  findsUntil: null,
  resealedAt: null,
  endedAt: null,
};
const inForce: MasterKeyRotation = { ...begun, inForceAt: 10, signsUntil: 50, findsUntil: 100 };
const ended: MasterKeyRotation = { ...inForce, endedAt: 100, sealedKey: null, sealedFormer: null };

/** Returns the texts and the numbers of the keys that a process with `known` opens. */
function opened(known: Buffer, rotation: MasterKeyRotation | undefined, now = 20, current = next) {
  const keys = openKeys([known], { check: keyCheckOf(current), rotation }, now);
  return keys?.map(({ bytes, number }) => [Buffer.from(bytes).toString()[0], number]);
}

describe('openKeys()', () => {
  it('returns the only key before the first rotation, and after one', () => {
    expect(opened(former, undefined, 0, former)).toEqual([['a', 1]]);
    expect(opened(next, ended)).toEqual([['b', 2]]);
  });

  it('returns both keys to a process with either of them, the one in force first', () => {
    for (const known of [former, next]) {
      expect(opened(known, begun, 20, former)).toEqual([
        ['a', 1],
        ['b', 2],
      ]);
      expect(opened(known, inForce)).toEqual([
        ['b', 2],
        ['a', 1],
      ]);
    }
    const [, held] = openKeys([next], { check: keyCheckOf(next), rotation: inForce }, 20)!;
    expect(held).toMatchObject({ signsUntil: 50, findsUntil: 100 });
  });

  it('opens nothing with the former key once the grace period is over or the new key was removed', () => {
    expect(opened(former, inForce, 99)).toBeDefined();
    expect(opened(former, inForce, 100)).toBeUndefined();
    expect(opened(former, ended)).toBeUndefined();
    expect(opened(former, { ...inForce, sealedKey: null })).toBeUndefined();
    expect(opened(next, inForce, 100)).toEqual([['b', 2]]);
  });

  it('returns undefined for a key of another installation', () => {
    for (const rotation of [undefined, begun, inForce, ended]) expect(opened(other, rotation)).toBeUndefined();
    expect(opened(next, inForce, 20, other), 'another check value').toBeUndefined();
  });
});

describe('requireKeys()', () => {
  const place = { dataDir: '/data', masterKeySource: undefined };

  it('says whether the key is a former one or unknown, and shows none', () => {
    const stored = { check: keyCheckOf(next), rotation: ended };
    expect(() => requireKeys(place, { database: 'cubby.db', masterKey: former }, stored, 200)).toThrow(
      new RegExp(
        String.raw`^/data/master\.key holds the master key number 1, which "cubby master-key rotate" replaced on ` +
          String.raw`1970-01-01T00:00:00\.010Z.*number 2 there`,
      ),
    );
    expect(() => requireKeys(place, { database: 'cubby.db', masterKey: other }, stored, 200)).toThrow(
      /holds another master key than/,
    );
  });
});
