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

/**
 * Query parameters of Object List, which cover each way of reading a query. bound-fields.ts covers the other
 * operations.
 */
export const listFields: readonly FieldCases[] = [
  prefix,
  booleanField('private', 'INVALID_OBJECT_PRIVATE'),
  delimiter,
  integerField('limit', 'INVALID_LIMIT', { minimum: 1, maximum: 1000 }),
  cursor,
];
