import { describe, expect, it } from 'vitest';

import { masterSecrets } from '#server/stores/system/secrets.ts';

const secrets = masterSecrets(Buffer.alloc(32, 1));

describe('masterSecrets().credentialHash()', () => {
  it('gives the same 32 bytes for the same text, after a restart too', () => {
    const hash = Buffer.from(secrets.credentialHash('cbk_x'));
    expect(hash).toHaveLength(32);
    expect(hash.equals(masterSecrets(Buffer.alloc(32, 1)).credentialHash('cbk_x'))).toBe(true);
  });

  it('gives others for another text and another master key', () => {
    const hash = Buffer.from(secrets.credentialHash('cbk_x'));
    expect(hash.equals(secrets.credentialHash('cbk_y'))).toBe(false);
    expect(hash.equals(masterSecrets(Buffer.alloc(32, 2)).credentialHash('cbk_x'))).toBe(false);
  });

  it('is never changed again: what is stored would be lost', () => {
    // HMAC-SHA-256 of the text under HKDF-SHA-256(key = 32 × 0x01, salt = "cubby", info = "credential-hash"), worked out with Python.
    expect(Buffer.from(secrets.credentialHash('cbk_x')).toString('hex')).toBe('68aa764dbf7f6673035602f10bc5f92513e941d9beec4a372a175e0da8700aa3');
  });
});

describe('masterSecrets().verify()', () => {
  it('takes what sign() made', () => {
    const signature = secrets.sign('link', 'text');
    expect(signature).toMatch(/^[\w-]{43}$/);
    expect(secrets.verify('link', 'text', signature)).toBe(true);
  });

  it('keeps purposes apart, also when the texts around the border are the same', () => {
    const signature = secrets.sign('link', 'text');
    for (const [purpose, text] of [['links', 'text'], ['lin', 'ktext'], ['linkt', 'ext'], ['', 'linktext'], ['link', 'Text'], ['link', '']] as const) {
      expect(secrets.verify(purpose, text, signature), `${purpose}|${text}`).toBe(false);
    }
  });

  it('keeps signatures apart from the hashes of credentials', () => {
    const hash = Buffer.from(secrets.credentialHash('text')).toString('base64url');
    for (const purpose of ['credential-hash', 'sign:credential-hash', '']) expect(secrets.verify(purpose, 'text', hash)).toBe(false);
  });

  it('takes nothing of another master key', () => {
    expect(secrets.verify('link', 'text', masterSecrets(Buffer.alloc(32, 2)).sign('link', 'text'))).toBe(false);
  });

  it('takes no signature that differs in one bit, is shorter or longer, or is none', () => {
    const signature = secrets.sign('link', 'text');
    const bytes = Buffer.from(signature, 'base64url');
    for (let bit = 0; bit < 256; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(secrets.verify('link', 'text', flipped.toString('base64url')), `bit ${bit}`).toBe(false);
    }
    for (const wrong of ['', 'x', signature.slice(0, -1), signature.slice(2), `${signature}AA`, '\u0000', '😀'.repeat(22)]) expect(secrets.verify('link', 'text', wrong), wrong).toBe(false);
  });
});
