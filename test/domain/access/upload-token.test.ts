import { describe, expect, it } from 'vitest';

import type { ApiKey } from '#server/domain/access/api-key.ts';
import {
  refusalOf,
  stateOf,
  uploadTokenStates,
  type UploadToken,
  type UploadTokenState,
  type UploadTokenUse,
} from '#server/domain/access/upload-token.ts';

const key = { revokedAt: null, expiresAt: null } as ApiKey;
const token: Pick<UploadToken, 'expiresAt' | 'endedAt' | 'usesLeft'> = { expiresAt: 1000, endedAt: null, usesLeft: 1 };

/** Returns the code for spending a use at 999, or `undefined`. Each test below is a row of the description. */
const spending = (changes: Partial<typeof token>, ofKey: ApiKey | undefined = key, now = 999) =>
  refusalOf(stateOf({ ...token, ...changes }, ofKey, now), 'spend');

describe('an upload token', () => {
  it('is usable', () => {
    expect(spending({})).toBeUndefined();
  });

  it('becomes used up when uses run out (401 UPLOAD_TOKEN_USED)', () => {
    expect(spending({ usesLeft: 0 })).toBe('UPLOAD_TOKEN_USED');
  });

  it('becomes expired at expires_at (401 ACCESS_DENIED)', () => {
    expect(spending({}, key, 1000)).toBe('ACCESS_DENIED');
  });

  it('becomes expired when the minting API key is revoked (401 ACCESS_DENIED)', () => {
    expect(spending({}, { ...key, revokedAt: 1 })).toBe('ACCESS_DENIED');
  });

  it('spends no use on parts and completion, so these still work when it is used up or expired', () => {
    for (const state of [stateOf({ ...token, usesLeft: 0 }, key, 999), stateOf(token, key, 1000)])
      expect(refusalOf(state, 'follow')).toBeUndefined();
  });
});

describe('stateOf()', () => {
  const states: ReadonlyArray<readonly [UploadTokenState, string, Partial<typeof token>, ApiKey | undefined, number]> =
    [
      ['usable', 'up to its last moment', {}, key, 999],
      ['used up', 'without uses', { usesLeft: 0 }, key, 999],
      ['expired', 'at its end', {}, key, 1000],
      ['expired', 'rather than used up', { usesLeft: 0 }, key, 1000],
      ['ended', 'with a revoked key, rather than used up', { usesLeft: 0 }, { ...key, revokedAt: 1 }, 999],
      ['ended', 'with a revoked key, rather than expired', {}, { ...key, revokedAt: 1 }, 1000],
      ['ended', 'with an expired key', {}, { ...key, expiresAt: 999 }, 999],
      ['ended', 'with a missing key', {}, undefined, 999],
      ['ended', 'with the secret that minted it', { endedAt: 500 }, key, 999],
    ];

  it.each(states)('returns %s %s', (state, _, changes, ofKey, now) => {
    expect(stateOf({ ...token, ...changes }, ofKey, now)).toBe(state);
  });
});

describe('refusalOf()', () => {
  const uses: readonly UploadTokenUse[] = ['spend', 'follow', 'other'];
  it.each([
    ['usable', [undefined, undefined, undefined]],
    ['used up', ['UPLOAD_TOKEN_USED', undefined, undefined]],
    ['expired', ['ACCESS_DENIED', undefined, 'ACCESS_DENIED']],
    ['ended', ['ACCESS_DENIED', 'ACCESS_DENIED', 'ACCESS_DENIED']],
  ] as const)('returns the codes for spend, follow and other requests of a token that is %s', (state, codes) => {
    expect(uses.map((use) => refusalOf(state, use))).toEqual(codes);
  });

  it('knows every state', () => {
    expect(Object.keys(uploadTokenStates)).toEqual(['usable', 'used up', 'expired', 'ended']);
  });
});
