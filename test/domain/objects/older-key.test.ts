import { describe, expect, it } from 'vitest';

import { suffixOfOlderKey } from '#server/domain/objects/older-key.ts';

const hash = 'abcdefghijklmnop';
const row = { space: 'public', originalName: null, expiresAt: null } as const;

describe('suffixOfOlderKey()', () => {
  it.each([
    [{ ...row, key: 'a/photo.png' }, null, null, 'png'],
    [{ ...row, key: `a/photo_${hash}-ex30.png`, expiresAt: 1 }, hash, 'ex30', 'png'],
    [{ ...row, key: `a/photo_${hash}-ex6h.png` }, null, null, 'png'],
    [{ ...row, key: `report.v3_${hash}.gz` }, hash, null, 'gz'],
    [{ ...row, key: 'report.v1.gz', originalName: 'x.gz' }, null, null, 'gz'],
    [{ ...row, key: 'report.v1-ex7.gz', expiresAt: 1 }, null, 'ex7', 'gz'],
    [{ ...row, key: 'report.tar.gz', originalName: 'X.TAR.GZ' }, null, null, 'tar.gz'],
    [{ ...row, key: 'report.bin', originalName: 'blob' }, null, null, 'bin'],
    [{ ...row, key: `_${hash}.png` }, null, null, 'png'],
    [{ ...row, space: 'legacy', key: `photo_${hash}-ex30.png`, expiresAt: 1 }, null, null, 'png'],
  ] as const)('of %j', (object, hashOf, mark, extension) => {
    expect(suffixOfOlderKey(object)).toEqual({ hash: hashOf, mark, extension });
  });
});
