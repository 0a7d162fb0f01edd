import { ask, etagOf, get, head, put, type Case } from './case.ts';
import {
  complete,
  create,
  large,
  largeEtag,
  mebibyte,
  part,
  partCopy,
  small,
  smallEtag,
  two,
  whole,
} from './upload-steps.ts';

/** The beginning of a file, copied as parts. */
function copiedInParts(sizeBytes: number): Case['steps'] {
  const source = Buffer.alloc(12 * mebibyte, 'Twelve mebibytes of which parts are taken. ').subarray(0, sizeBytes + 9);
  const starts = Array.from({ length: Math.ceil(sizeBytes / large.length) }, (_, at) => at * large.length);
  const pieces = starts.map((start) => source.subarray(start, Math.min(start + large.length, sizeBytes)));
  return [
    create(),
    put('source', source),
    ...pieces.map((piece, at) =>
      partCopy(
        at + 1,
        'private/source',
        { status: 200, texts: { ETag: [etagOf(piece)] } },
        { 'x-amz-copy-source-range': `bytes=${starts[at]}-${starts[at]! + piece.length - 1}` },
      ),
    ),
    complete(
      pieces.map((piece, at) => [at + 1, etagOf(piece)]),
      { status: 200 },
    ),
    get('m', {}, { status: 200, body: source.toString('latin1', 0, sizeBytes) }),
  ];
}

export const multipartCopies: readonly Case[] = [
  {
    name: 'parts copied from a file, whole and a range',
    steps: [
      create(),
      put('source', large),
      put('words', 'xxthe last partyy'),
      partCopy(1, 'private/source', { status: 200, texts: { ETag: [largeEtag] } }),
      partCopy(
        2,
        '/private/words',
        { status: 200, texts: { ETag: [smallEtag] } },
        { 'x-amz-copy-source-range': 'bytes=2-14' },
      ),
      complete(two),
      get('m', {}, { status: 200, body: whole }),
    ],
  },
  ...['bytes=0-99', 'bytes=0-', 'bytes=-5', 'bytes=5-2', '0-5'].map((range) => ({
    name: `a range that the source of a copied part does not have: ${range}`,
    steps: [
      create(),
      put('source', 'words'),
      partCopy(
        1,
        'private/source',
        { status: [400, 416], code: /^(InvalidArgument|InvalidRange)$/ },
        { 'x-amz-copy-source-range': range },
      ),
    ],
  })),
  ...['0-2', 'bytes=0', 'bytes=first-last', 'bytes=0-last', 'bytes=first-', 'bytes=0-1,3-4'].map((range) => ({
    name: `a malformed range of a copied part: ${range}`,
    steps: [
      create(),
      put('source', 'words'),
      partCopy(1, 'private/source', { status: 400, code: 'InvalidArgument' }, { 'x-amz-copy-source-range': range }),
    ],
  })),
  {
    name: 'a part of one byte from keys of odd names',
    steps: [
      create(),
      ...[' ', '_', '__', '?versionId'].flatMap((key, at) => [
        put(key, `${key}more`),
        partCopy(
          at + 1,
          `private/${encodeURIComponent(key)}`,
          { status: 200, texts: { ETag: [etagOf(key.slice(0, 1))] } },
          { 'x-amz-copy-source-range': 'bytes=0-0' },
        ),
      ]),
      complete([[1, etagOf(' ')]], { status: 200 }),
      get('m', {}, { status: 200, body: ' ' }),
    ],
  },
  {
    name: 'a source is decoded once',
    steps: [
      create(),
      put('half%25', 'words'),
      partCopy(1, 'private/half%25', { status: 404, code: 'NoSuchKey' }),
      partCopy(1, 'private/half%2525', { status: 200 }),
    ],
  },
  ...[5 * mebibyte, 5 * mebibyte + 102_400, 10 * mebibyte, 10 * mebibyte + 614_400].map((sizeBytes) => ({
    name: `parts copied from ranges of a file, ${sizeBytes} bytes together`,
    steps: copiedInParts(sizeBytes),
  })),
  {
    name: 'a part copied from a missing file',
    steps: [create(), partCopy(1, 'private/nothing', { status: 404, code: 'NoSuchKey' })],
  },
  {
    name: 'a part copied under a condition',
    steps: [
      create(),
      put('source', 'words'),
      partCopy(
        1,
        'private/source',
        { status: 412, code: 'PreconditionFailed' },
        { 'x-amz-copy-source-if-none-match': etagOf('words') },
      ),
    ],
  },
  {
    name: 'a copy with a requested checksum has that of the whole file',
    steps: [
      create({ 'x-amz-checksum-algorithm': 'SHA256' }),
      part(1, small),
      complete([[1, smallEtag]], { status: 200 }),
      ask(
        'PUT',
        '/private/n',
        {},
        { status: 200, texts: { ChecksumSHA256: [/^.{43}=$/], ChecksumType: ['FULL_OBJECT'] } },
        { headers: { 'x-amz-copy-source': 'private/m', 'x-amz-checksum-algorithm': 'SHA256' } },
      ),
    ],
  },
  {
    name: 'composite SHA-256 of a multipart upload',
    steps: [
      create({ 'x-amz-checksum-algorithm': 'SHA256' }),
      part(1, small),
      complete([[1, smallEtag]], { status: 200, texts: { ChecksumSHA256: [/-1$/] } }),
      head(
        'm',
        { 'x-amz-checksum-mode': 'ENABLED' },
        { status: 200, headers: { 'x-amz-checksum-sha256': /-1$/, 'x-amz-checksum-type': 'COMPOSITE' } },
      ),
    ],
  },
  {
    name: 'full CRC-32 of a multipart upload',
    steps: [
      create({ 'x-amz-checksum-algorithm': 'CRC32', 'x-amz-checksum-type': 'FULL_OBJECT' }),
      part(1, large),
      part(2, small),
      complete(two),
      head(
        'm',
        { 'x-amz-checksum-mode': 'ENABLED' },
        { status: 200, headers: { 'x-amz-checksum-crc32': /^[^-]{8}$/, 'x-amz-checksum-type': 'FULL_OBJECT' } },
      ),
    ],
  },
  {
    name: 'a SHA-256 of the whole file is refused',
    steps: [
      create(
        { 'x-amz-checksum-algorithm': 'SHA256', 'x-amz-checksum-type': 'FULL_OBJECT' },
        { status: 400, code: 'InvalidRequest' },
      ),
    ],
  },
  {
    name: 'an unknown checksum of a multipart upload',
    steps: [create({ 'x-amz-checksum-algorithm': 'MD4' }, { status: 400, code: /^(InvalidRequest|InvalidArgument)$/ })],
  },
  {
    name: 'an upload into the legacy bucket',
    steps: [ask('POST', '/legacy/m', { uploads: '' }, { status: 403, code: 'AccessDenied' })],
  },
];
