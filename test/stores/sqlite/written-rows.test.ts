import { describe, expect, it } from 'vitest';

import { valuesIn, writtenRows } from '#server/stores/sqlite/written-rows.ts';

/** A statement, its values, and the values that all rows have which it can write. */
const plain: ReadonlyArray<
  readonly [string, ReadonlyArray<string | number>, Readonly<Record<string, string | number>>]
> = [
  ['INSERT INTO notes (id, text) VALUES (?, ?)', ['a', 'x'], { id: 'a', text: 'x' }],
  ['INSERT INTO notes (id, text, at) VALUES (?, 1, ?) RETURNING id', ['a', 7], { id: 'a', at: 7 }],
  ['INSERT INTO notes (id, text) VALUES (?, ?) ON CONFLICT DO NOTHING', ['a', 'x'], { id: 'a', text: 'x' }],
  ['INSERT INTO notes (id, text) VALUES (?, ?) ON CONFLICT (id) DO NOTHING', ['a', 'x'], { id: 'a', text: 'x' }],
  [
    'INSERT INTO notes (text, id, at) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET text = excluded.text',
    ['x', 'a', 1],
    { id: 'a' },
  ],
  ['UPDATE notes SET text = ?, at = at + ? WHERE id = ? AND at = ?', ['x', 1, 'a', 5], { id: 'a' }],
  ['UPDATE notes SET text = ?2 WHERE id = ?1', ['a', 'x'], { id: 'a' }],
  [
    'UPDATE notes\n  SET text = ?\n  WHERE owner = ? AND at < ? AND id = ?',
    ['x', 'o', 1, 'a'],
    { owner: 'o', id: 'a' },
  ],
  ['UPDATE notes SET at = ? WHERE id = ? AND (at < ? AND text = ?)', [1, 'a', 2, 'x'], { id: 'a' }],
  ['UPDATE notes SET at = ? WHERE at BETWEEN ? AND ? AND id = ?', [1, 2, 3, 'a'], { id: 'a' }],
  ['DELETE FROM notes WHERE id = ? RETURNING id, text', ['a'], { id: 'a' }],
];

describe('writtenRows()', () => {
  it.each(plain)('knows the rows of %s', (sql, values, expected) => {
    const rows = writtenRows(sql)!;
    expect([...rows.places.keys()].toSorted()).toEqual(Object.keys(expected).toSorted());
    expect(valuesIn(rows, Object.keys(expected), [...values])).toEqual(Object.values(expected));
    expect(valuesIn(rows, [...Object.keys(expected), 'other'], [...values])).toBeUndefined();
  });

  it('knows the values of names', () => {
    const rows = writtenRows('UPDATE notes SET at = at + :by WHERE id = :id AND at + :by <= CAST(:most AS BIGINT)')!;
    expect(valuesIn(rows, ['id'], [{ by: 1, id: 'a', most: 9 }])).toEqual(['a']);
  });

  it.each([
    'UPDATE notes SET at = ?',
    'UPDATE notes SET id = ? WHERE id = ?',
    'UPDATE notes SET at = ? WHERE id = ? OR at = ?',
    'UPDATE notes SET at = ? WHERE NOT (at < ? AND id = ? AND text = ?)',
    'UPDATE notes SET at = ? WHERE id IN (?, ?)',
    'UPDATE notes SET at = ? WHERE id > ?',
    'UPDATE notes SET at = (SELECT max(at) FROM notes WHERE at < ?) WHERE id = ?',
    'UPDATE notes SET at = other.at FROM other WHERE notes.id = other.id AND text = ?',
    "UPDATE notes SET text = 'what?' WHERE id = ?",
    'UPDATE notes SET at = at + 1 WHERE id = text',
    'DELETE FROM notes WHERE (id) IN (SELECT id FROM notes WHERE text = ? LIMIT ?)',
    'INSERT INTO notes (id, text) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM notes)',
    'INSERT OR REPLACE INTO notes (id, text) VALUES (?, ?)',
    'INSERT INTO notes (id) VALUES (?) ON CONFLICT (id) DO UPDATE SET id = ?',
    'UPDATE notes SET (id, text) = (?, ?) WHERE id = ?',
    'UPDATE notes SET text = ?2 WHERE id = ? AND at = ?',
    `INSERT INTO notes (id, text) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET at = 1
       ON CONFLICT (text) DO UPDATE SET at = 2`,
    'SELECT id FROM notes WHERE id = ?',
  ])('takes %s for one that may write any row', (sql) => {
    expect(writtenRows(sql)).toBeUndefined();
  });
});
