import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { addresses } from './addresses.ts';
import { attributes } from './attributes.ts';
import { checksums } from './checksums.ts';
import { conditions } from './conditions.ts';
import { copies } from './copies.ts';
import { faults } from './faults.ts';
import { forms } from './forms.ts';
import { listRequests } from './list-requests.ts';
import { lists } from './lists.ts';
import { multipartCopies } from './multipart-copies.ts';
import { multipart } from './multipart.ts';
import { objectSums } from './object-sums.ts';
import { objects } from './objects.ts';
import { oddKeys } from './odd-keys.ts';
import { requests } from './requests.ts';

const names = new Set(
  [
    addresses,
    attributes,
    checksums,
    conditions,
    copies,
    faults,
    forms,
    listRequests,
    lists,
    multipart,
    multipartCopies,
    objectSums,
    objects,
    oddKeys,
    requests,
  ]
    .flat()
    .map(({ name }) => name),
);
const text = readFileSync(new URL('../published/ceph-s3-tests.md', import.meta.url), 'utf8');
/** Each item of a list in one line. */
const lines = text.replaceAll('\n  ', ' ').split('\n');
const proved = lines.filter((line) => line.startsWith('- test_'));
const leftOut = lines.flatMap((line) => /^- .* \(\d+\): (test_.*)$/.exec(line)?.[1]!.split(', ') ?? []);
const total = (what: string) => Number(lines.find((line) => line.startsWith(`| ${what} |`))?.split('|')[2]);

describe('the map of ceph/s3-tests', () => {
  it('names rows that are there', () => {
    const named = proved.flatMap((line) => [...line.matchAll(/`([^`]*)`/g)].map(([, name]) => name!));
    expect(named.length).toBeGreaterThan(300);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  it('has each case once, and counts them right', () => {
    const cases = [...proved.map((line) => /^- (\w+): /.exec(line)![1]!), ...leftOut];
    expect(cases.filter((name, at) => cases.indexOf(name) !== at)).toEqual([]);
    expect([proved.length, leftOut.length, cases.length]).toEqual([
      total('applicable'),
      total('not applicable here'),
      total('read'),
    ]);
  });
});
