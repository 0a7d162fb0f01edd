import { describe, expect, it } from 'vitest';

import { keyRing, type RingKey } from '#server/stores/system/key-ring.ts';
import { keySecrets } from '#server/stores/system/secrets.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';

const former: RingKey = { bytes: Buffer.alloc(32, 1), number: 1, signsUntil: 100, findsUntil: 200 };
const current: RingKey = { bytes: Buffer.alloc(32, 2), number: 2, signsUntil: Infinity, findsUntil: Infinity };
const [ofFormer, ofCurrent] = [keySecrets(former.bytes, 1), keySecrets(current.bytes, 2)];

/** Returns a ring of both keys and its clock. */
function rotated(now = 0) {
  const time = { now };
  let unverified = 0;
  const ring = keyRing(
    [current, former],
    () => time.now,
    () => unverified++,
  );
  return { ring, secrets: ring.secrets, time, unverified: () => unverified };
}

describe('keyRing()', () => {
  it('does with one key what that key does', () => {
    const { secrets } = keyRing([{ ...current, number: 1 }], () => 0);
    const only = masterSecrets(current.bytes);
    expect(secrets.credentialHash('cbk_x')).toEqual(only.credentialHash('cbk_x'));
    expect(secrets.sign('link', 'text')).toBe(only.sign('link', 'text'));
    expect(secrets.unseal('token', only.seal('token', 'text', 'id'), 'id')).toBe('text');
    expect([secrets.finders().length, secrets.signers().length, secrets.keyNumber]).toEqual([1, 1, 1]);
  });

  it('makes everything with the current key', () => {
    const { secrets } = rotated();
    expect(secrets.keyNumber).toBe(2);
    expect(secrets.credentialHash('cbk_x')).toEqual(ofCurrent.credentialHash('cbk_x'));
    expect(secrets.sign('link', 'text')).toBe(ofCurrent.sign('link', 'text'));
    const sealed = secrets.seal('token', 'text', 'id');
    expect([ofCurrent.unseal('token', sealed, 'id'), ofFormer.unseal('token', sealed, 'id')]).toEqual([
      'text',
      undefined,
    ]);
  });

  it('verifies signatures of the former key until they end', () => {
    const { secrets, time, unverified } = rotated();
    const signature = ofFormer.sign('link', 'text');
    expect(secrets.verify('link', 'text', signature)).toBe(true);
    expect(secrets.verify('other', 'text', signature)).toBe(false);
    expect(unverified()).toBe(1);
    time.now = 99;
    expect(secrets.verify('link', 'text', signature)).toBe(true);
    time.now = 100;
    expect(secrets.verify('link', 'text', signature)).toBe(false);
    expect(secrets.verify('link', 'text', ofCurrent.sign('link', 'text'))).toBe(true);
    expect(unverified()).toBe(2);
  });

  it('finds and reads what is stored under the former key until its grace period ends', () => {
    const { secrets, time } = rotated();
    const sealed = ofFormer.seal('token', 'text', 'id');
    const found = () => secrets.finders().map(({ keyNumber }) => keyNumber);
    time.now = 199;
    expect([found(), secrets.unseal('token', sealed, 'id')]).toEqual([[2, 1], 'text']);
    expect(secrets.unseal('token', sealed, 'other id')).toBeUndefined();
    time.now = 200;
    expect([found(), secrets.unseal('token', sealed, 'id')]).toEqual([[2], undefined]);
  });

  it('goes on with other keys after they were replaced', () => {
    const { ring, secrets } = rotated();
    const next: RingKey = { ...current, bytes: Buffer.alloc(32, 3), number: 3 };
    ring.replace([next]);
    expect(secrets.keyNumber).toBe(3);
    expect(secrets.verify('link', 'text', ofCurrent.sign('link', 'text'))).toBe(false);
    expect(secrets.verify('link', 'text', keySecrets(next.bytes, 3).sign('link', 'text'))).toBe(true);
    expect(ring.keys).toEqual([next]);
  });
});
