/** The fault, and the JSON of the field's value, verbatim. */
type Value = readonly [what: string, json: string];

const texts = (cases: Readonly<Record<string, unknown>>): Value[] =>
  Object.entries(cases).map(([what, value]) => [what, JSON.stringify(value)]);

/** Passwords of a new link: rejected ones and accepted ones. */
export const passwords: { readonly bad: readonly Value[]; readonly good: readonly Value[] } = {
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

/** Values that are not an id of a link. */
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
    'leads upwards': `../${'a'.repeat(20)}`,
    'is an address': 'https://files.cubby.invalid/s/ExampleShare00000000001',
    'holds an accent': `${'a'.repeat(20)}é`,
    'holds a quote': `${'a'.repeat(20)}'--`,
  }),
  ['holds half a character', `"${'a'.repeat(20)}\\ud83d"`],
];
