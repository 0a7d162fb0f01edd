import { describe, expect, it } from 'vitest';

import type { ObjectEntry } from '#dist/modules/client/index.js';
import { folderEntry, type Entry } from '#console/screens/files/entry.ts';
import { expiresEarlier, keptDays } from '#console/screens/files/kept-days.ts';

const file = (key: string): Entry => ({ kind: 'file', key, name: key, file: { id: key } as ObjectEntry });
const rules = [{ prefix: 'a/', keep_deleted_days: 7 }, { prefix: 'a/b/', keep_deleted_days: 30 }, { prefix: 'c/' }];

describe('keptDays()', () => {
  it.each([
    ['the longest rule', [file('pub/1/a/x.txt')], [7, 30]],
    ['a deeper rule', [file('prv/1/a/b/x.txt')], [30, 30]],
    ['a rule that keeps nothing', [file('pub/1/c/x.txt')], [0, 30]],
    ['no rule', [file('pub/1/ab/x.txt')], [0, 30]],
    ['a folder of one rule', [folderEntry('a/b/')], [30, 30]],
    ['a folder with two rules', [folderEntry('a/')], ['7+', 30]],
    ['the folder above all rules', [folderEntry('')], ['0+', 30]],
    ['files of two rules', [file('pub/1/a/x.txt'), file('pub/1/c/x.txt')], ['0+', 30]],
    ['a legacy file', [file('1/a/x.txt')], [7, 30]],
    ['a file whose name is a rule', [file('pub/1/c')], [0, 30]],
  ] as const)('of %s, by the rules alone and with 30 days of the console', (_, entries, [byRules, byBoth]) => {
    const shown = (own: number) => {
      const { days, isExact } = keptDays(rules, own, entries);
      return isExact ? String(days) : `${days}+`;
    };
    expect([shown(0), shown(30)]).toEqual([String(byRules), String(byBoth)]);
  });

  it.each([
    [10, ['a/b/'], '30', false],
    [10, ['a/'], '10+', true],
    [60, ['a/'], '60', true],
    [0, ['c/'], '0', false],
  ] as const)('with %i days of the console: %j', (own, folders, shown, isYielding) => {
    const kept = keptDays(rules, own, folders.map(folderEntry));
    expect([kept.isExact ? String(kept.days) : `${kept.days}+`, kept.isYielding]).toEqual([shown, isYielding]);
  });
});

it('expiresEarlier() finds a file that ends before the trash would give it up', () => {
  const day = 86_400_000;
  const ending = (days: number): Entry => ({
    ...{ kind: 'file', key: 'pub/1/a', name: 'a' },
    file: { id: 'pub/1/a', expires_at: new Date(days * day).toISOString() } as ObjectEntry,
  });
  expect(expiresEarlier([file('pub/1/a'), folderEntry('a/')], 30, 0)).toBe(false);
  expect(expiresEarlier([ending(31)], 30, 0)).toBe(false);
  expect(expiresEarlier([file('pub/1/a'), ending(29)], 30, 0)).toBe(true);
});
