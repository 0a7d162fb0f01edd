import { scopes } from '#server/domain/access/scope.ts';

/** What is wrong, and the value as JSON; `undefined` leaves the field out. */
type Value = readonly [what: string, value: unknown];

export interface DeviceField {
  readonly path: string;
  readonly field: string;
  /** The field in whose place it is sent. */
  readonly replaces?: string;
  /** By default; `codes` names others. */
  readonly code: string;
  readonly bad: readonly Value[];
  /** Boundary values, so that the table cannot pass by refusing everything. */
  readonly good: readonly Value[];
  /** A value that a form can carry, for what is wrong with forms alone. */
  readonly text: string;
}

const wrongTypes: readonly Value[] = [
  ['is null', null],
  ['is a number', 7],
  ['is true', true],
  ['is an object', {}],
  ['is an object like a list', { 0: 'a', length: 1 }],
];
const unprintable: Readonly<Record<string, string>> = {
  'is empty': '',
  'is a blank': ' ',
  'is a no-break space': '\u00a0',
  'holds a NUL': 'a\u0000b',
  'holds a newline': 'a\nb',
  'holds CRLF and a header': 'a\r\nSet-Cookie: a=b',
  'holds a tab': 'a\tb',
  'holds an escape sequence': '\u001b[31mred',
  'changes its direction': 'a\u202eb',
  'isolates a direction': '\u2066a\u2069',
  'holds a zero-width space': 'a\u200bb',
  'holds a line separator': 'a\u2028b',
  'is half a character': '\ud83d',
  'is 65 characters long': 'a'.repeat(65),
  'is overlong': 'a'.repeat(100_000),
};

const labels: Pick<DeviceField, 'bad' | 'good'> = {
  bad: [['is left out', undefined], ...wrongTypes, ['is a list', ['CLI']], ...Object.entries(unprintable)],
  good: [
    ['is one letter', 'a'],
    ['is 64 characters long', 'a'.repeat(64)],
    ['is 64 characters of two units', '😀'.repeat(64)],
    ['is markup', '<b>"CLI"</b>'],
    ['is SQL', "'; DROP TABLE api_keys; --"],
    ['is Arabic', 'مفتاح'],
  ],
};

/** Scopes as one text. */
const badScopeTexts: readonly Value[] = [
  ['is left out', undefined],
  ...wrongTypes,
  ['is an empty list', []],
  ['is an empty text', ''],
  ['is a blank', ' '],
  ['is full access', '*'],
  ['names full access beside another', 'blob:read *'],
  ['is unknown', 'blob:delete'],
  ['is in capitals', 'BLOB:READ'],
  ['ends with a blank', 'blob:read '],
  ['has two blanks', 'blob:read  blob:write'],
  ['has a comma', 'blob:read,blob:write'],
  ['has a newline', 'blob:read\nblob:write'],
  ['names one twice', 'blob:read blob:read'],
  ['is overlong', `blob:read${' blob:read'.repeat(100)}`],
];

export const deviceFields: readonly DeviceField[] = [
  {
    path: '/v2/auth/device',
    field: 'client_name',
    code: 'invalid_request',
    text: 'CLI',
    ...labels,
  },
  {
    path: '/v2/auth/device',
    field: 'client_id',
    replaces: 'client_name',
    code: 'invalid_request',
    text: 'cubby-cli',
    ...labels,
  },
  {
    path: '/v2/auth/device',
    field: 'scopes',
    code: 'invalid_scope',
    text: 'blob:read blob:write',
    bad: [
      ...badScopeTexts,
      ['holds full access', ['*']],
      ['holds full access beside another', ['blob:read', '*']],
      ['holds an unknown one', ['blob:read', 'blob:delete']],
      ['holds one twice', ['blob:read', 'blob:read']],
      ['holds two in one', ['blob:read blob:write']],
      ['holds null', [null]],
      ['holds a number', [7]],
      ['holds a list', [['blob:read']]],
      ['holds a wildcard of its own', ['blob:*']],
      ['names a property of every object', ['constructor']],
      ['holds 19', [...scopes, 'blob:read']],
    ],
    good: [
      ['is one', ['ai:chat']],
      ['is one as a text', 'ai:chat'],
      ['is all of them', scopes],
      ['is all of them as a text', scopes.join(' ')],
    ],
  },
  {
    path: '/v2/auth/device',
    field: 'scope',
    replaces: 'scopes',
    code: 'invalid_scope',
    text: 'blob:read blob:write',
    bad: [...badScopeTexts, ['is a list', ['blob:read']]],
    good: [
      ['is one', 'ai:chat'],
      ['is all of them', scopes.join(' ')],
    ],
  },
  {
    path: '/v2/auth/device/token',
    field: 'device_code',
    code: 'invalid_request',
    text: 'unknown',
    bad: [
      ['is left out', undefined],
      ...wrongTypes,
      ['is a list', ['x']],
      ['is empty', ''],
      ['is 257 characters long', 'a'.repeat(257)],
      ['is overlong', 'a'.repeat(100_000)],
    ],
    good: [
      ['is unknown', 'x'],
      ['is 256 characters long', 'a'.repeat(256)],
      ['is SQL', "' OR 1=1 --"],
      ['holds a newline', 'a\nb'],
      ['is an emoji', '☁'],
    ],
  },
  {
    path: '/v2/auth/device/token',
    field: 'grant_type',
    code: 'unsupported_grant_type',
    text: 'urn:ietf:params:oauth:grant-type:device_code',
    bad: [
      ['is empty', ''],
      ['is another one', 'authorization_code'],
      ['is cut off', 'urn:ietf:params:oauth:grant-type:device_cod'],
      ['is longer', 'urn:ietf:params:oauth:grant-type:device_code2'],
      ['is in capitals', 'URN:IETF:PARAMS:OAUTH:GRANT-TYPE:DEVICE_CODE'],
      ['has a blank behind it', 'urn:ietf:params:oauth:grant-type:device_code '],
      ['has a blank before it', ' urn:ietf:params:oauth:grant-type:device_code'],
      ['is its short name', 'device_code'],
      ['is null in letters', 'null'],
      ['is overlong', 'a'.repeat(100_000)],
    ],
    good: [
      ['is left out', undefined],
      ['is that of RFC 8628', 'urn:ietf:params:oauth:grant-type:device_code'],
    ],
  },
];

/** Values of no grant type at all, which is another fault than an unknown one. */
export const noGrantTypes: readonly Value[] = [
  ...wrongTypes,
  ['is a list', ['urn:ietf:params:oauth:grant-type:device_code']],
];
