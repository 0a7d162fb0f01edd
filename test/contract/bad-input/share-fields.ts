import type { ErrorCode } from '#generated/errors.ts';

/** What is wrong, and the JSON of the field's value, verbatim. */
type Value = readonly [what: string, json: string];

export interface ShareField {
  readonly field: string;
  readonly code: ErrorCode;
  readonly bad: readonly Value[];
  /** Boundary values, so that the table cannot pass by refusing everything. */
  readonly good: readonly Value[];
}

const texts = (cases: Readonly<Record<string, unknown>>): Value[] =>
  Object.entries(cases).map(([what, value]) => [what, JSON.stringify(value)]);

const integer = (field: string, code: ErrorCode, minimum: number, maximum: number): ShareField => ({
  field,
  code,
  bad: [
    ...texts({
      'is null': null,
      'is a number in letters': String(minimum),
      'is empty': '',
      'is true': true,
      'is false': false,
      'is a list': [minimum],
      'is an object': {},
      'is zero': 0,
      'is negative': -minimum,
      'is a fraction': minimum + 0.5,
      'is a NUL': '\u0000',
      'is in words': 'unlimited',
      'is a duration': '30d',
    }),
    ['is infinite', '1e999'],
    ['is minus zero', '-0'],
    ['is huge', '99999999999999999999'],
    ['is one too few', String(minimum - 1)],
    ['is one too many', String(maximum + 1)],
    ['is a little more than the most', `${maximum}.5`],
  ],
  good: [
    ['is the least', String(minimum)],
    ['is the most', String(maximum)],
    ['is the least, as a fraction of nothing', `${minimum}.0`],
    ['is the least, in exponents', `${minimum}e0`],
  ],
});

const password: ShareField = {
  field: 'password',
  code: 'INVALID_PASSWORD',
  bad: [
    ...texts({
      'is null': null,
      'is a number': 12_345_678,
      'is true': true,
      'is false': false,
      'is a list': ['correct horse'],
      'is an empty list': [],
      'is an object': { a: 'correct horse' },
      'is empty': '',
      'is a blank': ' ',
      'has 7 characters': 'seven77',
      'has 7 characters of four bytes': '🐎'.repeat(7),
      'has 129 characters': 'a'.repeat(129),
      'is overlong': 'a'.repeat(100_000),
      'holds a NUL': 'correct\u0000horse',
    }),
    ['holds half a character', '"correct \\ud83d horse"'],
  ],
  good: texts({
    'has 8 characters': 'eight888',
    'has 128 characters': 'a'.repeat(128),
    'has 128 characters of four bytes': '🐎'.repeat(128),
    'is blanks': ' '.repeat(8),
    'is Arabic': 'كلمة السر',
  }),
};

const landing: ShareField = {
  field: 'landing',
  code: 'INVALID_LANDING',
  bad: texts({
    'is null': null,
    'is true in letters': 'true',
    'is false in letters': 'false',
    'is empty': '',
    'is one': 1,
    'is zero': 0,
    'is one in letters': '1',
    'is yes': 'yes',
    'is a list': [true],
    'is an empty list': [],
    'is an object': {},
    'is a NUL': '\u0000',
  }),
  good: texts({ 'is true': true, 'is false': false }),
};

/** Every field of a new link but the file. */
export const shareFields: readonly ShareField[] = [
  integer('expires_in', 'INVALID_EXPIRES_IN', 60, 2_592_000),
  integer('max_downloads', 'INVALID_MAX_DOWNLOADS', 1, 10_000),
  password,
  landing,
];

/** Values that are no id of a link. */
export const badShareIds: readonly Value[] = [
  ...texts({
    'is null': null,
    'is a number': 7,
    'is true': true,
    'is a list': ['nosuchlinknosuchlink'],
    'is an empty list': [],
    'is an object': {},
    'is empty': '',
    'is a blank': ' ',
    'has 15 characters': 'a'.repeat(15),
    'has 65 characters': 'a'.repeat(65),
    'is overlong': 'a'.repeat(100_000),
    'ends with a newline': `${'a'.repeat(26)}\n`,
    'ends with a NUL': `${'a'.repeat(26)}\u0000`,
    'has a blank before it': ` ${'a'.repeat(26)}`,
    'holds a slash': `${'a'.repeat(20)}/b`,
    climbs: `../${'a'.repeat(20)}`,
    'is an address': 'https://files.cubby.invalid/s/ExampleShare00000000001',
    'holds an accent': `${'a'.repeat(20)}é`,
    'holds a quote': `${'a'.repeat(20)}'--`,
  }),
  ['holds half a character', `"${'a'.repeat(20)}\\ud83d"`],
];
