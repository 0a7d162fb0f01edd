import { ask, etagOf, pathOf, put, type Case, type Expected, type Step } from './case.ts';
import { complete, create, large, largeEtag, part, small, smallEtag } from './upload-steps.ts';

const all = 'ETag,Checksum,ObjectParts,StorageClass,ObjectSize';

function attributesOf(key: string, expected: Expected, headers: Readonly<Record<string, string>> = {}): Step {
  return ask('GET', pathOf(key), { attributes: '' }, expected, {
    headers: { 'x-amz-object-attributes': all, ...headers },
  });
}

const inFour = [
  create(),
  part(1, large),
  part(2, large),
  part(3, large),
  part(4, small),
  complete(
    [
      [1, largeEtag],
      [2, largeEtag],
      [3, largeEtag],
      [4, smallEtag],
    ],
    { status: 200, texts: { ETag: [/-4"$/] } },
  ),
];
const sizeBytes = 3 * large.length + small.length;

/** GetObjectAttributes, mostly of files that were uploaded in parts. */
export const attributes: readonly Case[] = [
  {
    name: 'all attributes of a file uploaded in one request',
    steps: [
      put('a', 'abc'),
      attributesOf('a', {
        status: 200,
        headers: { 'x-amz-version-id': null, 'x-amz-delete-marker': null, 'last-modified': /GMT$/ },
        texts: {
          ETag: [etagOf('abc').replaceAll('"', '')],
          ObjectSize: ['3'],
          StorageClass: ['STANDARD'],
          PartsCount: [],
          PartNumber: [],
        },
      }),
    ],
  },
  {
    name: 'all attributes of a file in four parts, and the parts page by page',
    steps: [
      ...inFour,
      attributesOf('m', {
        status: 200,
        texts: {
          ETag: [/^[0-9a-f]{32}-4$/],
          ObjectSize: [String(sizeBytes)],
          StorageClass: ['STANDARD'],
          PartsCount: ['4'],
          IsTruncated: ['false'],
          PartNumber: ['1', '2', '3', '4'],
          Size: [...Array.from({ length: 3 }, () => String(large.length)), String(small.length)],
          ChecksumSHA256: [],
        },
      }),
      attributesOf(
        'm',
        {
          status: 200,
          texts: {
            PartsCount: ['4'],
            MaxParts: ['1'],
            PartNumberMarker: ['2'],
            NextPartNumberMarker: ['3'],
            IsTruncated: ['true'],
            PartNumber: ['3'],
            ObjectSize: [String(sizeBytes)],
          },
        },
        { 'x-amz-max-parts': '1', 'x-amz-part-number-marker': '2' },
      ),
      attributesOf(
        'm',
        {
          status: 200,
          texts: {
            PartsCount: ['4'],
            MaxParts: ['10'],
            PartNumberMarker: ['3'],
            IsTruncated: ['false'],
            PartNumber: ['4'],
            Size: [String(small.length)],
          },
        },
        { 'x-amz-max-parts': '10', 'x-amz-part-number-marker': '3' },
      ),
    ],
  },
  {
    name: 'all attributes of a file in one part',
    steps: [
      create(),
      part(1, small),
      complete([[1, smallEtag]], { status: 200 }),
      attributesOf('m', {
        status: 200,
        texts: {
          PartsCount: ['1'],
          PartNumber: ['1'],
          Size: [String(small.length)],
          ObjectSize: [String(small.length)],
          ETag: [/-1$/],
        },
      }),
    ],
  },
];
