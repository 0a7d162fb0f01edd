import { describe, expect, it } from 'vitest';

import type { ObjectEntry } from '#dist/modules/client/index.js';
import { editedName, shownName, shownPath } from '#console/files/shown-name.ts';
import { byName, entriesOf } from '#console/screens/files/entry.ts';
import { aboutOf } from '#console/screens/webhooks/event-about.ts';
import { subjectOf } from '#console/screens/activity/filters.ts';

const file = (id: string, original_name?: string | null) => ({
  id,
  ...(original_name !== undefined && { original_name }),
});
const entry = (id: string, original_name?: string) => file(id, original_name) as ObjectEntry;

describe('the name of a file', () => {
  it.each([
    [file('prv/1/a/plan_k3v9q2m7x4b6n5tw.pdf', 'Plan (2).pdf'), 'Plan (2).pdf', 'a/Plan (2).pdf'],
    [file('prv/1/a/plan.pdf', 'Papers/Plan.pdf'), 'Plan.pdf', 'a/Plan.pdf'],
    [file('prv/1/a/plan.pdf', 'C:\\Papers\\Plan.pdf'), 'Plan.pdf', 'a/Plan.pdf'],
    [file('prv/1/a/plan.pdf', null), 'plan.pdf', 'a/plan.pdf'],
    [file('pub/1/plan.pdf'), 'plan.pdf', 'plan.pdf'],
    [file('1/old/scan.png', ''), 'scan.png', 'old/scan.png'],
    [file('pub/1/blank.txt', ' \u200b\u202e '), 'blank.txt', 'blank.txt'],
    [file('pub/1/x', 'photo\u202Egpj.exe'), 'photo\uFFFDgpj.exe', 'photo\uFFFDgpj.exe'],
    [file('pub/1/x', 'a\nb\u0000\u2028.txt'), 'a\uFFFDb\uFFFD\uFFFD.txt', 'a\uFFFDb\uFFFD\uFFFD.txt'],
    [file('pub/1/in/\u202Ex', 'y'), 'y', 'in/y'],
    [file('pub/1/in/mark/'), 'mark', 'in/mark'],
  ])('of %o is %s', (one, name, path) => {
    expect([shownName(one), shownPath(one)]).toEqual([name, path]);
  });

  it('is edited as it was typed', () => {
    expect(editedName(file('pub/1/x', 'a\u202Eb'))).toBe('a\u202Eb');
  });

  it('is that of an entry of the activity and of an event', () => {
    const object = 'prv/1/a/plan_k3v9q2m7x4b6n5tw.pdf';
    expect(subjectOf({ object, details: { original_name: 'Plan.pdf' } } as never)).toBe('a/Plan.pdf');
    expect(aboutOf({ object: { id: object, original_name: 'Plan.pdf' }, changed: [] })).toBe('a/Plan.pdf');
  });
});

describe('the order of names', () => {
  const rows = entriesOf({
    folders: ['b10/', 'b9/', 'A/'],
    objects: [
      entry('pub/1/1', 'file 10.txt'),
      entry('pub/1/2', 'File 9.txt'),
      entry('prv/1/3', 'élan'),
      entry('prv/1/4', 'Zebra'),
      entry('prv/1/5', 'alpha'),
      entry('prv/1/6', 'alpha'),
    ],
  });
  const sorted = ['A', 'b9', 'b10', 'alpha', 'alpha', 'élan', 'File 9.txt', 'file 10.txt', 'Zebra'];

  it('has folders first, numbers by their value, and public and private files of either case together', () => {
    expect(rows.toSorted(byName('asc')).map(({ name }) => name)).toEqual(sorted);
    const [folders, files] = [sorted.slice(0, 3), sorted.slice(3)];
    expect(rows.toSorted(byName('desc')).map(({ name }) => name)).toEqual([
      ...folders.toReversed(),
      ...files.toReversed(),
    ]);
  });

  it('is the same for equal names at each reload', () => {
    const keys = (order: 'asc' | 'desc') =>
      rows
        .toReversed()
        .toSorted(byName(order))
        .map(({ key }) => key);
    expect(keys('asc')).toEqual(rows.toSorted(byName('asc')).map(({ key }) => key));
  });
});
