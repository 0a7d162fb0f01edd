import type { ErrorCode } from '#generated/errors.ts';

/** The ids in the bodies below. */
export interface Ids {
  /** Existing files. */
  readonly one: string;
  readonly two: string;
  /** An existing file of another account. */
  readonly foreign: string;
}

export interface BodyCase {
  readonly what: string;
  readonly code: ErrorCode;
  readonly body: (ids: Ids) => string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = (value: unknown) => JSON.stringify(value);
const mebibyte = 1_048_576;

/** Returns `{"object": …, "more": "xxx…"}` with exactly this length in bytes. */
export function bodyOfBytes(object: string, bytes: number): string {
  const start = json({ object, more: '' });
  return `${start.slice(0, -2)}${'x'.repeat(bytes - start.length)}"}`;
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const noObject: readonly BodyCase[] = Object.entries<BodyCase['body']>({
  'is empty': () => '',
  'is only blanks': () => ' \r\n\t',
  'is not JSON': ({ one }) => one,
  'is a form': ({ one }) => `object=${one}`,
  'is a string': ({ one }) => json(one),
  'is an array': ({ one }) => json([{ object: one }]),
  'is an array of ids': ({ one, two }) => json([one, two]),
  'is an empty array': () => '[]',
  'is a number': () => '7',
  'is null': () => 'null',
  'is true': () => 'true',
  'is NaN': () => 'NaN',
  'is cut off': ({ one }) => json({ object: one }).slice(0, -1),
  'has something behind it': ({ one }) => `${json({ object: one })}x`,
  'is two objects': ({ one, two }) => json({ object: one }) + json({ object: two }),
  'has a trailing comma': ({ one }) => `{"object":${json(one)},}`,
  'has single quotes': ({ one }) => `{'object':'${one}'}`,
  'has a bare key': ({ one }) => `{object:${json(one)}}`,
  'has a comment': ({ one }) => `{"object":${json(one)}/* this one */}`,
  'has a newline in a string': ({ one }) => `{"object":"${one}\n"}`,
  'has a NUL behind it': ({ one }) => `${json({ object: one })}\u0000`,
  'holds an invalid UTF-8 byte': ({ one }) =>
    Buffer.concat([Buffer.from(`{"object":"${one}`), Buffer.from([0xff]), Buffer.from('"}')]),
  'holds overlong UTF-8': ({ one }) =>
    Buffer.concat([Buffer.from(`{"object":"${one}`), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
  'holds a surrogate in UTF-8': ({ one }) =>
    Buffer.concat([Buffer.from(`{"object":"${one}`), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  'is UTF-16': ({ one }) => Buffer.from(`\ufeff${json({ object: one })}`, 'utf16le'),
  'is 33 levels deep': ({ one }) => `{"object":${json(one)},"more":${nested(32)}}`,
  'is a mebibyte of opening brackets': () => '['.repeat(mebibyte),
  'is a mebibyte of opening objects': () => '{"a":'.repeat(mebibyte / 5),
}).map(([what, body]) => ({ what, code: 'INVALID_BODY', body }));

const wrongStructure: readonly BodyCase[] = Object.entries<BodyCase['body']>({
  'is an empty object': () => '{}',
  'has only unknown fields': ({ one }) => json({ id: one, Object: one, OBJECTS: [one] }),
  'names its file in the prototype': ({ one }) => `{"__proto__":{"object":${json(one)}}}`,
  'names its files in the constructor': ({ one }) => json({ constructor: { prototype: { objects: [one] } } }),
  'names its file under an empty key': ({ one }) => json({ '': one }),
  'has both object and objects': ({ one, two }) => json({ object: one, objects: [two] }),
  'has both, the same file twice': ({ one }) => json({ object: one, objects: [one] }),
  'has both, with an empty list': ({ one }) => json({ object: one, objects: [] }),
  'has an empty list': () => json({ objects: [] }),
  'has null for a list': () => json({ objects: null }),
  'has a string for a list': ({ one }) => json({ objects: one }),
  'has an object for a list': ({ one }) => json({ objects: { 0: one, length: 1 } }),
  'has a number for a list': () => json({ objects: 1 }),
  'has true for a list': () => json({ objects: true }),
}).map(([what, body]) => ({ what, code: 'INVALID_BODY', body }));

/** Wrong types and forms of one id, alone or in a list. */
const wrongIds: Readonly<Record<string, (ids: Ids) => string>> = {
  null: () => 'null',
  'a number': () => '7',
  zero: () => '0',
  true: () => 'true',
  'an empty string': () => '""',
  'a blank': () => '" "',
  'an array': ({ one }) => json([one]),
  'an empty array': () => '[]',
  'an object': ({ one }) => json({ object: one }),
  'a file of another account': ({ foreign }) => json(foreign),
  'a NUL': () => '"\\u0000"',
  'an id with a NUL behind it': ({ one }) => `${json(one).slice(0, -1)}\\u0000"`,
  'an id with a newline behind it': ({ one }) => json(`${one}\n`),
  'an id with a lone surrogate': ({ one }) => `${json(one).slice(0, -1)}\\ud800"`,
  'an id with its surrogates swapped': ({ one }) => `${json(one).slice(0, -1)}\\udc00\\ud800"`,
  'an id with a blank before it': ({ one }) => json(` ${one}`),
  'an id in capitals': ({ one }) => json(one.toUpperCase()),
  'an id that leads upwards': ({ one, foreign }) => json(`${one}/../../../${foreign}`),
  'an id that is percent-encoded': ({ one }) => json(encodeURIComponent(one)),
  'an id that is overlong': ({ one }) => json(one + 'a'.repeat(5000)),
  'a wildcard': () => '"*"',
};

/** A wrong last entry of a list. fields.test.ts covers a single entry and each position. */
const invalidIds: readonly BodyCase[] = Object.entries(wrongIds).map(([what, id]) => ({
  what: `has ${what} last in its list`,
  code: 'INVALID_OBJECT',
  body: (ids) => `{"objects":[${json(ids.one)},${json(ids.two)},${id(ids)}]}`,
}));

/** 101 different ids. Two of them exist. */
const tooMany = ({ one, two }: Ids) => [one, two, ...Array.from({ length: 99 }, (_, at) => `${one}.${at}`)];

const tooLarge: readonly BodyCase[] = [
  { what: 'is one byte over 1 MiB', code: 'BODY_TOO_LARGE', body: ({ one }) => bodyOfBytes(one, mebibyte + 1) },
  { what: 'is one byte over 1 MiB, and not JSON', code: 'BODY_TOO_LARGE', body: () => '['.repeat(mebibyte + 1) },
  {
    what: 'is one byte over 1 MiB of blanks',
    code: 'BODY_TOO_LARGE',
    body: ({ one }) => json({ object: one }).padEnd(mebibyte + 1),
  },
  { what: 'is 4 MiB', code: 'BODY_TOO_LARGE', body: ({ one }) => bodyOfBytes(one, 4 * mebibyte) },
];

const encoded: readonly BodyCase[] = [
  'gzip',
  'deflate',
  'br',
  'zstd',
  'x-gzip',
  'gzip, gzip',
  'identity, gzip',
  'unheard-of',
].map((encoding) => ({
  what: `says that it is ${encoding}`,
  code: 'INVALID_BODY',
  headers: { 'Content-Encoding': encoding },
  body: ({ one }) => json({ object: one }),
}));

/** Bodies of Object Delete that must be rejected, with their codes. */
export const badBodies: readonly BodyCase[] = [
  ...noObject,
  ...wrongStructure,
  ...invalidIds,
  { what: 'names 101 files', code: 'TOO_MANY_OBJECTS', body: (ids) => json({ objects: tooMany(ids) }) },
  {
    what: 'names one file 101 times',
    code: 'TOO_MANY_OBJECTS',
    body: ({ one }) => json({ objects: Array(101).fill(one) }),
  },
  {
    what: 'names 20,000 files',
    code: 'TOO_MANY_OBJECTS',
    body: ({ one }) => json({ objects: Array(20_000).fill(one) }),
  },
  {
    what: 'has 101 entries that are not ids',
    code: 'TOO_MANY_OBJECTS',
    body: () => json({ objects: Array(101).fill(null) }),
  },
  ...tooLarge,
  ...encoded,
];

/** Bodies that name exactly one file, in any form. The file is deleted. */
export const goodBodies: ReadonlyArray<Omit<BodyCase, 'code'>> = [
  { what: 'names it as object', body: ({ one }) => json({ object: one }) },
  { what: 'names it as the one entry of objects', body: ({ one }) => json({ objects: [one] }) },
  {
    what: 'is sent as text/plain',
    body: ({ one }) => json({ object: one }),
    headers: { 'Content-Type': 'text/plain' },
  },
  {
    what: 'is sent as a form',
    body: ({ one }) => json({ object: one }),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  },
  {
    what: 'is sent as multipart',
    body: ({ one }) => json({ object: one }),
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
  },
  {
    what: 'is sent with an invalid content type',
    body: ({ one }) => json({ object: one }),
    headers: { 'Content-Type': 'nonsense' },
  },
  {
    what: 'is sent with another charset',
    body: ({ one }) => json({ object: one }),
    headers: { 'Content-Type': 'application/json; charset=iso-8859-1' },
  },
  {
    what: 'is sent with the encoding "identity"',
    body: ({ one }) => json({ object: one }),
    headers: { 'Content-Encoding': 'identity' },
  },
  { what: 'begins with a byte order mark', body: ({ one }) => `\ufeff${json({ object: one })}` },
  { what: 'has blanks around everything', body: ({ one }) => `\r\n { "object" :\t${json(one)} } \n` },
  {
    what: 'escapes every character',
    body: ({ one }) =>
      `{"object":"${[...one].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
  },
  {
    what: 'gives the key twice, of which the last counts',
    body: ({ one, two }) => `{"object":${json(two)},"object":${json(one)}}`,
  },
  {
    what: 'has unknown fields',
    body: ({ one, two }) => json({ object: one, id: two, force: true, limit: '1e3' }),
  },
  {
    what: 'has a prototype that names another',
    body: ({ one, two }) => `{"object":${json(one)},"__proto__":{"objects":[${json(two)}]}}`,
  },
  { what: 'is 32 levels deep', body: ({ one }) => `{"object":${json(one)},"more":${nested(31)}}` },
  { what: 'has brackets in a string', body: ({ one }) => json({ object: one, more: '['.repeat(1000) }) },
  { what: 'is exactly 1 MiB', body: ({ one }) => bodyOfBytes(one, mebibyte) },
];
