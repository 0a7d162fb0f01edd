import { describe, expect, it } from 'vitest';

import { csvOf } from '#console/app/csv.ts';

const lines = (rows: Parameters<typeof csvOf>[1]) => csvOf(['a', 'b'], rows).slice(1).split('\r\n');

describe('csvOf()', () => {
  it('begins with a byte order mark, and has a line for each row', () => {
    expect(csvOf(['a', 'b'], [[1, 'x']])).toBe('\uFEFFa,b\r\n1,x\r\n');
  });

  it('quotes commas, quotes and line breaks', () => {
    expect(lines([['a,b', 'say "no"']])[1]).toBe('"a,b","say ""no"""');
    expect(csvOf(['a'], [['x\ny']])).toContain('"x\ny"');
  });

  it('leaves null and undefined empty, and numbers as they are', () => {
    expect(lines([[null, undefined]])[1]).toBe(',');
    expect(lines([[-2.5, 0]])[1]).toBe('-2.5,0');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\r=1', ' =1', '＝1'])('keeps %j from being a formula', (text) => {
    expect(lines([[text, '']])[1]).toMatch(/^"?'/);
  });

  it('keeps a formula from beginning after the semicolon or the tab that ends a cell in some countries', () => {
    expect(lines([['a;=1+1', 'b\t@x;c']])[1]).toBe(`"a;'=1+1","b\t'@x;c"`);
  });
});
