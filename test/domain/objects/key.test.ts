import { describe, expect, it } from 'vitest';

import { storedKey } from '#server/domain/objects/key.ts';

const plain = { prefix: undefined, name: 'photo', hash: undefined, expire: undefined, extension: 'png' };

describe('storedKey()', () => {
  it.each([
    [plain, 'photo.png'],
    [{ ...plain, prefix: 'a/b' }, 'a/b/photo.png'],
    [{ ...plain, prefix: '' }, 'photo.png'],
    [{ ...plain, hash: 'abcdefghijklmnop' }, 'photo_abcdefghijklmnop.png'],
    [{ ...plain, expire: { hours: 720 } }, 'photo-ex30.png'],
    [{ ...plain, expire: { hours: 6 } }, 'photo-ex6h.png'],
    [{ prefix: 'p', name: 'n', hash: 'abcdefghijklmnop', expire: { hours: 24 }, extension: 'tar.gz' }, 'p/n_abcdefghijklmnop-ex1.tar.gz'],
  ])('of %j is %s', (parts, key) => {
    expect(storedKey(parts)).toBe(key);
  });
});
