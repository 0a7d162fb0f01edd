import type { ErrorCode } from '#generated/errors.ts';

/** The fault (it ends a sentence), and the piece of the query string with it, verbatim. */
export type Case = readonly [what: string, query: string];

/** One query parameter: values that it must reject with its own code, and values that it must accept. */
export interface FieldCases {
  readonly field: string;
  readonly code: ErrorCode;
  readonly bad: readonly Case[];
  /** Boundary values, so that the table cannot pass by rejecting everything. */
  readonly good: readonly Case[];
}

/** Faults of every field: invalid percent-encoded UTF-8, NUL, or more than one value. `good` is an accepted value. */
export function broken(field: string, good: string): Case[] {
  const encodedName = `%${field.charCodeAt(0).toString(16)}${field.slice(1)}`;
  return [
    ['is a NUL', `${field}=%00`],
    ['ends with a NUL', `${field}=${good}%00`],
    ['holds a NUL', `${field}=${good}%00${good}`],
    ['is an invalid UTF-8 byte', `${field}=%ff`],
    ['ends with an invalid UTF-8 byte', `${field}=${good}%ff`],
    ['holds broken percent-encoding', `${field}=%zz`],
    ['ends within a percent-encoding', `${field}=${good}%4`],
    ['ends with a bare percent sign', `${field}=${good}%`],
    ['is a lone surrogate', `${field}=%ed%a0%80`],
    ['is a surrogate pair in CESU-8', `${field}=%ed%a0%bd%ed%b8%80`],
    ['is overlong UTF-8', `${field}=%c0%af`],
    ['lies beyond Unicode', `${field}=%f4%90%80%80`],
    ['is given twice', `${field}=${good}&${field}=${good}`],
    ['is given twice, once under an encoded name', `${field}=${good}&${encodedName}=${good}`],
    ['is given twice, once empty', `${field}=${good}&${field}=`],
    ['is given a hundred times', Array(100).fill(`${field}=${good}`).join('&')],
  ];
}

/** Faults of every field that does not accept any text: nothing, blanks, other notations around an accepted value. */
export function disguised(field: string, good: string): Case[] {
  return [
    ['is empty', `${field}=`],
    ['has no value', field],
    ['is a blank', `${field}=%20`],
    ['has a blank before it', `${field}=%20${good}`],
    ['has a plus, which is a blank, before it', `${field}=+${good}`],
    ['has a blank behind it', `${field}=${good}%20`],
    ['has blanks around it', `${field}=%20${good}%20`],
    ['ends with a newline', `${field}=${good}%0a`],
    ['ends with CRLF and a header', `${field}=${good}%0d%0aSet-Cookie:%20a=b`],
    ['ends with a tab', `${field}=${good}%09`],
    ['ends with a no-break space', `${field}=${good}%c2%a0`],
    ['begins with a byte order mark', `${field}=%ef%bb%bf${good}`],
    ['ends with a zero-width space', `${field}=${good}%e2%80%8b`],
    ['begins with a right-to-left override', `${field}=%e2%80%ae${good}`],
    ['ends with a combining accent', `${field}=${good}%cc%81`],
    ['is a JSON string', `${field}=%22${good}%22`],
    ['is a JSON array', `${field}=%5B%22${good}%22%5D`],
    ['is a JSON object', `${field}=%7B%22${field}%22:%22${good}%22%7D`],
    ['is a list', `${field}=${good},${good}`],
    ['is encoded twice', `${field}=${good}%2525`],
    ['is overlong', `${field}=${good.repeat(Math.ceil(4000 / good.length))}`],
    ['is an emoji', `${field}=%f0%9f%93%81`],
  ];
}

/** Array and object forms of other servers. Here these are other, unknown parameters. */
export function bracketed(field: string, value: string): Case[] {
  return [
    ['is given as an array', `${field}[]=${value}`],
    ['is given as an encoded array', `${field}%5B%5D=${value}`],
    ['is given as an element', `${field}[0]=${value}`],
    ['is given as a property', `${field}[a]=${value}`],
    ['is given with dots', `${field}.a=${value}`],
  ];
}

/** Names that an optional field ignores, because they are other parameters. */
export function ignored(field: string, value: string): Case[] {
  return [
    ...bracketed(field, value),
    ['is written in capitals, which is another parameter', `${field.toUpperCase()}=${value}`],
  ];
}

export function booleanField(field: string, code: ErrorCode): FieldCases {
  const words =
    'TRUE True FALSE yes no on off y n t f 2 -1 +1 00 01 10 1.0 0x1 1e0 null undefined NaN truetrue tru'.split(' ');
  return {
    field,
    code,
    bad: [
      ...disguised(field, 'true'),
      ...words.map((word): Case => [`is ${word}`, `${field}=${encodeURIComponent(word)}`]),
      ['is written in fullwidth letters', `${field}=${encodeURIComponent('ｔｒｕｅ')}`],
      ['is a fullwidth digit', `${field}=${encodeURIComponent('１')}`],
      ['is an Arabic digit', `${field}=${encodeURIComponent('١')}`],
      ['is written with a Cyrillic е', `${field}=${encodeURIComponent('truе')}`],
    ],
    good: ['true', 'false', '1', '0'].map((value): Case => [`is ${value}`, `${field}=${value}`]),
  };
}

/** A whole number from `minimum` to `maximum`. */
export function integerField(
  field: string,
  code: ErrorCode,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): FieldCases {
  const texts = [
    ...[minimum - 1, maximum + 1].map(String),
    ...(
      '0 -0 -1 -7 +7 00 07 007 7. 7.0 1.5 .5 7,0 1,000 1_000 1e3 1E3 1e0 0x10 0X1 0b1 0o7 7n 7d #7 NaN Infinity ' +
      '-Infinity null undefined true false abc 7abc abc7'
    ).split(' '),
    '7 7',
    '18446744073709551617',
    '9007199254740993',
    '99999999999999999999',
    '1'.repeat(400),
    '[7]',
    '{}',
    '７',
    '٧',
    '७',
    '²',
    'Ⅶ',
    '1\u0301',
    '−7',
  ];
  return {
    field,
    code,
    bad: [
      ...disguised(field, '7'),
      ...texts.map((text): Case => [`is ${text.slice(0, 30)}`, `${field}=${encodeURIComponent(text)}`]),
    ],
    good: [minimum, minimum + 1, maximum - 1, maximum].map((value): Case => [`is ${value}`, `${field}=${value}`]),
  };
}

/** Cases from plain texts, which are percent-encoded here. */
export function texts(field: string, cases: Readonly<Record<string, string>>): Case[] {
  return Object.entries(cases).map(([what, text]) => [what, `${field}=${encodeURIComponent(text)}`]);
}
