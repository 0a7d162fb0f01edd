import type { ErrorCode } from '#generated/errors.ts';

/** One field of a request to the AI gateway: bodies that it must reject with a code, and bodies that it must accept. */
export interface ChatFieldCases {
  readonly field: string;
  readonly bad: ReadonlyArray<readonly [code: ErrorCode, value: unknown]>;
  readonly good: readonly unknown[];
  /** Puts the value into the field. */
  readonly bodyWith: (value: unknown) => object;
}

export const all = (code: ErrorCode, values: readonly unknown[]) => values.map((value) => [code, value] as const);

export const notNumbers: readonly unknown[] = [
  {},
  { value: 1 },
  [],
  [1],
  true,
  false,
  '',
  '1',
  '0.5',
  ' 1',
  '1e0',
  'NaN',
  'one',
  '１',
];
export const notTexts: readonly unknown[] = [
  {},
  { value: 'a' },
  [],
  ['a'],
  [['a']],
  [null],
  true,
  false,
  0,
  7,
  -1,
  1.5,
];
export const notBooleans: readonly unknown[] = [{}, [], [true], 0, 1, -1, '', 'true', 'false', 'yes', 'null', 1.5];
export const notObjects: readonly unknown[] = ['', 'auto', '{}', 0, 7, true, false, [], [{}], 1.5];

/** One or two values of each kind, for fields with the same decoder as a field with all of them. */
export const [noNumber, noText, noBoolean, noObject] = [
  ['1', [1], true],
  [7, ['a'], {}],
  ['true', 1],
  ['{}', [], 7],
];

export const badNames: readonly unknown[] = [
  ...noText,
  null,
  '',
  ' ',
  'a b',
  'a.b',
  'a/b',
  'ä',
  'a\n',
  'a\u0000',
  '📁',
  'ａ',
  'x'.repeat(65),
];
