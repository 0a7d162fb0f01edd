import { scopes } from '#server/domain/access/scope.ts';

/** The fault, and the value as JSON. `undefined` leaves the field out. */
type Value = readonly [what: string, value: unknown];

export interface DeviceField {
  readonly path: string;
  readonly field: string;
  readonly code: string;
  readonly bad: readonly Value[];
  /** Boundary values, so that the table cannot pass by rejecting everything. */
  readonly good: readonly Value[];
  /** A value that a form can contain, for faults of forms only. */
  readonly text: string;
}

const wrongTypes: readonly Value[] = [
  ['is null', null],
  ['is a number', 7],
  ['is true', true],
  ['is an object', {}],
  ['is an object like a list', { 0: 'a', length: 1 }],
];

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

/** The client's own fields besides its name: the name is read as that of a key, and `scope` is read as `scopes`. */
export const deviceFields: readonly DeviceField[] = [
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
      ['is overlong', 'a'.repeat(3_000)],
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
      ['is the text "null"', 'null'],
      ['is overlong', 'a'.repeat(3_000)],
    ],
    good: [
      ['is left out', undefined],
      ['is that of RFC 8628', 'urn:ietf:params:oauth:grant-type:device_code'],
    ],
  },
];

/** Values that are not a grant type at all, which is another fault than an unknown one. */
export const noGrantTypes: readonly Value[] = [
  ...wrongTypes,
  ['is a list', ['urn:ietf:params:oauth:grant-type:device_code']],
];
