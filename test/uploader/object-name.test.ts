import { objectName } from 'cubby/uploader';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { contract } from '#test/support/contract.ts';

const pattern = new RegExp(contract.components.schemas.ObjectName.pattern);

describe('objectName()', () => {
  it.each([
    ['april.pdf', 'april'],
    ['site.tar.gz', 'site'],
    ['Été à la mer (1).JPG', 'Ete-a-la-mer-1'],
    ['.profile', 'profile'],
    ['archive', 'archive'],
    ['a..b.txt', 'a.b'],
    ['report-ex7.pdf', 'report-ex7_'],
    ['v1.2.zip', 'v1.2'],
  ])('makes %j %j', (filename, name) => {
    expect(objectName(filename)).toBe(name);
  });

  it('tells names apart whose letters it cannot keep', () => {
    const names = ['отчёт.pdf', 'план.pdf', '报告.pdf', '報告 2024.pdf', 'план 2024.pdf'].map(objectName);
    expect(new Set(names).size).toBe(names.length);
    expect(names[0]).toMatch(/^file-[0-9a-f]{8}$/);
  });

  it('makes a name that the contract allows of whatever it is given, and the same one each time', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string({ unit: 'binary', maxLength: 300 })), (filename) => {
        expect(objectName(filename)).toMatch(pattern);
        expect(objectName(filename)).toBe(objectName(filename));
      }),
      { numRuns: 500 },
    );
  });
});
