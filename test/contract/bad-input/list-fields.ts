import { booleanField, broken, disguised, ignored, integerField, texts, type FieldCases } from './cases.ts';

/** Any leading part of a key, so nearly every text is valid. */
const prefix: FieldCases = {
  field: 'prefix',
  code: 'INVALID_OBJECT_PREFIX',
  bad: [
    ...broken('prefix', 'holiday'),
    ...texts('prefix', {
      'is 1025 bytes long': 'a'.repeat(1025),
      'is 1026 bytes long in 513 characters': 'ü'.repeat(513),
      'is 1028 bytes long in 257 characters': '😀'.repeat(257),
      'is overlong': 'a'.repeat(8000),
    }),
  ],
  good: [
    ['is empty', 'prefix='],
    ['has no value', 'prefix'],
    ...disguised('prefix', 'holiday').filter(([what]) => !['is overlong', 'is empty', 'has no value'].includes(what)),
    ...texts('prefix', {
      'is 1024 bytes long': 'a'.repeat(1024),
      'is 1024 bytes long in 512 characters': 'ü'.repeat(512),
      'is the last character of Unicode': '\u{10ffff}',
      'is no character': '\uffff',
      'leads upwards': '../..',
      'has an empty folder': 'a//b',
      'is a slash': '/',
      'is a percent sign': '%',
      'is an underscore': '_',
      'is a wildcard': '*',
      'is SQL': "' OR 1=1 --",
      'has a control character': 'a\u0001',
      'is null': 'null',
      'is an id': 'pub/204815162342108999/a',
    }),
    ...ignored('prefix', '%00'),
  ],
};

const delimiter: FieldCases = {
  field: 'delimiter',
  code: 'INVALID_DELIMITER',
  bad: [
    ...disguised('delimiter', '/'),
    ...texts('delimiter', {
      'is two slashes': '//',
      'is a backslash': '\\',
      'is a colon': ':',
      'is a hyphen': '-',
      'is a dot': '.',
      'is a letter': 'a',
      'is an encoded slash': '%2F',
      'is null': 'null',
      'is true': 'true',
      'is 1': '1',
      'is a fullwidth slash': '／',
      'is a fraction slash': '⁄',
      'is a division slash': '∕',
    }),
  ],
  good: [['is a slash', 'delimiter=/'], ['is a slash, encoded', 'delimiter=%2F'], ...ignored('delimiter', ':')],
};

/** Looks like a cursor, but is not signed. */
const forged = `0bcGhvdG8.${'A'.repeat(43)}`;

const cursor: FieldCases = {
  field: 'cursor',
  code: 'INVALID_CONTINUATION_TOKEN',
  bad: [
    ...disguised('cursor', forged),
    ...texts('cursor', {
      'is forged': forged,
      'is a word': 'next',
      'is null': 'null',
      'is undefined': 'undefined',
      'is 0': '0',
      'is 1': '1',
      'is -1': '-1',
      'is an offset': '1000',
      'is a key': 'photo.png',
      'is an id': 'pub/204815162342108999/photo.png',
      'leads upwards': '../../etc/passwd',
      'is a dot': '.',
      'has no signature': '0bcGhvdG8',
      'has an empty signature': '0bcGhvdG8.',
      'has no position': `.${'A'.repeat(43)}`,
      'names no space': `9bcGhvdG8.${'A'.repeat(43)}`,
      'is 2048 characters long': 'a'.repeat(2048),
      'is 2049 characters long': 'a'.repeat(2049),
      'is in fullwidth letters': 'ａ',
      'is a JSON object': '{"space":"public"}',
    }),
  ],
  good: [],
};

/** Words of a fixed list. */
function wordField(field: string, code: FieldCases['code'], good: readonly string[]): FieldCases {
  const others = ['other ', 'NAME', 'Asc', 'null', 'true', '0', '-1', '*', 'name,size', "' OR 1=1 --", '{}', '../a'];
  return {
    field,
    code,
    bad: [
      // A list of details may name one twice.
      ...disguised(field, good[0]!).filter(([what]) => field !== 'fields' || what !== 'is a list'),
      ...texts(field, Object.fromEntries(others.map((text) => [`is ${text}`, text]))),
    ],
    good: good.map((text) => [`is ${text}`, `${field}=${text}`] as const),
  };
}

function instantField(field: string): FieldCases {
  return {
    field,
    code: 'INVALID_DATE_RANGE',
    bad: [
      ...disguised(field, '2026-04-21T09:30:00Z'),
      ...texts(field, {
        'is a date': '2026-04-21',
        'has no zone': '2026-04-21T09:30:00',
        'is a day that does not exist': '2026-02-30T00:00:00Z',
        'is a month that does not exist': '2026-13-01T00:00:00Z',
        'is an hour that does not exist': '2026-04-21T25:00:00Z',
        'is a number': '1776763800000',
        'is now': 'now',
        'is in other digits': '２０２６-04-21T09:30:00Z',
        'is negative': '-2026-04-21T09:30:00Z',
        'has too many digits': '2026-04-21T09:30:00.1234Z',
      }),
    ],
    good: ['2026-04-21T09:30:00Z', '2026-04-21T09:30:00.123%2B02:00', '2026-04-21T09:30:00+02:00'].map(
      (text) => [`is ${text}`, `${field}=${text}`] as const,
    ),
  };
}

const metadata: FieldCases = {
  field: 'metadata',
  code: 'INVALID_OBJECT_METADATA',
  bad: [
    // JSON may have blanks around it.
    ...disguised('metadata', '{"customer":"acme"}').filter(
      ([what]) => !/\bblanks?\b.*(?:before|behind|around) it|newline|a tab/.test(what),
    ),
    ...texts('metadata', {
      'is no JSON': 'customer=acme',
      'is a list': '["acme"]',
      'is a text': '"acme"',
      'is null': 'null',
      'is a number': '12',
      'has a number': '{"customer":1}',
      'has a list': '{"customer":["acme"]}',
      'has a reserved key': '{"cubby-key":"a"}',
      'has a key in capitals': '{"Customer":"acme"}',
      'has six keys': '{"a":"1","b":"2","c":"3","d":"4","e":"5","f":"6"}',
      'has a line end': '{"customer":"a\\nb"}',
    }),
  ],
  good: [
    ['is empty', 'metadata={}'],
    ['has a value', `metadata=${encodeURIComponent('{"customer":"acme"}')}`],
  ],
};

/**
 * Query parameters of Object List, which cover each way of reading a query. fields.test.ts covers the other
 * operations.
 */
export const listFields: readonly FieldCases[] = [
  prefix,
  booleanField('private', 'INVALID_OBJECT_PRIVATE'),
  delimiter,
  integerField('limit', 'INVALID_LIMIT', { minimum: 1, maximum: 1000 }),
  cursor,
  wordField('sort', 'INVALID_SORT', ['name', 'size', 'created', 'updated']),
  wordField('order', 'INVALID_ORDER', ['asc', 'desc']),
  wordField('kind', 'INVALID_KIND', [
    'image',
    'audio',
    'video',
    'pdf',
    'text',
    'document',
    'sheet',
    'slides',
    'archive',
    'other',
  ]),
  wordField('fields', 'INVALID_FIELDS', ['content_type', 'content_type,original_name,metadata,sha256']),
  integerField('min_size', 'INVALID_SIZE_RANGE', { minimum: 1, maximum: 10_737_418_240 }),
  integerField('max_size', 'INVALID_SIZE_RANGE', { minimum: 1, maximum: 10_737_418_240 }),
  instantField('created_from'),
  instantField('created_before'),
  metadata,
];
