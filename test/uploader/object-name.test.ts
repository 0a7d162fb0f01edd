import { objectName } from 'cubby-server/uploader';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { contract } from '#test/support/contract.ts';

const pattern = new RegExp(contract.components.schemas.ObjectName.pattern);

describe('objectName()', () => {
  it.each([
    ['april.pdf', 'april'],
    ['site.tar.gz', 'site'],
    ['Été à la mer (1).JPG', 'Ete-a-la-mer-1-b53af83d'],
    ['.profile', 'profile-cedba6e2'],
    ['archive', 'archive'],
    ['a..b.txt', 'a.b-87bf0aa8'],
    ['report-ex7.pdf', 'report-ex7-8bb045c8'],
    ['v1.2.zip', 'v1.2'],
  ])('returns for %j the name %j', (filename, name) => {
    expect(objectName(filename)).toBe(name);
  });

  it('keeps names apart whose letters it cannot keep', () => {
    const names = ['отчёт.pdf', 'план.pdf', '报告.pdf', '報告 2024.pdf', 'план 2024.pdf'].map(objectName);
    expect(new Set(names).size).toBe(names.length);
    expect(names[0]).toMatch(/^file-[0-9a-f]{8}$/);
  });

  it.each([
    ['C++.txt', 'C#.txt'],
    ['a b.txt', 'a-b.txt'],
    ['résumé.pdf', 'resume.pdf'],
    ['photo (1).jpg', 'photo 1.jpg'],
    ['report-ex7.pdf', 'report-ex7_.pdf'],
    [`${'x'.repeat(120)}1.txt`, `${'x'.repeat(120)}2.txt`],
  ])('keeps %j and %j apart', (one, other) => {
    expect(objectName(one)).not.toBe(objectName(other));
  });

  it('treats both ways of writing an accent as the same', () => {
    expect(objectName('e\u0301.txt')).toBe(objectName('\u00e9.txt'));
  });

  it('returns a name that the contract allows for any input, and the same one each time', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string({ unit: 'binary', maxLength: 300 })),
        (filename) => {
          expect(objectName(filename)).toMatch(pattern);
          expect(objectName(filename)).toBe(objectName(filename));
        },
      ),
      { numRuns: 500 },
    );
  });
});
