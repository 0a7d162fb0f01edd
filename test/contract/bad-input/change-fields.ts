import type { ErrorCode } from '#generated/errors.ts';

/** One field of a JSON body: values that it must reject with its own code, and values that it must accept. */
export interface JsonField {
  /** Dots lead into an object. */
  readonly field: string;
  readonly code: ErrorCode;
  readonly bad: readonly unknown[];
  /** Boundary values, so that the table cannot pass by rejecting everything. */
  readonly good: readonly unknown[];
}

/** Faults of every field that is not a list or an object. */
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

const notTexts: readonly unknown[] = [null, ...misshapen, true, false, 0, 7, -1, 1.5];

/** Here null is valid and keeps the file for good. */
const expire: JsonField = {
  field: 'expire',
  code: 'INVALID_OBJECT_EXPIRE',
  bad: [
    ...misshapen,
    [7],
    ['7d'],
    { days: 7 },
    true,
    false,
    0,
    -1,
    -7,
    1.5,
    7.000001,
    1826,
    1e6,
    1e300,
    '',
    '0',
    '7.0',
    '7e0',
    '1826d',
    '43801h',
    '9'.repeat(400),
    'null',
    '7d\u0000',
    '\ud800',
  ],
  good: [1, 7, 1825, '1', '1h', '7', '30d', '1825d', '43800h', null],
};

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

/** Here null is valid and removes the name. */
const originalName: JsonField = {
  field: 'original_name',
  code: 'INVALID_FILENAME',
  bad: [
    ...misshapen,
    ['a.pdf'],
    { name: 'a.pdf' },
    true,
    0,
    7,
    -1.5,
    '',
    ' ',
    '.',
    '..',
    ' . ',
    '/',
    'a/b.pdf',
    '../b.pdf',
    'a\\b.pdf',
    'a\u0000.pdf',
    'a\nb.pdf',
    '\u001b[2J',
    '\u007f',
    '\u0085',
    '\u202e',
    '\ud800.pdf',
    'a\udc00',
    'x'.repeat(256),
    'x'.repeat(500_000),
  ],
  good: [null, 'x', 'x'.repeat(255), '\u{1f4c1}'.repeat(255), ' Été 2026 (1).pdf', '.profile', '<b>"\';', 'a\u202eb'],
};

/** Metadata changes in a valid form that exceed a file's limits. The error is in the file's own result. */
export const metadataPastLimits: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'six keys': { a: '', b: '', c: '', d: '', e: '', f: '' },
  'a hundred keys': Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, 'x'])),
  '513 bytes': { a: 'x'.repeat(512) },
  '513 bytes in fewer characters': { a: 'ü'.repeat(256) },
  'far too many bytes': { a: 'x'.repeat(500_000) },
  'half a character': { a: '\ud800' },
  'halves of a character, swapped': { a: '\ude00\ud83d' },
};

/**
 * The changes of Object Update cover each way of reading JSON. Texts are read as in a query, which upload-fields.ts
 * covers. fields.test.ts covers the other operations.
 */
export const updateFields: readonly JsonField[] = [
  { field: 'private', code: 'INVALID_OBJECT_PRIVATE', bad: notBooleans, good: [true, false] },
  expire,
  metadata,
  originalName,
];

/** The same for the fields that only copies have. */
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
    bad: [undefined, ...notTexts, '', '..', 'photo\u0000', '\u0000', '\ud800', 'photo\udc00', 'a'.repeat(100_000)],
    good: ['a', 'null', '__proto__', 'constructor'],
  },
];
