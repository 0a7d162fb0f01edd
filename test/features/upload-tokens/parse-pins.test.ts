import { describe, expect, it } from 'vitest';

import { parsePins, type GivenPins } from '#server/features/upload-tokens/parse-pins.ts';

const nothing: GivenPins = {
  name: undefined,
  prefix: undefined,
  isPrivate: undefined,
  securityHash: undefined,
  expire: undefined,
  maxSizeBytes: undefined,
  allowedExtensions: undefined,
  allowedOrigins: undefined,
  metadata: undefined,
  callbackMetadata: undefined,
};

const pins = (given: Partial<GivenPins>, jsonBytes = 2) => parsePins({ ...nothing, ...given }, jsonBytes);

const codeOf = (given: Partial<GivenPins>, jsonBytes?: number) => {
  try {
    return pins(given, jsonBytes);
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('parsePins()', () => {
  it('pins only the given fields', () => {
    expect(pins({})).toEqual({});
  });

  it('reads every given field, and repeated entries once', () => {
    expect(
      pins({
        name: 'a',
        prefix: 'b/c',
        isPrivate: false,
        securityHash: false,
        expire: 30,
        maxSizeBytes: 512,
        allowedExtensions: ['png', 'png', 'tar.gz'],
        allowedOrigins: ['https://a:443', 'https://a'],
        metadata: { k: 'v' },
      }),
    ).toEqual({
      name: 'a',
      prefix: 'b/c',
      isPrivate: false,
      securityHash: false,
      expire: { hours: 720 },
      maxSizeBytes: 512,
      allowedExtensions: ['png', 'tar.gz'],
      allowedOrigins: ['https://a'],
      metadata: { k: 'v' },
    });
  });

  it('distinguishes null, which keeps files for good, from no expiry at all', () => {
    expect(pins({ expire: null })).toEqual({ expire: null });
    expect(pins({ expire: '6h' })).toEqual({ expire: { hours: 6 } });
  });

  it.each([
    ['that is off without a name', {}, false],
    ['that is off for a private file', { name: 'a', isPrivate: true }, false],
  ])('throws INVALID_OBJECT_SECURITY_HASH for a hash %s', (_, given, securityHash) => {
    expect(codeOf({ ...given, securityHash })).toBe('INVALID_OBJECT_SECURITY_HASH');
  });

  it.each([
    [{}, true],
    [{ name: 'a' }, true],
    [{ name: 'a' }, false],
    [{ name: 'a', isPrivate: true }, true],
    [{ name: 'a', isPrivate: false }, false],
  ])('accepts with %j a hash that is %s', (given, securityHash) => {
    expect(pins({ ...given, securityHash })).toEqual({ ...given, securityHash });
  });

  it.each(['0h', '1826', '43801h', '1y', 1826])('throws INVALID_OBJECT_EXPIRE for %s', (expire) => {
    expect(codeOf({ expire })).toBe('INVALID_OBJECT_EXPIRE');
  });

  it('throws INVALID_ALLOWED_ORIGINS for one wrong origin, and INVALID_OBJECT_METADATA for wrong metadata', () => {
    expect(codeOf({ allowedOrigins: ['https://a', 'https://*.b'] })).toBe('INVALID_ALLOWED_ORIGINS');
    expect(codeOf({ metadata: { key: 'x'.repeat(510) } })).toBe('INVALID_OBJECT_METADATA');
  });

  it('throws UPLOAD_TOKEN_TOO_LARGE above 2048 bytes, after the checks of the single fields', () => {
    expect(codeOf({}, 2048)).toEqual({});
    expect(codeOf({}, 2049)).toBe('UPLOAD_TOKEN_TOO_LARGE');
    expect(codeOf({ allowedOrigins: ['*'] }, 2049)).toBe('INVALID_ALLOWED_ORIGINS');
  });
});
