import { describe, expect, it } from 'vitest';

import { masterSecrets } from '#test/support/master-secrets.ts';

const secrets = masterSecrets(Buffer.alloc(32, 1));

describe('masterSecrets().credentialHash()', () => {
  it('returns the same 32 bytes for the same text, also after a restart', () => {
    const hash = Buffer.from(secrets.credentialHash('cbk_x'));
    expect(hash).toHaveLength(32);
    expect(hash.equals(masterSecrets(Buffer.alloc(32, 1)).credentialHash('cbk_x'))).toBe(true);
  });

  it('returns other bytes for another text and another master key', () => {
    const hash = Buffer.from(secrets.credentialHash('cbk_x'));
    expect(hash.equals(secrets.credentialHash('cbk_y'))).toBe(false);
    expect(hash.equals(masterSecrets(Buffer.alloc(32, 2)).credentialHash('cbk_x'))).toBe(false);
  });

  it('never changes, because stored hashes would be lost', () => {
    // HMAC-SHA-256 of the text under HKDF-SHA-256(key = 32 × 0x01, salt = "cubby", info = "credential-hash"), computed
    // with Python.
    expect(Buffer.from(secrets.credentialHash('cbk_x')).toString('hex')).toBe(
      '68aa764dbf7f6673035602f10bc5f92513e941d9beec4a372a175e0da8700aa3',
    );
  });
});

describe('masterSecrets().verify()', () => {
  it('accepts the result of sign()', () => {
    const signature = secrets.sign('link', 'text');
    expect(signature).toMatch(/^[\w-]{43}$/);
    expect(secrets.verify('link', 'text', signature)).toBe(true);
  });

  it('separates purposes, also when the texts around the border are the same', () => {
    const signature = secrets.sign('link', 'text');
    for (const [purpose, text] of [
      ['links', 'text'],
      ['lin', 'ktext'],
      ['linkt', 'ext'],
      ['', 'linktext'],
      ['link', 'Text'],
      ['link', ''],
    ] as const) {
      expect(secrets.verify(purpose, text, signature), `${purpose}|${text}`).toBe(false);
    }
  });

  it('separates signatures from the hashes of credentials', () => {
    const hash = Buffer.from(secrets.credentialHash('text')).toString('base64url');
    for (const purpose of ['credential-hash', 'sign:credential-hash', ''])
      expect(secrets.verify(purpose, 'text', hash)).toBe(false);
  });

  it('rejects signatures of another master key', () => {
    expect(secrets.verify('link', 'text', masterSecrets(Buffer.alloc(32, 2)).sign('link', 'text'))).toBe(false);
  });

  it('rejects signatures that differ in one bit, are shorter or longer, or are malformed', () => {
    const signature = secrets.sign('link', 'text');
    const bytes = Buffer.from(signature, 'base64url');
    for (let bit = 0; bit < 256; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(secrets.verify('link', 'text', flipped.toString('base64url')), `bit ${bit}`).toBe(false);
    }
    for (const wrong of [
      '',
      'x',
      signature.slice(0, -1),
      signature.slice(2),
      `${signature}AA`,
      '\u0000',
      '😀'.repeat(22),
    ])
      expect(secrets.verify('link', 'text', wrong), wrong).toBe(false);
  });
});

describe('masterSecrets().unseal()', () => {
  it('opens every text that seal() returned', () => {
    for (const text of ['', 'token', '☁ é', 'x'.repeat(10_000)])
      expect(secrets.unseal('token', secrets.seal('token', text, 'app_1'), 'app_1')).toBe(text);
  });

  it('seals the same text differently each time, and reveals nothing of it', () => {
    const sealed = Array.from({ length: 100 }, () => secrets.seal('token', 'aaaaaaaaaaaaaaaa', 'app_1'));
    expect(new Set(sealed).size).toBe(100);
    for (const one of sealed) expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('aaaa');
  });

  it('does not open texts for another purpose, bound to other text, or under another master key', () => {
    const sealed = secrets.seal('token', 'text', 'app_1');
    expect(secrets.unseal('secret', sealed, 'app_1')).toBeUndefined();
    expect(secrets.unseal('token', sealed, 'app_2')).toBeUndefined();
    expect(masterSecrets(Buffer.alloc(32, 2)).unseal('token', sealed, 'app_1')).toBeUndefined();
  });

  it('does not open texts that differ in one bit, are shorter or longer, or are malformed', () => {
    const bytes = Buffer.from(secrets.seal('token', 'text', 'app_1'), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(secrets.unseal('token', flipped.toString('base64url'), 'app_1'), `bit ${bit}`).toBeUndefined();
    }
    for (const wrong of [
      bytes.subarray(1),
      bytes.subarray(0, -1),
      Buffer.concat([bytes, Buffer.of(0)]),
      Buffer.alloc(0),
      Buffer.alloc(27),
      Buffer.alloc(28),
    ])
      expect(secrets.unseal('token', wrong.toString('base64url'), 'app_1')).toBeUndefined();
  });
});
