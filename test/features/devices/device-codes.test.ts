import { describe, expect, it } from 'vitest';

import { deviceCredential, newUserCode, parseUserCode, userCredential } from '#server/features/devices/device-codes.ts';
import { randomIds } from '#server/stores/system/ids.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';

describe('newUserCode()', () => {
  it('returns two groups of four unambiguous consonants, and parseUserCode() returns them unchanged', () => {
    const codes = Array.from({ length: 500 }, () => newUserCode(randomIds));
    for (const code of codes) {
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
      expect(parseUserCode(code)).toBe(code);
    }
    expect(new Set(codes).size).toBe(500);
  });
});

describe('parseUserCode()', () => {
  it.each([
    'WDJB-MJHT',
    'wdjb-mjht',
    'WDJBMJHT',
    ' wdjb mjht ',
    'W D J B M J H T',
    'WDJB–MJHT',
    'WDJB—MJHT',
    'wdjb\u00a0mjht',
    '-WDJB--MJHT-\n',
  ])('reads %j', (text) => {
    expect(parseUserCode(text)).toBe('WDJB-MJHT');
  });

  it.each([
    '',
    'WDJB-MJH',
    'WDJB-MJHTT',
    'WDJB-MJHA',
    'WDJB-MJH0',
    'WDJB_MJHT',
    'ＷDJBMJHT',
    'WDJB-MJHT\u0000',
    'WDJB.MJHT',
  ])('rejects %j', (text) => {
    expect(parseUserCode(text)).toBeUndefined();
  });
});

describe('codes', () => {
  it('have different hashes as a device code, a user code and a credential', () => {
    const secrets = masterSecrets(Buffer.alloc(32, 7));
    const hashes = [
      secrets.credentialHash(deviceCredential('WDJB-MJHT')),
      secrets.credentialHash(userCredential('WDJB-MJHT')),
      secrets.credentialHash('WDJB-MJHT'),
    ];
    expect(new Set(hashes.map((hash) => Buffer.from(hash).toString('hex'))).size).toBe(3);
  });
});
