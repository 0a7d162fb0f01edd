import { describe, expect, it } from 'vitest';

import { isSharePassFor, sharePassFor } from '#server/features/shares/share-pass.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';

describe('a pass', () => {
  const secrets = masterSecrets(Buffer.alloc(32, 7));
  const share = { id: 'a', passwordHash: 'scrypt$1' };
  const pass = sharePassFor(secrets, share, 1000);

  it('is valid for an hour, only for its link and its password', () => {
    expect(isSharePassFor(secrets, share, pass, 3_600_999)).toBe(true);
    expect(isSharePassFor(secrets, share, pass, 3_601_000)).toBe(false);
    expect(isSharePassFor(secrets, { ...share, id: 'b' }, pass, 1000)).toBe(false);
    expect(isSharePassFor(secrets, { ...share, passwordHash: 'scrypt$2' }, pass, 1000)).toBe(false);
    expect(isSharePassFor(secrets, share, pass.replace(/^\d+/, '9999999'), 1000)).toBe(false);
  });
});
