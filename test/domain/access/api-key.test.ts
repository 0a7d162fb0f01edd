import { describe, expect, it } from 'vitest';

import { isLive, type ApiKey } from '#server/domain/access/api-key.ts';

const key: ApiKey = {
  id: 'key',
  accountId: '204815162342108999',
  name: 'test',
  scopes: ['*'],
  resources: null,
  prefixes: null,
  ai: null,
  createdAt: 1000,
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  last4: 'abcd',
  s3Salt: null,
  s3Check: null,
  s3Sealed: null,
};

describe('isLive()', () => {
  it('is true for ever without an expiry', () => {
    expect(isLive(key, Number.MAX_SAFE_INTEGER)).toBe(true);
  });

  it('is true until the millisecond of its expiry', () => {
    expect(isLive({ ...key, expiresAt: 5000 }, 4999)).toBe(true);
    expect(isLive({ ...key, expiresAt: 5000 }, 5000)).toBe(false);
  });

  it('is false once revoked, also before the instant of revocation and when it would expire later', () => {
    expect(isLive({ ...key, revokedAt: 3000, expiresAt: 9000 }, 2000)).toBe(false);
  });
});
