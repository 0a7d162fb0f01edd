import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { credentialPrefixes } from '#server/domain/credential-prefixes.ts';
import { credentialKind, credentialOf, newCredential, type CredentialKind } from '#server/domain/access/credential.ts';
import { randomIds } from '#server/stores/system/ids.ts';

const kinds = Object.keys(credentialPrefixes) as CredentialKind[];
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('newCredential()', () => {
  it.each([
    ['apiKey', /^cbk_[0-9A-Za-z]{46}$/],
    ['uploadToken', /^cbup_[0-9A-Za-z]{46}$/],
  ] as const)('makes an %s of the form %s', (kind, form) => {
    expect(newCredential(kind, randomIds)).toMatch(form);
  });

  it('ends in the CRC-32 of the text before it, in six digits of base 62', () => {
    const ids = { ...randomIds, secretText: (length: number) => 'A'.repeat(length) };
    // Worked out with Python: zlib.crc32(b'cbk_' + b'A' * 40) is 1558655299.
    expect(newCredential('apiKey', ids)).toBe(`cbk_${'A'.repeat(40)}1hTxRb`);
  });
});

describe('credentialKind()', () => {
  it.each(kinds)('recognises every new %s', (kind) => {
    for (let round = 0; round < 50; round++) expect(credentialKind(newCredential(kind, randomIds))).toBe(kind);
  });

  it('detects a typo in any single character', () => {
    for (const kind of kinds) {
      const credential = newCredential(kind, randomIds);
      for (let at = 0; at < credential.length; at++) {
        const wrong = base62[(base62.indexOf(credential[at]!) + 1) % 62]!;
        expect(
          credentialKind(credential.slice(0, at) + wrong + credential.slice(at + 1)),
          `place ${at}`,
        ).toBeUndefined();
      }
    }
  });

  it('detects two neighbours that changed places', () => {
    const credential = newCredential('apiKey', randomIds);
    for (let at = 4; at < credential.length - 1; at++) {
      const [a, b] = [credential[at]!, credential[at + 1]!];
      if (a === b) continue;
      expect(credentialKind(credential.slice(0, at) + b + a + credential.slice(at + 2)), `place ${at}`).toBeUndefined();
    }
  });

  it('rejects the prefix of another kind, and more or fewer characters', () => {
    const credential = newCredential('apiKey', randomIds);
    expect(credentialKind(credential.replace('cbk_', 'cbup_'))).toBeUndefined();
    for (const wrong of [
      '',
      'cbk_',
      credential.slice(0, -1),
      `${credential}0`,
      ` ${credential}`,
      `${credential}\n`,
      credential.toUpperCase(),
    ]) {
      expect(credentialKind(wrong), JSON.stringify(wrong)).toBeUndefined();
    }
  });

  it('rejects every text that was not made here', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => credentialKind(text) === undefined && credentialKind(`cbk_${text}`) === undefined,
      ),
    );
  });
});

describe('credentialOf()', () => {
  it.each([
    ['cbk_x', 'cbk_x'],
    ['Bearer cbk_x', 'cbk_x'],
    ['bearer   cbk_x', 'cbk_x'],
    ['  cbk_x ', 'cbk_x'],
    ['Basic Y2Jr', 'Basic Y2Jr'],
    ['', undefined],
    ['  ', undefined],
    [undefined, undefined],
  ])('reads %j as %j', (header, expected) => {
    expect(credentialOf(header)).toBe(expected);
  });
});
