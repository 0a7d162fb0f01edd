import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { operationsOf, pascalCase, print, resolve } from '#openapi/codegen/document.ts';

/** Evaluates the printed text as TypeScript would. */
const evaluated = (text: string): unknown => new Function(`'use strict'; return (${text});`)();

describe('print()', () => {
  it.each([
    ['a', `'a'`],
    [`it's`, `'it\\'s'`],
    ['a\\b', `'a\\\\b'`],
    ['a\nb', `'a\\nb'`],
    ["\\'", `'\\\\\\''`],
    [7, '7'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'undefined'],
    [[], '[]'],
    [{}, '{}'],
    [{ a: undefined }, '{}'],
    [{ a: 1, 'b-c': [1, 'x'] }, `{ a: 1, 'b-c': [1, 'x'] }`],
    [{ '4xx': 1 }, `{ '4xx': 1 }`],
  ])('prints %j as %s', (value, text) => {
    expect(print(value)).toBe(text);
  });

  it('prints text that reads back as the same value, whatever it contains', () => {
    const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\r') && one !== '__proto__');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constant(null),
        fc.boolean(),
        fc.integer(),
        text,
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(text, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, (one) => {
        expect(evaluated(print(one))).toEqual(one);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps every text of the contract inside its quotes', () => {
    const evil = `'; process.exit(1); //`;
    for (const text of [
      evil,
      `\\${evil}`,
      `\n${evil}`,
      `\u2028${evil}`,
      `\u2029${evil}`,
      '${process.exit(1)}',
      '*/ process.exit(1) /*',
    ]) {
      expect(evaluated(print(text))).toBe(text);
      expect(evaluated(print({ [text]: text }))).toEqual({ [text]: text });
    }
  });

  it('breaks a value that is longer than a line, with one entry a line', () => {
    const text = print({ first: 'x'.repeat(60), second: 'y'.repeat(60) });
    expect(text).toBe(`{\n  first: '${'x'.repeat(60)}',\n  second: '${'y'.repeat(60)}',\n}`);
  });
});

describe('resolve()', () => {
  const document = { a: { $ref: '#/b/c~1d' }, b: { 'c/d': { $ref: '#/e' } }, e: { found: true } };

  it('follows references to references, with the escapes of JSON pointers', () => {
    expect(resolve(document, document.a)).toEqual({ found: true });
    expect(resolve(document, { plain: 1 })).toEqual({ plain: 1 });
  });

  it('throws when the bundle has no such place', () => {
    expect(() => resolve(document, { $ref: '#/b/nothing' })).toThrow('The bundle has no #/b/nothing');
  });
});

describe('operationsOf()', () => {
  it('returns operations in the order of the contract, with their door', () => {
    const paths = {
      '/b': { post: { operationId: 'b', tags: ['x'] }, get: { operationId: 'a', tags: ['x'] }, parameters: [] },
      '/a': { 'x-door': 'public', get: { operationId: 'c', tags: ['y'] } },
    };
    expect(operationsOf({ paths }).map(({ id, method, path, tag, door }) => [id, method, path, tag, door])).toEqual([
      ['a', 'get', '/b', 'x', 'api'],
      ['b', 'post', '/b', 'x', 'api'],
      ['c', 'get', '/a', 'y', 'public'],
    ]);
  });

  it('throws for an operation without a name', () => {
    expect(() => operationsOf({ paths: { '/a': { get: { tags: ['x'] } } } })).toThrow('get /a has no operationId');
  });
});

describe('pascalCase()', () => {
  it.each([
    ['objects', 'Objects'],
    ['upload-tokens', 'UploadTokens'],
    ['s3', 'S3'],
  ])('of %s is %s', (text, expected) => {
    expect(pascalCase(text)).toBe(expected);
  });
});
