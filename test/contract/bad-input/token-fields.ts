import type { ErrorCode } from '#generated/errors.ts';

/** The fault, and the JSON of the field's value, verbatim. */
type Value = readonly [what: string, json: string];

export interface TokenField {
  readonly field: string;
  readonly code: ErrorCode;
  readonly bad: readonly Value[];
  /** Boundary values, so that the table cannot pass by rejecting everything. */
  readonly good: readonly Value[];
}

const texts = (cases: Readonly<Record<string, unknown>>): Value[] =>
  Object.entries(cases).map(([what, value]) => [what, JSON.stringify(value)]);

/** Faults of a text with few allowed characters. `good` is an accepted one. */
const disguised = (good: string): Value[] => [
  ...texts({
    'has a blank before it': ` ${good}`,
    'has a blank behind it': `${good} `,
    'ends with a newline': `${good}\n`,
    'ends with CRLF and a header': `${good}\r\nSet-Cookie: a=b`,
    'ends with a NUL': `${good}\u0000`,
    'holds a letter with an accent': `${good}é`,
    'holds an emoji': `${good}☁`,
    'reverses the text direction': `\u202e${good}`,
    'ends with a zero-width space': `${good}\u200b`,
    'holds a percent sign': `${good}%41`,
    'holds a quote': `${good}"`,
    'holds a wildcard': `${good}*`,
    'holds a backslash': `${good}\\a`,
    'is overlong': good.repeat(100_000 / good.length),
  }),
  ['ends with half a character', `"${good}\\ud83d"`],
];

const noInteger: readonly Value[] = [
  ...texts({
    'is null': null,
    'is a number as a text': '600',
    'is empty': '',
    'is true': true,
    'is a list': [600],
    'is an object': {},
    'is zero': 0,
    'is negative': -600,
    'is a fraction': 600.5,
    'is a NUL': '\u0000',
  }),
  ['is infinite', '1e999'],
  ['is minus zero', '-0'],
  ['is huge', '99999999999999999999'],
];

const integer = (field: string, code: ErrorCode, minimum: number, maximum: number): TokenField => ({
  field,
  code,
  bad: [
    ...noInteger.map(([what, json]): Value => [what, json.replace('600', String(minimum))]),
    ['is one below the minimum', String(minimum - 1)],
    ['is one above the maximum', String(maximum + 1)],
    ['is slightly above the maximum', `${maximum}.5`],
  ],
  good: [
    ['is the minimum', String(minimum)],
    ['is the maximum', String(maximum)],
    ['is the minimum with a zero fraction', `${minimum}.0`],
    ['is the minimum with an exponent', `${minimum}e0`],
  ],
});

const noList: readonly Value[] = texts({
  'is null': null,
  'is a text': 'png',
  'is a number': 7,
  'is true': true,
  'is an object like a list': { 0: 'png', length: 1 },
  'is an empty list': [],
  'is a list in a list': [['png']],
  'holds null': [null],
  'holds a number': [7],
  'holds true': [true],
  'holds an object': [{}],
  'holds an empty text': [''],
  'holds a blank': [' '],
});

const inList = (values: readonly Value[]): Value[] =>
  values.map(([what, json]) => [`holds one that ${what}`, `[${json}]`]);

const allowedExtensions: TokenField = {
  field: 'allowed_extensions',
  code: 'INVALID_ALLOWED_EXTENSIONS',
  bad: [
    ...noList,
    ...inList(disguised('png')),
    ...texts({
      'holds a dot before it': ['.png'],
      'holds a dot behind it': ['png.'],
      'holds capitals': ['PNG'],
      'holds three parts': ['a.b.c'],
      'holds 17 characters': ['a'.repeat(17)],
      'holds a wildcard': ['*'],
      'holds a type': ['image/png'],
      'holds two in one': ['png,jpg'],
      'holds a good one and a bad one': ['png', 'J'],
      'has 21 entries': Array.from({ length: 21 }, (_, at) => `e${at}`),
      'has 21 equal entries': Array(21).fill('png'),
    }),
  ],
  good: texts({
    'is one': ['png'],
    'is of two parts': ['tar.gz'],
    'has 20 entries': Array.from({ length: 20 }, (_, at) => `e${at}`),
    'has 16 characters': ['a'.repeat(16)],
    'holds one twice': ['png', 'png'],
    'holds one that is blocked everywhere, which then stays blocked': ['exe'],
  }),
};

const allowedOrigins: TokenField = {
  field: 'allowed_origins',
  code: 'INVALID_ALLOWED_ORIGINS',
  bad: [
    ...texts({
      'holds a wildcard': ['*'],
      'holds the text "null"': ['null'],
      'holds a host alone': ['app.example'],
      'holds a path': ['https://app.example/a'],
      'holds a slash at the end': ['https://app.example/'],
      'holds a query': ['https://app.example?a'],
      'holds a fragment': ['https://app.example#a'],
      'holds a user': ['https://a@app.example'],
      'holds a wildcard for hosts': ['https://*.example'],
      'holds a wildcard for ports': ['https://app.example:*'],
      'holds an invalid port': ['https://app.example:99999'],
      'holds no host': ['https://'],
      'holds a blank': ['https://app.example '],
      'holds two in one': ['https://a.example,https://b.example/'],
      'holds a file': ['file:///a'],
      'holds a script': ['javascript:alert(1)'],
      'holds capitals in the scheme': ['HTTPS://app.example'],
      'holds a newline': ['https://app.example\n'],
      'holds CRLF and a header': ['https://app.example\r\nSet-Cookie: a=b'],
      'holds a NUL': ['https://app.example\u0000'],
      'holds a percent sign': ['https://app%2f.example'],
      'holds an overlong one': [`https://${'a'.repeat(250)}.example`],
      'holds a good one and a bad one': ['https://app.example', 'https://'],
      'has 11 entries': Array.from({ length: 11 }, (_, at) => `https://a${at}.example`),
      'has 11 equal entries': Array(11).fill('https://a.example'),
    }),
    ['holds half a character', '["https://app\\ud800.example/"]'],
  ],
  good: texts({
    'is one': ['https://app.example'],
    'has a port': ['http://localhost:5173'],
    'has 10 entries': Array.from({ length: 10 }, (_, at) => `https://a${at}.example`),
    'names a default port, which browsers leave out': ['https://app.example:443'],
    'is in capitals, which browsers do not send': ['https://APP.example'],
    'is an extension': ['chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb'],
  }),
};

/** Fields of a new upload token. The others are read as those of changes and copies are: bound-fields.ts has them. */
export const tokenFields: readonly TokenField[] = [
  integer('max_size', 'INVALID_MAX_SIZE', 512, 10_737_418_240),
  allowedExtensions,
  allowedOrigins,
];
