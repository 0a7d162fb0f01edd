import type { ErrorCode } from '#generated/errors.ts';

/** What is wrong, and the JSON of the field's value, verbatim. */
type Value = readonly [what: string, json: string];

export interface TokenField {
  readonly field: string;
  readonly code: ErrorCode;
  readonly bad: readonly Value[];
  /** Boundary values, so that the table cannot pass by refusing everything. */
  readonly good: readonly Value[];
  /** What has to stand beside it. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

const texts = (cases: Readonly<Record<string, unknown>>): Value[] =>
  Object.entries(cases).map(([what, value]) => [what, JSON.stringify(value)]);

const noText: readonly Value[] = texts({
  'is null': null,
  'is a number': 7,
  'is zero': 0,
  'is true': true,
  'is a list': ['a'],
  'is an empty list': [],
  'is an object': { a: 'a' },
  'is empty': '',
  'is a blank': ' ',
  'is a NUL': '\u0000',
});

/** What is wrong for a text of few characters; `good` is one that it takes. */
const disguised = (good: string): Value[] => [
  ...texts({
    'has a blank before it': ` ${good}`,
    'has a blank behind it': `${good} `,
    'ends with a newline': `${good}\n`,
    'ends with CRLF and a header': `${good}\r\nSet-Cookie: a=b`,
    'ends with a NUL': `${good}\u0000`,
    'holds a letter with an accent': `${good}é`,
    'holds an emoji': `${good}☁`,
    'changes its direction': `\u202e${good}`,
    'ends with a zero-width space': `${good}\u200b`,
    'holds a percent sign': `${good}%41`,
    'holds a quote': `${good}"`,
    'holds a wildcard': `${good}*`,
    'holds a backslash': `${good}\\a`,
    'is overlong': good.repeat(100_000 / good.length),
  }),
  ['ends with half a character', `"${good}\\ud83d"`],
];

const name: TokenField = {
  field: 'name',
  code: 'INVALID_OBJECT_NAME',
  bad: [
    ...noText,
    ...disguised('avatar'),
    ...texts({
      'holds a slash': 'a/b',
      'is a dot': '.',
      climbs: '..',
      'holds two dots': 'a..b',
      'ends with a dot': 'a.',
      'begins with a dot': '.a',
      'begins with a hyphen': '-a',
      'ends in an expiry mark': 'a-ex7',
      'ends in an expiry mark of hours': 'a-ex6h',
      'has 129 characters': 'a'.repeat(129),
    }),
  ],
  good: texts({
    'is one letter': 'a',
    'has 128 characters': 'a'.repeat(128),
    'holds dots and hyphens': '_a.b-c',
    'names a property of every object': '__proto__',
    'is null in letters': 'null',
  }),
};

const prefix: TokenField = {
  field: 'prefix',
  code: 'INVALID_OBJECT_PREFIX',
  bad: [
    ...noText.filter(([what]) => what !== 'is empty'),
    ...disguised('avatars'),
    ...texts({
      'is a slash': '/',
      'begins with a slash': '/a',
      'ends with two slashes': 'a//',
      'has an empty folder': 'a//b',
      climbs: '../a',
      'climbs within': 'a/../b',
      'is a dot': '.',
      'begins with a hyphen': '-a',
      'has nine folders': 'a/b/c/d/e/f/g/h/i',
      'has a folder of 65 characters': 'a'.repeat(65),
      'has 257 characters': Array(4).fill('a'.repeat(64)).join('/'),
    }),
  ],
  good: texts({
    'is empty, which is none': '',
    'is one letter': 'a',
    'ends with a slash': 'a/',
    'has eight folders': 'a/b/c/d/e/f/g/h',
    'has a folder of 64 characters': 'a'.repeat(64),
  }),
};

const noBoolean: readonly Value[] = texts({
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
});

const isPrivate: TokenField = {
  field: 'private',
  code: 'INVALID_OBJECT_PRIVATE',
  bad: noBoolean,
  good: texts({ 'is true': true, 'is false': false }),
};

const securityHash: TokenField = {
  field: 'security_hash',
  code: 'INVALID_OBJECT_SECURITY_HASH',
  bad: noBoolean,
  good: texts({ 'is true': true, 'is false': false }),
  beside: { name: 'avatar' },
};

const expire: TokenField = {
  field: 'expire',
  code: 'INVALID_OBJECT_EXPIRE',
  bad: [
    ...texts({
      'is empty': '',
      'is a blank': ' ',
      'is zero': 0,
      'is zero in letters': '0',
      'is negative': -1,
      'is a fraction': 1.5,
      'is a fraction in letters': '1.5',
      'is true': true,
      'is false': false,
      'is a list': ['30d'],
      'is an object': {},
      'is 1826 days': 1826,
      'is 1826 days in letters': '1826d',
      'is 43801 hours': '43801h',
      'has a leading zero': '07',
      'is in minutes': '90m',
      'is in years': '1y',
      'is in words': 'never',
      'is an instant': '2026-04-21T09:30:00Z',
      'has a blank before it': ' 30',
      'has a newline behind it': '30\n',
      'has capitals': '30D',
      'is null in letters': 'null',
      'is in other digits': '٣٠',
      'ends with a NUL': '30\u0000',
      'is overlong': '1'.repeat(100_000),
      'is huge': 1e21,
      'is in exponents': '1e1',
    }),
  ],
  good: texts({
    'is null': null,
    'is a number': 30,
    'is 1825': 1825,
    'is a number in letters': '30',
    'is in days': '1825d',
    'is in hours': '1h',
    'is all hours': '43800h',
  }),
};

const noInteger: readonly Value[] = [
  ...texts({
    'is null': null,
    'is a number in letters': '600',
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
    ...noList,
    ...texts({
      'holds a wildcard': ['*'],
      'holds null in letters': ['null'],
      'holds a host alone': ['app.example'],
      'holds a path': ['https://app.example/a'],
      'holds a slash at the end': ['https://app.example/'],
      'holds a query': ['https://app.example?a'],
      'holds a fragment': ['https://app.example#a'],
      'holds a user': ['https://a@app.example'],
      'holds a wildcard for hosts': ['https://*.example'],
      'holds a wildcard for ports': ['https://app.example:*'],
      'holds a port that is none': ['https://app.example:99999'],
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

const metadata: TokenField = {
  field: 'metadata',
  code: 'INVALID_OBJECT_METADATA',
  bad: [
    ...texts({
      'is null': null,
      'is a text': '{"a":"b"}',
      'is a number': 7,
      'is true': true,
      'is a list': [],
      'is a list of pairs': [['a', 'b']],
      'holds a number': { a: 1 },
      'holds null': { a: null },
      'holds an object': { a: { b: 'c' } },
      'holds a list': { a: ['b'] },
      'has a key in capitals': { A: 'b' },
      'has an empty key': { '': 'a' },
      'has a key with a blank': { 'a b': 'c' },
      'has a key with an underscore': { a_b: 'c' },
      'has a reserved key': { 'cubby-a': 'b' },
      'has a key of 65 characters': { ['a'.repeat(65)]: 'b' },
      'has six keys': Object.fromEntries([...'abcdef'].map((key) => [key, 'v'])),
      'has 513 bytes': { a: 'b'.repeat(512) },
      'has 513 bytes in fewer characters': { a: 'é'.repeat(256) },
      'is overlong': { a: 'b'.repeat(100_000) },
    }),
    ['holds half a character', '{"a":"\\ud83d"}'],
    ['is a prototype', '{"__proto__":"a"}'],
  ],
  good: texts({
    'is empty': {},
    'has five keys': Object.fromEntries([...'abcde'].map((key) => [key, 'v'])),
    'has 512 bytes': { a: 'b'.repeat(511) },
    'holds an empty text': { a: '' },
    'has a key of 64 characters': { ['a'.repeat(64)]: 'b' },
  }),
};

/** Every field of a new upload token. */
export const tokenFields: readonly TokenField[] = [
  name,
  prefix,
  isPrivate,
  securityHash,
  expire,
  integer('max_size', 'INVALID_MAX_SIZE', 512, 10_737_418_240),
  allowedExtensions,
  allowedOrigins,
  metadata,
  integer('expires_in', 'INVALID_EXPIRES_IN', 60, 3600),
  integer('max_uses', 'INVALID_MAX_USES', 1, 100),
];

/** Bodies that are no object. */
export const noTokenBodies: readonly (readonly [what: string, body: string | undefined])[] = [
  ['is not there', undefined],
  ['is empty', ''],
  ['is a blank', ' '],
  ['is no JSON', 'max_uses=5'],
  ['is cut off', '{"max_uses":5'],
  ['is a list', '[]'],
  ['is a text', '"avatars"'],
  ['is a number', '7'],
  ['is null', 'null'],
  ['is true', 'true'],
  ['has something behind it', '{}x'],
  ['has a trailing comma', '{"max_uses":5,}'],
  ['is 33 levels deep', `{"more":${'['.repeat(32)}${']'.repeat(32)}}`],
];
