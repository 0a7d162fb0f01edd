import { describe, expect, it } from 'vitest';

import { readPrefix } from '#server/domain/file-options.ts';
import { suffixOfForeignKey, markOf, storedKey, withSuffix } from '#server/features/files/key.ts';

const plain = { hash: null, mark: null, extension: 'png' };
const hash = 'abcdefghijklmnop';

describe('storedKey()', () => {
  it.each([
    [undefined, 'photo', plain, 'photo.png'],
    ['a/b', 'photo', plain, 'a/b/photo.png'],
    ['', 'photo', plain, 'photo.png'],
    [undefined, 'photo', { ...plain, hash }, `photo_${hash}.png`],
    [undefined, 'photo', { ...plain, mark: markOf({ hours: 720 }) }, 'photo-ex30.png'],
    [undefined, 'photo', { ...plain, mark: markOf({ hours: 6 }) }, 'photo-ex6h.png'],
    ['p', 'n', { hash, mark: markOf({ hours: 24 }), extension: 'tar.gz' }, `p/n_${hash}-ex1.tar.gz`],
    [undefined, 'README', { hash: null, mark: null, extension: '' }, 'README'],
  ])('of %j, %j and %j is %s', (prefix, name, suffix, key) => {
    expect(storedKey(readPrefix(prefix), name, suffix)).toBe(key);
  });
});

describe('withSuffix()', () => {
  it('changes only the given parts and keeps name and folders, whatever they look like', () => {
    const name = `a_${hash}-ex7.tar`;
    const object = { key: storedKey(readPrefix('b.gz'), name, plain), suffix: plain };
    const marked = withSuffix(object, { mark: 'ex30' });
    expect(marked).toEqual({ key: `b.gz/${name}-ex30.png`, suffix: { ...plain, mark: 'ex30' } });
    expect(withSuffix(marked, { mark: null })).toEqual(object);
  });
});

describe('suffixOfForeignKey()', () => {
  it.each([
    ['photo-ex30.jpg', 'jpg'],
    [`a.b/c_${hash}.JPG`, 'JPG'],
    ['a.Tar.GZ', 'Tar.GZ'],
    ['report.v1-ex30.gz', 'gz'],
    ['a/README', ''],
    ['a.b/README', ''],
    ['.profile', ''],
    ['a.', ''],
    ['a.İİ', 'İİ'],
  ])('of %s has the extension "%s" and nothing else', (key, extension) => {
    expect(suffixOfForeignKey(key)).toEqual({ hash: null, mark: null, extension });
  });
});
