import { textOf } from '#test/s3/exchange.ts';
import { ask, listed, pathOf, put, type Case } from './case.ts';

const refused: readonly Case[] = [
  ...['-1', 'many', '1.5', '9999999999999'].map((value) => ({
    name: `list refuses max-keys=${value}`,
    steps: [
      listed(
        { 'max-keys': value },
        {
          status: value.startsWith('9') ? [200, 400] : 400,
          ...(!value.startsWith('9') && { code: 'InvalidArgument' }),
        },
      ),
    ],
  })),
  ...(
    [
      ['/private', { uploads: '' }, 'max-uploads'],
      ['/', {}, 'max-buckets'],
      ['/private', {}, 'max-keys'],
    ] as const
  ).map(([path, query, name]) => ({
    name: `list takes ${name} up to 2147483647`,
    steps: [
      ask('GET', path, { ...query, [name]: '2147483647' }, { status: 200 }),
      ask('GET', path, { ...query, [name]: '2147483648' }, { status: 400, code: 'InvalidArgument' }),
    ],
  })),
  {
    name: 'list refuses an unknown encoding',
    steps: [listed({ 'encoding-type': 'base64' }, { status: 400, code: 'InvalidArgument' })],
  },
  {
    name: 'list refuses a token of bytes that are not UTF-8',
    steps: ['b_w', 'agIA', 'b4oKs_w'].map((token) =>
      listed({ 'list-type': '2', 'continuation-token': token }, { status: 400, code: 'InvalidArgument' }),
    ),
  },
  {
    name: 'list refuses an unknown token',
    steps: [listed({ 'list-type': '2', 'continuation-token': 'mine' }, { status: 400, code: 'InvalidArgument' })],
  },
  {
    name: 'list of an unknown bucket',
    steps: [
      ask('GET', '/other', {}, { status: 404, code: 'NoSuchBucket' }),
      ask('GET', '/other', { 'list-type': '2' }, { status: 404, code: 'NoSuchBucket' }),
    ],
  },
  {
    name: 'list of the legacy bucket',
    steps: [ask('GET', '/legacy', { 'list-type': '2' }, { status: 200, texts: { Key: [], Name: ['legacy'] } })],
  },
  {
    name: 'list with a slash after the bucket',
    steps: [put('a'), ask('GET', '/private/', {}, { status: 200, texts: { Key: ['a'] } })],
  },
];

const facts: readonly Case[] = [
  {
    name: 'list shows size, ETag, class and time of a key',
    steps: [
      put('a', 'hello'),
      listed(
        {},
        {
          status: 200,
          texts: {
            Size: ['5'],
            ETag: ['"5d41402abc4b2a76b9719d911017c592"'],
            StorageClass: ['STANDARD'],
            LastModified: [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
          },
        },
      ),
    ],
  },
  {
    name: 'list has the owner of the ACL and the time of HEAD',
    steps: [
      put('a'),
      ask('GET', pathOf('a'), { acl: '' }, { status: 200, texts: { Permission: ['FULL_CONTROL'] } }),
      ask('HEAD', pathOf('a'), {}, { status: 200 }),
      ([, rights, head]) => {
        const seconds = new Date(head!.headers['last-modified']!).toISOString().slice(0, 19);
        return listed(
          {},
          {
            status: 200,
            texts: {
              ID: [textOf(rights!.text, 'ID')!],
              DisplayName: [textOf(rights!.text, 'DisplayName')!],
              LastModified: [new RegExp(`^${seconds}`)],
            },
          },
        );
      },
    ],
  },
  {
    name: 'versions of a plain bucket are its files',
    steps: [
      put('a', 'x'),
      put('d/b', 'y'),
      listed(
        { versions: '', delimiter: '/' },
        {
          status: 200,
          texts: { Key: ['a'], VersionId: ['null'], IsLatest: ['true'], Prefix: ['', 'd/'], IsTruncated: ['false'] },
        },
      ),
    ],
  },
  {
    name: 'versions, page after page',
    steps: [
      put('a'),
      put('b'),
      put('c'),
      listed(
        { versions: '', 'max-keys': '2' },
        { status: 200, texts: { Key: ['a', 'b'], NextKeyMarker: ['b'], NextVersionIdMarker: ['null'] } },
      ),
      listed(
        { versions: '', 'key-marker': 'b', 'version-id-marker': 'null' },
        { status: 200, texts: { Key: ['c'], IsTruncated: ['false'] } },
      ),
    ],
  },
  {
    name: 'list leaves out deleted files',
    steps: [
      put('a'),
      put('b'),
      ask('DELETE', pathOf('a'), {}, { status: 204 }),
      listed({}, { status: 200, texts: { Key: ['b'] } }),
    ],
  },
  {
    name: 'the buckets do not see each other’s keys',
    steps: [put('a'), ask('GET', '/public', {}, { status: 200, texts: { Key: [] } })],
  },
];

export const listRequests: readonly Case[] = [...refused, ...facts];
