import { describe, expect, it } from 'vitest';

import type { ObjectEntry } from '#dist/modules/client/index.js';
import { freeName, sameForm, seenName } from '#console/screens/files/existing-files.ts';
import { chosenUploads, metNames, type PlacedFile } from '#console/screens/files/taken-names.ts';

const entry = (id: string, original_name?: string | null, size = 1) =>
  ({ id, size, private: id.startsWith('prv/'), ...(original_name !== undefined && { original_name }) }) as ObjectEntry;

describe('seenName()', () => {
  it.each([
    [entry('prv/1/a/plan-9f00aa11_k3v9q2m7x4b6n5tw.pdf', 'Plan 2026.pdf'), 'Plan 2026.pdf'],
    [entry('pub/1/a/x.pdf', 'Papers/Plan.pdf'), 'Plan.pdf'],
    [entry('pub/1/a/x.pdf', 'C:\\Papers\\Plan.pdf'), 'Plan.pdf'],
    [entry('prv/1/lease_k3v9q2m7x4b6n5tw.pdf', null), 'lease.pdf'],
    [entry('prv/1/lease_k3v9q2m7x4b6n5tw-ex30.tar.gz'), 'lease.tar.gz'],
    [entry('pub/1/lease-ex6h.pdf'), 'lease.pdf'],
    [entry('pub/1/README'), 'README'],
    [entry('1/old/photo.png', ''), 'photo.png'],
    [entry('pub/1/x.txt', 'e\u0301.txt'), '\u00e9.txt'],
  ])('of %o is %s', (file, name) => {
    expect(seenName(file)).toBe(name);
  });
});

it.each([
  ['a.txt', 'a (2).txt'],
  ['site.tar.gz', 'site (2).tar.gz'],
  ['README', 'README (2)'],
  ['.env', '.env (2)'],
  ['taken.txt', 'taken (3).txt'],
])('freeName() makes of %s %s', (name, free) => {
  expect(freeName(name, (one) => one === 'taken (2).txt')).toBe(free);
});

describe('an upload', () => {
  const placed = (name: string, { folder = '', size = 1, isStored = false } = {}): PlacedFile => ({
    found: { file: new File(['x'.repeat(size)], name, { lastModified: 7 }), path: `${folder}${name}` },
    folder,
    isStored,
  });
  const there = [entry('prv/1/plan_k3v9q2m7x4b6n5tw.txt', 'plan.txt'), entry('pub/1/other.txt', 'plan.txt')];
  const existing = new Map([
    ['', new Map([['plan.txt', there]])],
    ['deep/', new Map([['plan (2).txt', [entry('pub/1/deep/x.txt', 'plan (2).txt')]]])],
  ]);
  const fresh = placed('new.txt');
  const met = placed('plan.txt');
  const shown = (files: ReturnType<typeof chosenUploads>) =>
    files.map(({ file, path, replaced }) => [file.name, path, replaced?.files.map(({ id }) => id)]);

  it('meets only files of its own folder, in either form of its name', () => {
    expect(metNames([fresh, met, placed('plan.txt', { folder: 'deep/' })], existing)).toEqual([met]);
    const accent = new Map([['', new Map([[sameForm('e\u0301.txt'), there]])]]);
    expect(metNames([placed('e\u0301.txt'), placed('\u00e9.txt')], accent)).toHaveLength(2);
  });

  it.each([
    ['skip', [['new.txt', 'new.txt', undefined]]],
    [
      'replace',
      [
        ['new.txt', 'new.txt', undefined],
        ['plan.txt', 'plan.txt', there.map(({ id }) => id)],
      ],
    ],
    [
      'both',
      [
        ['new.txt', 'new.txt', undefined],
        ['plan (2).txt', 'plan (2).txt', undefined],
      ],
    ],
  ] as const)('whose name is taken: %s', (choice, uploads) => {
    expect(shown(chosenUploads([fresh, met], existing, { choice, keepDays: 30 }))).toEqual(uploads);
  });

  it('gets a number that neither a file there nor another upload has', async () => {
    const both = new Map([
      ['deep/', new Map([...existing.get('deep/')!, ['plan.txt', there]])],
      ['', new Map([['plan.txt', there]])],
    ]);
    const files = [placed('plan.txt', { folder: 'deep/' }), placed('plan (3).txt', { folder: 'deep/' })];
    const uploads = chosenUploads(files, both, { choice: 'both', keepDays: 30 });
    expect(shown(uploads).map(([name, path]) => [name, path])).toEqual([
      ['plan (4).txt', 'deep/plan (4).txt'],
      ['plan (3).txt', 'deep/plan (3).txt'],
    ]);
    expect([await uploads[0]!.file.text(), uploads[0]!.file.lastModified]).toEqual(['x', 7]);
  });

  it('that an earlier page has stored does not meet itself, and is sent again if it is gone', () => {
    const stored = placed('plan.txt', { isStored: true });
    expect(metNames([stored], existing)).toEqual([]);
    const isGone = (one: PlacedFile) =>
      chosenUploads([one], existing, { choice: 'skip', keepDays: 0 }).map((found) => found.isGone);
    expect(isGone(stored)).toEqual([false]);
    expect(isGone(placed('gone.txt', { isStored: true }))).toEqual([true]);
    expect(isGone(fresh)).toEqual([false]);
    // Another file has its name now.
    expect(metNames([placed('plan.txt', { isStored: true, size: 2 })], existing)).toHaveLength(1);
  });
});
