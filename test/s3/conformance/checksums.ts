import { checksumAlgorithms, checksumOf, type ChecksumAlgorithm } from '#server/domain/checksums/algorithms.ts';
import { ask, get, head, pathOf, put, type Case, type Expected } from './case.ts';
import { create, finish, large, largeEtag, part, parts, small, smallEtag } from './upload-steps.ts';

const text = 'Bytes with a checksum of their own.';
const asked = { 'x-amz-checksum-mode': 'ENABLED' };

/** Files in one request, with each of the five algorithms. */
function single(algorithm: ChecksumAlgorithm): Case[] {
  const header = `x-amz-checksum-${algorithm.toLowerCase()}`;
  const value = checksumOf(algorithm, Buffer.from(text));
  const told = { [header]: value, 'x-amz-checksum-type': 'FULL_OBJECT' };
  return [
    {
      name: `the right ${algorithm} is returned, kept, and shown on request`,
      steps: [
        put('a', text, { [header]: value, 'x-amz-sdk-checksum-algorithm': algorithm }, { status: 200, headers: told }),
        head('a', {}, { status: 200, headers: { [header]: null } }),
        head('a', asked, { status: 200, headers: told }),
        get('a', asked, { status: 200, body: text, headers: told }),
        ask(
          'GET',
          pathOf('a'),
          { attributes: '' },
          { status: 200, texts: { [`Checksum${algorithm}`]: [value], ChecksumType: ['FULL_OBJECT'] } },
          { headers: { 'x-amz-object-attributes': 'Checksum' } },
        ),
      ],
    },
    {
      name: `a wrong ${algorithm} leaves the existing file unchanged`,
      steps: [
        put('a', text),
        put('a', 'new', { [header]: value }, { status: 400, code: 'BadDigest' }),
        get('a', {}, { status: 200, body: text }),
      ],
    },
    {
      name: `a copy is made with ${algorithm}`,
      steps: [
        put('a', text),
        ask(
          'PUT',
          pathOf('b'),
          {},
          { status: 200, texts: { [`Checksum${algorithm}`]: [value] } },
          { headers: { 'x-amz-copy-source': 'private/a', 'x-amz-checksum-algorithm': algorithm } },
        ),
        head('b', asked, { status: 200, headers: told }),
      ],
    },
  ];
}

type Type = 'COMPOSITE' | 'FULL_OBJECT';
const pieces = [large, large, small];
const etags = [largeEtag, largeEtag, smallEtag];

/** The checksum of the file in three parts. */
function wholeOf(algorithm: ChecksumAlgorithm, type: Type): string {
  if (type === 'FULL_OBJECT') return checksumOf(algorithm, Buffer.concat(pieces));
  const sums = pieces.map((piece) => Buffer.from(checksumOf(algorithm, piece), 'base64'));
  return `${checksumOf(algorithm, Buffer.concat(sums))}-${pieces.length}`;
}

/** A file in three parts. Completions with wrong checksums are refused, and a repeated one gets the same response. */
function multipart([algorithm, type]: readonly [ChecksumAlgorithm, Type]): Case {
  const header = `x-amz-checksum-${algorithm.toLowerCase()}`;
  const sums = pieces.map((piece) => checksumOf(algorithm, piece));
  const whole = wholeOf(algorithm, type);
  const partXml = (value: string, at: number) =>
    `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etags[at]!}</ETag>` +
    `<Checksum${algorithm}>${value}</Checksum${algorithm}></Part>`;
  const xml = (values: readonly string[]) =>
    `<CompleteMultipartUpload>${values.map(partXml).join('')}</CompleteMultipartUpload>`;
  const begun = [
    create(
      { 'x-amz-checksum-algorithm': algorithm, 'x-amz-checksum-type': type },
      { status: 200, headers: { 'x-amz-checksum-algorithm': algorithm, 'x-amz-checksum-type': type } },
    ),
    ...pieces.map((piece, at) =>
      part(at + 1, piece, { status: 200, headers: { [header]: sums[at]! } }, { [header]: sums[at]! }),
    ),
  ];
  const done: Expected = {
    status: 200,
    texts: { ETag: [/-3"$/], [`Checksum${algorithm}`]: [whole], ChecksumType: [type] },
  };
  const told = { [header]: whole, 'x-amz-checksum-type': type };
  return {
    name: `${type} ${algorithm} of three parts`,
    steps: [
      ...begun,
      parts({}, { status: 200, texts: { [`Checksum${algorithm}`]: sums } }),
      finish(
        xml(sums),
        { status: 400, code: 'BadDigest' },
        { [header]: type === 'COMPOSITE' ? `${sums[2]}-3` : sums[2]! },
      ),
      finish(xml([sums[0]!, sums[2]!, sums[2]!]), { status: 400, code: 'InvalidPart' }),
      get('m', {}, { status: 404, code: 'NoSuchKey' }),
      finish(xml(sums), done, { [header]: whole }),
      finish(xml(sums), done, { [header]: whole }),
      head('m', {}, { status: 200, headers: { [header]: null } }),
      head('m', asked, { status: 200, headers: told }),
      ask(
        'GET',
        pathOf('m'),
        { attributes: '' },
        { status: 200, texts: { [`Checksum${algorithm}`]: [whole, ...sums], PartsCount: ['3'] } },
        { headers: { 'x-amz-object-attributes': 'Checksum,ObjectParts' } },
      ),
      ...sums.map((value, at) =>
        ask(
          'GET',
          pathOf('m'),
          { partNumber: String(at + 1) },
          { status: 206, headers: { [header]: value, 'x-amz-checksum-type': type } },
          { headers: asked },
        ),
      ),
    ],
  };
}

export const checksums: readonly Case[] = [
  ...checksumAlgorithms.flatMap(single),
  ...(
    [
      ['CRC32', 'COMPOSITE'],
      ['CRC32', 'FULL_OBJECT'],
      ['CRC32C', 'COMPOSITE'],
      ['CRC32C', 'FULL_OBJECT'],
      ['CRC64NVME', 'FULL_OBJECT'],
      ['SHA1', 'COMPOSITE'],
      ['SHA256', 'COMPOSITE'],
    ] as const
  ).map(multipart),
  ...(['SHA1', 'SHA256'] as const).map((algorithm) => ({
    name: `${algorithm} is refused as the checksum of a whole file in parts`,
    steps: [
      create(
        { 'x-amz-checksum-algorithm': algorithm, 'x-amz-checksum-type': 'FULL_OBJECT' },
        { status: 400, code: 'InvalidRequest' },
      ),
    ],
  })),
  {
    name: 'CRC64NVME always covers the whole file',
    steps: [
      create(
        { 'x-amz-checksum-algorithm': 'CRC64NVME', 'x-amz-checksum-type': 'COMPOSITE' },
        { status: 400, code: 'InvalidRequest' },
      ),
    ],
  },
  {
    name: 'a part with a wrong checksum',
    steps: [
      create({ 'x-amz-checksum-algorithm': 'SHA256' }),
      part(1, small, { status: 400, code: 'BadDigest' }, { 'x-amz-checksum-sha256': checksumOf('SHA256', large) }),
      parts({}, { status: 200, texts: { PartNumber: [] } }),
    ],
  },
];
