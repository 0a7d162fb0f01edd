import { disguised, texts, type FieldCases } from './cases.ts';

const filename: FieldCases = {
  field: 'filename',
  code: 'INVALID_FILE_TYPE',
  bad: [
    ['is empty', 'filename='],
    ['has no value', 'filename'],
    ['ends with a newline', 'filename=a.png%0a'],
    ['ends with a zero-width space', 'filename=a.png%e2%80%8b'],
    ...texts('filename', {
      'ends with a dot': 'photo.',
      'ends with a blank': 'photo.png ',
      'has a hyphen in its extension': 'photo.p-n-g',
      'has an umlaut in its extension': 'photo.pñg',
      'has a Cyrillic letter in its extension': 'photo.рng',
      'has an extension of 17 letters': `photo.${'a'.repeat(17)}`,
      'has a slash behind its dot': 'photo.png/',
      'is 256 characters long': `${'a'.repeat(252)}.png`,
    }),
  ],
  good: texts('filename', {
    'has no extension': 'photo',
    'is 255 characters long': `${'a'.repeat(251)}.png`,
    'has blanks, umlauts and brackets': 'Bücher (final copy).PDF',
    'has a compound extension': 'reads.fastq.gz',
    'has an extension of 16 letters': `photo.${'a'.repeat(16)}`,
  }),
};

const mimeType: FieldCases = {
  field: 'mime_type',
  code: 'INVALID_FILE_TYPE',
  bad: [
    ['is empty', 'mime_type='],
    ['has no value', 'mime_type'],
    ...texts('mime_type', {
      'has no slash': 'image',
      'has nothing before its slash': '/png',
      'has nothing behind its slash': 'image/',
      'has two slashes': 'image/png/x',
      'has a blank in it': 'image/p ng',
      'begins with a blank': ' image/png',
      'is a comma list': 'image/png, image/gif',
      'is 256 characters long': `a/${'b'.repeat(254)}`,
    }),
  ],
  good: texts('mime_type', {
    'is known': 'image/png',
    'is unknown': 'x/y',
    'has a parameter': 'text/plain; charset=utf-8',
    'is 255 characters long': `a/${'b'.repeat(253)}`,
  }),
};

/** The query parameters that only the start of a chunked upload has. */
export const startFields: readonly FieldCases[] = [filename, mimeType];

/** Texts that are not an `upload` string of the account. `good` is a valid one. */
function badHandles(good: string): Readonly<Record<string, string>> {
  const [id, signature] = good.split('.') as [string, string];
  return {
    'has nothing behind its dot': `${id}.`,
    'has no dot': id + signature,
    'is only a dot': '.',
    'is a word': 'upload',
    'has another signature': `${id}.${'A'.repeat(43)}`,
    'has the signature of another id': `${'a'.repeat(26)}.${signature}`,
    'lacks its last character': good.slice(0, -1),
    'has a character more': `${good}A`,
    'is in capitals': good.toUpperCase(),
    'is twice itself': `${good}.${good}`,
    'leads upwards': `../${good}`,
    'is 2,049 characters long': good.padEnd(2049, 'a'),
    'is an object id': 'pub/204815162342108999/big.bin',
  };
}

export const uploadField = (good: string): FieldCases => ({
  field: 'upload',
  code: 'INVALID_UPLOAD_TOKEN',
  bad: [['is missing', ''], ...disguised('upload', good), ...texts('upload', badHandles(good))],
  good: [['is the one that the start answered', `upload=${good}`]],
});
