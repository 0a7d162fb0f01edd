import { describe, expect, it } from 'vitest';

import { isMetadata } from '#server/domain/object-metadata.ts';

describe('isMetadata()', () => {
  it.each([
    ['nothing', {}],
    ['five keys', { a: '', b: '', c: '', d: '', e: '' }],
    ['a key of 64 characters', { ['k'.repeat(64)]: 'v' }],
    ['512 bytes, key and value together', { 'key-1': 'v'.repeat(507) }],
    ['characters of several bytes up to 512 bytes', { k: `${'😀'.repeat(127)}abc` }],
    ['a key that only looks reserved', { cubby: 'x', 'x-cubby-y': 'x' }],
    ['the JSON value of a key given twice', JSON.parse('{"a":"1","a":"2"}')],
  ])('accepts %s', (_what, value) => {
    expect(isMetadata(value)).toBe(true);
  });

  it.each([
    ['six keys', { a: '', b: '', c: '', d: '', e: '', f: '' }],
    ['an empty key', { '': 'x' }],
    ['a key of 65 characters', { ['k'.repeat(65)]: 'v' }],
    ['upper case', { Key: 'x' }],
    ['an underscore', { a_b: 'x' }],
    ['a reserved key', { 'cubby-x': 'x' }],
    ['513 bytes', { 'key-1': 'v'.repeat(508) }],
    ['513 bytes in fewer characters', { k: '😀'.repeat(128) }],
    ['a number', { a: 1 }],
    ['null in it', { a: null }],
    ['an object in it', { a: {} }],
    ...['\r', '\n', '\u0000', '\t', '\u001b', '\u007f', '\u0085', '\u009f'].map(
      (control) => [`${JSON.stringify(control)} in it`, { a: `b${control}c` }] as [string, unknown],
    ),
    ['a line end at its end', { a: 'b\n' }],
    ['half a character', { a: '\ud83d' }],
    ['__proto__ as JSON.parse makes it', JSON.parse('{"__proto__":"x"}')],
    ['a list', ['a']],
    ['null', null],
    ['a text', 'a'],
    ['nothing at all', undefined],
  ])('rejects %s', (_what, value) => {
    expect(isMetadata(value)).toBe(false);
  });
});
