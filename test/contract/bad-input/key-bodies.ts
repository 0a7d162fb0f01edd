import type { ErrorCode } from '#generated/errors.ts';
import { scopes } from '#server/domain/access/scope.ts';

/** The fault, and the JSON of the field's value, verbatim. `undefined` leaves the field out. */
type Value = readonly [what: string, json: string | undefined];

export interface KeyField {
  readonly field: 'name' | 'scopes' | 'resources' | 'prefixes';
  readonly code: ErrorCode;
  readonly bad: readonly Value[];
  /** Boundary values, so that the table cannot pass by rejecting everything. */
  readonly good: readonly Value[];
}

const texts = (cases: Readonly<Record<string, unknown>>): Value[] =>
  Object.entries(cases).map(([what, value]) => [what, JSON.stringify(value)]);

const wrongTypes: readonly Value[] = texts({
  'is null': null,
  'is a number': 7,
  'is zero': 0,
  'is true': true,
  'is false': false,
  'is an object': {},
  'is an object like a list': { 0: 'a', length: 1 },
});

/** Values that are not a list of texts. `resources` and `prefixes` are read in the same way as `scopes`. */
const noList: readonly Value[] = [
  ...wrongTypes,
  ...texts({
    'is a text': 'blob:read',
    'is an empty text': '',
    'is an empty list': [],
    'is a list in a list': [['blob:read']],
    'holds null': [null],
    'holds a number': [7],
    'holds true': [true],
    'holds an object': [{}],
    'holds an empty text': [''],
    'holds a blank': [' '],
  }),
];

const name: KeyField = {
  field: 'name',
  code: 'INVALID_KEY_NAME',
  bad: [
    ['is left out', undefined],
    ...wrongTypes,
    ...texts({
      'is a list': ['Website'],
      'is empty': '',
      'is a blank': ' ',
      'is a no-break space': '\u00a0',
      'is only blanks': '\t \u2003',
      'is 65 characters long': 'a'.repeat(65),
      'is 65 emoji': '☁'.repeat(65),
      'is overlong': 'a'.repeat(100_000),
      'holds a NUL': 'a\u0000b',
      'holds a newline': 'a\nb',
      'holds CRLF and a header': 'a\r\nSet-Cookie: a=b',
      'holds a tab': 'a\tb',
      'holds an escape sequence': '\u001b[31mred',
      'holds a delete character': 'a\u007f',
      'holds a control character of Latin-1': 'a\u0085b',
      'reverses the text direction': 'a\u202eb',
      'isolates a text direction': '\u2066a\u2069',
      'holds a line separator': 'a\u2028b',
      'holds a paragraph separator': 'a\u2029b',
    }),
    ['is half a character', '"\\ud83d"'],
    ['ends with half a character', '"Website\\udc00"'],
    ['has its halves swapped', '"\\ude00\\ud83d"'],
  ],
  good: texts({
    'is one letter': 'a',
    'is 64 characters long': 'a'.repeat(64),
    'is 64 characters of two units': '😀'.repeat(64),
    'has blanks around it': ' a ',
    'is markup': '<b>"Website"</b>',
    'is SQL': "'; DROP TABLE api_keys; --",
    'is the text "null"': 'null',
    'is Arabic': 'مفتاح',
  }),
};

const scopesField: KeyField = {
  field: 'scopes',
  code: 'INVALID_SCOPES',
  bad: [
    ['is left out', undefined],
    ...noList,
    ...texts({
      'holds an unknown scope': ['blob:delete'],
      'holds an unknown scope beside a good one': ['blob:read', 'blob:delete'],
      'holds a scope in capitals': ['BLOB:READ'],
      'holds a scope with a blank': ['blob:read '],
      'holds two in one': ['blob:read,blob:write'],
      'holds a wildcard of its own': ['blob:*'],
      'holds all beside another': ['*', 'blob:read'],
      'holds another beside all': ['blob:read', '*'],
      'holds all twice': ['*', '*'],
      'holds 19 entries': Array(19).fill('blob:read'),
      'is overlong': Array(10_000).fill('blob:read'),
      'names a property of every object': ['constructor'],
      'names a prototype': ['__proto__'],
    }),
    ['holds a scope with a NUL', '["blob:read\\u0000"]'],
    ['holds a scope with half a character', '["blob:read\\ud800"]'],
  ],
  good: texts({
    'is everything': ['*'],
    'is one': ['ai:chat'],
    'is all of them': scopes,
    'holds one twice, which is meant once': ['blob:read', 'blob:read'],
  }),
};

const resources: KeyField = {
  field: 'resources',
  code: 'INVALID_RESOURCES',
  bad: [
    ...texts({
      'holds a blank in an id': ['app 1'],
      'holds a newline': ['app_1\n'],
      'holds 65 characters': ['a'.repeat(65)],
      'holds an emoji': ['☁'],
      'holds 51 entries': Array.from({ length: 51 }, (_, at) => `app_${at}`),
      'holds a good one and a bad one': ['app_1', ''],
      'is overlong': Array(10_000).fill('app_1'),
    }),
    ['holds a NUL', '["app_1\\u0000"]'],
    ['holds half a character', '["app_1\\ud800"]'],
  ],
  good: [
    ['is left out', undefined],
    ...texts({
      'is one': ['app_1'],
      'holds 64 characters': ['a'.repeat(64)],
      'holds 50 entries': Array.from({ length: 50 }, (_, at) => `app_${at}`),
      'holds one twice, which is meant once': ['app_1', 'app_1'],
    }),
  ],
};

const prefixes: KeyField = {
  field: 'prefixes',
  code: 'INVALID_PREFIXES',
  bad: [
    ...texts({
      'holds a slash': ['/'],
      'leads upwards': ['../a'],
      'is an id': ['pub/204815162342108999/a b'],
      'holds 21 entries': Array.from({ length: 21 }, (_, at) => `p${at}`),
      'holds a good one and a bad one': ['a', '..'],
    }),
    ['holds a NUL', '["a\\u0000"]'],
    ['holds half a character', '["a\\ud800"]'],
  ],
  good: [
    ['is left out', undefined],
    ...texts({
      'ends with a slash': ['invoices/'],
      'holds 20 entries': Array.from({ length: 20 }, (_, at) => `p${at}`),
      'holds one twice, which is meant once': ['a', 'a/'],
    }),
  ],
};

/** Every field of a new key. */
export const keyFields: readonly KeyField[] = [name, scopesField, resources, prefixes];

/** The body of a new key with this JSON in one of its fields. The other fields do not conflict with it. */
export function keyBody(field: KeyField['field'], json: string | undefined): string {
  const given: Record<string, string | undefined> = {
    name: '"Website"',
    scopes: field === 'resources' ? '["apps:read"]' : '["blob:read"]',
    [field]: json,
  };
  return `{${Object.entries(given)
    .flatMap(([key, value]) => (value === undefined ? [] : [`"${key}":${value}`]))
    .join(',')}}`;
}

/** Ids that are not a key of the account. */
export const badKeyIds: Readonly<Record<string, (id: string) => string>> = {
  'is unknown': (id) => [...id].reverse().join(''),
  'is in capitals': (id) => id.toUpperCase(),
  'has a blank before it': (id) => `%20${id}`,
  'has a newline behind it': (id) => `${id}%0a`,
  'has a NUL behind it': (id) => `${id}%00`,
  'has a character behind it': (id) => `${id}a`,
  'lacks its last character': (id) => id.slice(0, -1),
  'has its last digits alone': (id) => id.slice(-4),
  'is 64 characters long': () => 'a'.repeat(64),
  'is overlong': () => 'a'.repeat(65),
  'is very overlong': () => 'a'.repeat(5000),
  'is SQL': () => encodeURIComponent("' OR 1=1 --"),
  'is a wildcard': () => '*',
  'is a percent sign': () => '%25',
  'is an emoji': () => '%f0%9f%93%81',
  'holds a slash': (id) => `a%2f${id}`,
  'names a property of every object': () => '__proto__',
  'is the text "null"': () => 'null',
  'is zero': () => '0',
};
