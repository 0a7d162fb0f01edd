import { describe, expect, it } from 'vitest';

import { codesOfOperation } from '#generated/errors.ts';
import { later } from './later.ts';
import { pairs } from './registry.ts';

const declared: Readonly<Record<string, readonly string[]>> = codesOfOperation;
const laterPairs = new Map(later.map(([operation, code, feature]) => [`${operation} ${code}`, feature]));

const isProvoked = (operation: string, code: string) => Object.hasOwn(pairs[operation] ?? {}, code);

interface Gap {
  readonly operation: string;
  readonly waitsFor: string;
  readonly codes: readonly string[];
}

/** Every pair without a test, grouped by operation and by the missing feature. */
function gaps(): Gap[] {
  return Object.entries(declared).flatMap(([operation, codes]) => {
    const missing = codes.filter((code) => !isProvoked(operation, code));
    const reason = (code: string) => laterPairs.get(`${operation} ${code}`) ?? 'NOTHING: IT LACKS A TEST';
    return [...Map.groupBy(missing, reason)].map(([waitsFor, withoutTest]) => ({
      operation,
      waitsFor,
      codes: withoutTest,
    }));
  });
}

/** Maximum length of a line of codes. */
const codesWidth = 100;

function wrapped(codes: readonly string[]): string[] {
  return codes.reduce<string[]>((lines, code) => {
    const last = lines.at(-1);
    if (last !== undefined && last.length + code.length < codesWidth) return [...lines.slice(0, -1), `${last} ${code}`];
    return [...lines, code];
  }, []);
}

function table(rows: readonly Gap[]): string {
  const width = (of: (row: Gap) => string) => Math.max(...rows.map((row) => of(row).length)) + 2;
  const [first, second] = [width(({ operation }) => operation), width(({ waitsFor }) => waitsFor)];
  return rows
    .flatMap(({ operation, waitsFor, codes }) =>
      wrapped(codes).map(
        (line, index) =>
          (index === 0 ? operation.padEnd(first) + waitsFor.padEnd(second) : ' '.repeat(first + second)) + line,
      ),
    )
    .join('\n');
}

describe('the tests of (operation, code) pairs', () => {
  it('leave these pairs out, each with the missing feature', () => {
    const all = Object.values(declared).flat().length;
    const rows = gaps();
    const open = rows.flatMap(({ codes }) => codes).length;
    console.log(
      `${all - open} of ${all} declared (operation, code) pairs have a test; these ${open} have none ` +
        `yet:\n\n${table(rows)}\n`,
    );
    expect(rows.filter(({ waitsFor }) => waitsFor.startsWith('NOTHING'))).toEqual([]);
  });

  it('exist for every operation, and for no other', () => {
    const { unrouted, ...operations } = pairs;
    expect(Object.keys(operations).sort()).toEqual(Object.keys(declared).sort());
    expect(Object.keys(unrouted!)).toEqual(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'not_found', 'method_not_allowed']);
  });

  it('provoke no pair that the contract does not declare', () => {
    const { unrouted: _, ...operations } = pairs;
    const undeclared = Object.entries(operations).flatMap(([operation, provocations]) =>
      Object.keys(provocations)
        .filter((code) => !declared[operation]?.includes(code))
        .map((code) => `${operation} ${code}`),
    );
    expect(undeclared).toEqual([]);
  });

  it.each(later)('leave %s %s to %s, which is still declared and still without a test', (operation, code) => {
    expect(declared[operation]).toContain(code);
    expect(isProvoked(operation, code)).toBe(false);
  });

  it('name each waiting pair once', () => {
    expect(laterPairs.size).toBe(later.length);
  });
});
