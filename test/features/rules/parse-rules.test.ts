import { describe, expect, it } from 'vitest';

import { parseRules } from '#server/features/rules/parse-rules.ts';
import { givenRule, newRule } from './rules.ts';

describe('parseRules()', () => {
  it('saves a prefix with its trailing slash, given with or without it', () => {
    expect(parseRules([givenRule({ prefix: 'a/b' }), givenRule({ prefix: 'c/' })]).map(({ prefix }) => prefix)).toEqual(
      ['a/b/', 'c/'],
    );
  });

  it('throws INVALID_RULE_PREFIX for an invalid prefix', () => {
    for (const prefix of ['', '/', 'a//', '../a'])
      expect(() => parseRules([givenRule({ prefix })])).toThrow('INVALID_RULE_PREFIX');
  });

  it('leaves options unset that are not given, and distinguishes false from unset', () => {
    expect(parseRules([givenRule({})])).toEqual([newRule({})]);
    expect(parseRules([givenRule({ isPrivate: false })])).toEqual([newRule({ isPrivate: false })]);
  });

  it('reads every option, durations in each notation, and a repeated extension once', () => {
    const given = givenRule({
      isPrivate: true,
      expire: '6h',
      maxSizeBytes: 512,
      extensions: ['pdf', 'tar.gz', 'pdf'],
      cacheControl: 'max-age=60',
      deleteAfterDays: 365,
    });
    expect(parseRules([given])).toEqual([
      newRule({
        isPrivate: true,
        expire: { hours: 6 },
        maxSizeBytes: 512,
        extensions: ['pdf', 'tar.gz'],
        cacheControl: 'max-age=60',
        deleteAfterDays: 365,
      }),
    ]);
    for (const expire of ['30', '30d', 30, '720h'])
      expect(parseRules([givenRule({ expire })])[0]!.expire).toEqual({ hours: 720 });
  });

  it.each([
    ['INVALID_RULE_EXPIRE', { expire: '1826' }],
    ['INVALID_RULE_EXPIRE', { expire: '43801h' }],
    ['INVALID_RULE_EXPIRE', { expire: 1826 }],
    ['INVALID_RULE_CACHE_CONTROL', { cacheControl: 'max-age=59' }],
    ['INVALID_RULE_CACHE_CONTROL', { cacheControl: 'max-age=31536001' }],
  ])('throws %s, with the prefix, for %j', (code, options) => {
    expect(() => parseRules([givenRule({ prefix: 'a' }), givenRule(options)])).toThrow(
      expect.objectContaining({ code, prefix: 'invoices/' }),
    );
  });

  it('throws DUPLICATE_RULE_PREFIX when two rules have one prefix, with and without the slash', () => {
    const given = [givenRule({ prefix: 'a' }), givenRule({ prefix: 'b' }), givenRule({ prefix: 'a/' })];
    expect(() => parseRules(given)).toThrow(expect.objectContaining({ code: 'DUPLICATE_RULE_PREFIX', prefix: 'a/' }));
    expect(
      parseRules([givenRule({ prefix: 'a' }), givenRule({ prefix: 'A' }), givenRule({ prefix: 'a/a' })]),
    ).toHaveLength(3);
  });
});
