import type { ErrorCode } from '#generated/errors.ts';
import { ruleFields } from './rule-fields.ts';

/** One field of a JSON body: values that it must refuse with its own code, and values that it must take. */
export interface JsonField {
  /** Dots lead into an object. */
  readonly field: string;
  readonly code: ErrorCode;
  readonly bad: readonly unknown[];
  /** Boundary values, so that the table cannot pass by refusing everything. */
  readonly good: readonly unknown[];
}

/** What is wrong for every field that is no list and no object. */
const misshapen: readonly unknown[] = [{}, { value: 'inline' }, [], [[]], [null]];

const notBooleans: readonly unknown[] = [
  null,
  ...misshapen,
  [true],
  { true: true },
  0,
  1,
  -1,
  1.5,
  1e300,
  '',
  ' ',
  'true',
  'false',
  'True',
  'yes',
  '1',
  '0',
  'null',
  'true\u0000',
  'ｔｒｕｅ',
  '\ud800',
  'x'.repeat(5000),
];

const boolean = (field: string, code: ErrorCode): JsonField => ({ field, code, bad: notBooleans, good: [true, false] });

function ofRule(name: string) {
  return ruleFields.find(({ field }) => field === name)!;
}

/** Here null is a value: it keeps the file for good, or removes the header. */
function nullable(field: string, code: ErrorCode, rule: string): JsonField {
  const { bad, good } = ofRule(rule);
  return { field, code, bad: [...bad.filter((value) => value !== null), '\ud800', 'null'], good: [...good, null] };
}

const notTexts: readonly unknown[] = [null, ...misshapen, true, false, 0, 7, -1, 1.5];

const metadata: JsonField = {
  field: 'metadata',
  code: 'INVALID_OBJECT_METADATA',
  bad: [
    [],
    [[]],
    [['a', 'b']],
    [null],
    '',
    'a',
    '{}',
    '{"a":"b"}',
    'null',
    0,
    7,
    -1.5,
    true,
    false,
    { '': 'x' },
    { A: 'x' },
    { 'a b': 'x' },
    { a_b: 'x' },
    { 'a.b': 'x' },
    { größe: 'x' },
    { а: 'x' },
    { '📁': 'x' },
    { 'a\n': 'x' },
    { 'a\u0000': 'x' },
    { '\ud800': 'x' },
    { ['k'.repeat(65)]: 'x' },
    { 'cubby-id': 'x' },
    { 'cubby-': null },
    JSON.parse('{"__proto__":"x"}'),
    { toString: 'x' },
    { a: 1 },
    { a: 0 },
    { a: true },
    { a: false },
    { a: [] },
    { a: ['x'] },
    { a: {} },
    { a: { b: 'c' } },
    { a: 'x', b: 7 },
    { a: 'x', B: null },
    { a: 'x\ny' },
    { a: 'x\r\ny' },
    { a: 'x\n' },
    { a: '\r' },
    { a: 'x\u0000' },
    { a: '\t' },
    { a: '\u001b[2J' },
    { a: '\u007f' },
    { a: '\u0085' },
    { a: 'x', b: '\u009f' },
  ],
  good: [
    null,
    { a: null },
    { a: '' },
    { a: 'x', b: 'x', c: 'x', d: 'x', e: 'x' },
    { a: 'x'.repeat(511) },
    { a: 'ü'.repeat(255) },
    { ['k'.repeat(64)]: 'x' },
    { cubby: 'x' },
    { constructor: 'x' },
    { '-': '<script>' },
  ],
};

/** Changes of metadata that have the right form and lead to more than a file may have: that is the file's own result. */
export const metadataPastLimits: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'six keys': { a: '', b: '', c: '', d: '', e: '', f: '' },
  'a hundred keys': Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, 'x'])),
  '513 bytes': { a: 'x'.repeat(512) },
  '513 bytes in fewer characters': { a: 'ü'.repeat(256) },
  'far too many bytes': { a: 'x'.repeat(500_000) },
  'half a character': { a: '\ud800' },
  'halves of a character, swapped': { a: '\ude00\ud83d' },
};

/** Every change of Object Update. */
export const updateFields: readonly JsonField[] = [
  boolean('private', 'INVALID_OBJECT_PRIVATE'),
  nullable('expire', 'INVALID_OBJECT_EXPIRE', 'expire'),
  nullable('cache_control', 'INVALID_OBJECT_CACHE_CONTROL', 'cache_control'),
  {
    field: 'disposition',
    code: 'INVALID_OBJECT_DISPOSITION',
    bad: [
      ...misshapen,
      ['inline'],
      true,
      false,
      0,
      1,
      '',
      ' ',
      'Inline',
      'ATTACHMENT',
      ' inline',
      'inline ',
      'inline\n',
      'inline\u0000',
      'inline\r\nSet-Cookie: a=b',
      'attachment; filename="a.exe"',
      'download',
      'form-data',
      'null',
      'none',
      'attachmen',
      'ｉnline',
      'ınline',
      '\ud800',
      'x'.repeat(5000),
    ],
    good: ['inline', 'attachment', null],
  },
  metadata,
];

/** Every field of Object Copy but its source, whose values are ids. */
export const copyFields: readonly JsonField[] = [
  {
    field: 'destination',
    code: 'INVALID_DESTINATION',
    bad: [undefined, null, [], [[]], [null], [{ name: 'x' }], '', 'x', '{"name":"x"}', 0, 7, -1.5, true, false],
    good: [{ name: 'x' }, { name: 'x', Name: '..', more: null }],
  },
  {
    field: 'destination.name',
    code: 'INVALID_OBJECT_NAME',
    bad: [
      undefined,
      ...notTexts,
      '',
      ' ',
      '.',
      '..',
      '...',
      '.profile',
      '-photo',
      'a..b',
      'photo.',
      'a/b',
      '/',
      '../photo',
      '..\\photo',
      'a\\b',
      '/etc/passwd',
      'c:photo',
      'my photo',
      ' photo',
      'photo ',
      'photo\n',
      'photo\r\nSet-Cookie: a=b',
      'photo\u0000',
      '\u0000',
      '\ud800',
      'photo\udc00',
      '<script>',
      "a' OR 1=1 --",
      'a?b',
      'a#b',
      '*',
      'a%2fb',
      '${name}',
      'photo-ex7',
      'photo-ex6h',
      'photo-ex0',
      `a-ex${'9'.repeat(50)}`,
      'Föto',
      'Fo\u0308to',
      'phоto',
      'ｐｈｏｔｏ',
      'a．b',
      'a⁄b',
      '\u202ephoto',
      'photo\u200b',
      '\ufeffphoto',
      '📁',
      'a'.repeat(129),
      'a'.repeat(100_000),
    ],
    good: [
      'a',
      '7',
      '_',
      'a'.repeat(128),
      'A_b.c-9',
      'null',
      '07',
      '__proto__',
      'constructor',
      'photo-ex',
      'photo-ex7days',
      'photo-ex7-b',
      'ex7',
    ],
  },
  {
    field: 'destination.prefix',
    code: 'INVALID_OBJECT_PREFIX',
    bad: [
      ...ofRule('prefix').bad.filter((value) => value !== ''),
      '\ud800',
      `${[64, 64, 64, 62].map((length) => 'a'.repeat(length)).join('/')}`,
    ],
    good: [...ofRule('prefix').good, '', `${[64, 64, 64, 61].map((length) => 'a'.repeat(length)).join('/')}/`],
  },
  boolean('destination.private', 'INVALID_DESTINATION'),
  nullable('destination.expire', 'INVALID_OBJECT_EXPIRE', 'expire'),
  boolean('destination.security_hash', 'INVALID_DESTINATION'),
  boolean('move', 'INVALID_MOVE'),
  boolean('overwrite', 'INVALID_OVERWRITE'),
];

/** What is wrong for every id in a JSON body, beside the texts that could never be one. */
export const noIds: readonly unknown[] = [
  null,
  ...misshapen,
  true,
  false,
  0,
  7,
  -1.5,
  '',
  ' ',
  '*',
  '\u0000',
  '\ud800',
  'x'.repeat(5000),
];
