import { describe, expect, it } from 'vitest';

import type { ObjectEntry } from '#dist/modules/client/index.js';
import { folderEntry, type Entry } from '#console/screens/files/entry.ts';
import { keptDays } from '#console/screens/files/kept-days.ts';

const file = (key: string): Entry => ({ kind: 'file', key, name: key, file: { id: key } as ObjectEntry });
const rules = [{ prefix: 'a/', keep_deleted_days: 7 }, { prefix: 'a/b/', keep_deleted_days: 30 }, { prefix: 'c/' }];

describe('keptDays()', () => {
  it.each([
    ['the longest rule', [file('pub/1/a/x.txt')], 7],
    ['a deeper rule', [file('prv/1/a/b/x.txt')], 30],
    ['a rule that keeps nothing', [file('pub/1/c/x.txt')], 0],
    ['no rule', [file('pub/1/ab/x.txt')], 0],
    ['a folder of one rule', [folderEntry('a/b/')], 30],
    ['a folder with two rules', [folderEntry('a/')], undefined],
    ['a folder above a rule', [folderEntry('a/')], undefined],
    ['files of two rules', [file('pub/1/a/x.txt'), file('pub/1/c/x.txt')], undefined],
    ['a legacy file', [file('1/a/x.txt')], undefined],
  ] as const)('of %s', (_, entries, days) => {
    expect(keptDays(rules, entries)).toBe(days);
  });
});
