import { describe, expect, it } from 'vitest';

import { mayMeet, scopeOfInsert, scopeOfPut, scopeOfRead } from '#server/stores/postgres/scopes.ts';
import { table, where } from '#server/stores/tables/rows.ts';
import { record } from '#server/stores/tables/columns.ts';

const files = table(
  'files',
  record<{ owner: string; key: string; size: number }>({ owner: 'owner', key: 'key', size: 'size' }),
  'owner, key',
);
const byKey = where('owner', 'key');

describe('scopeOfRead()', () => {
  it('knows the rows of plain comparisons, and of nothing else', () => {
    expect(scopeOfRead(files, byKey, ['o', 'k'])).toEqual({
      table: 'files',
      columns: ['owner', 'key'],
      values: ['o', 'k'],
    });
    for (const rest of ['', 'WHERE size > ?', byKey.text]) expect(scopeOfRead(files, rest, ['o', 'k'])).toBeUndefined();
    const joined = table('files JOIN owners USING (owner)', files.columns);
    expect(scopeOfRead(joined, byKey, ['o', 'k'])).toBeUndefined();
  });
});

describe('mayMeet()', () => {
  const read = (key: string) => scopeOfRead(files, byKey, ['o', key]);

  it('compares rows by the values that both name', () => {
    const row = ['o', 'k', 5];
    for (const written of [scopeOfInsert(files, row), scopeOfPut(files, row)]) {
      expect(mayMeet(written, read('k'))).toBe(true);
      expect(mayMeet(written, read('other'))).toBe(false);
    }
  });

  it('does not rely on values of a row that a put replaces', () => {
    const bySize = scopeOfRead(files, where('size'), [6]);
    expect(mayMeet(scopeOfPut(files, ['o', 'k', 5]), bySize)).toBe(true);
    expect(mayMeet(scopeOfInsert(files, ['o', 'k', 5]), bySize)).toBe(false);
  });

  it('takes other tables apart, and everything else as meeting', () => {
    expect(mayMeet({ table: 'others', columns: [], values: [] }, read('k'))).toBe(false);
    expect(mayMeet(undefined, read('k'))).toBe(true);
    expect(mayMeet(read('k'), undefined)).toBe(true);
    expect(mayMeet({ table: 'files', columns: ['key'], values: [new Uint8Array(1)] }, read('k'))).toBe(true);
  });
});
