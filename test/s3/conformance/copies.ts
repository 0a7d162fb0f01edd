import { ask, etagOf, get, head, pathOf, put, type Case, type Expected, type Step } from './case.ts';

const text = 'copied words';
const etag = etagOf(text);
const medium = Buffer.alloc(1_048_576, 'Too large for the database. ');
const large = Buffer.alloc(16_777_216, 'A file of sixteen mebibytes has many pieces to copy. ');
const otherEtag = '"00000000000000000000000000000000"';
const past = 'Mon, 01 Jan 2001 00:00:00 GMT';
const future = 'Fri, 01 Jan 2100 00:00:00 GMT';

function copy(
  source: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
  expected: Expected = { status: 200, texts: { ETag: [etag] } },
  bucket = 'private',
): Step {
  return ask('PUT', pathOf(key, bucket), {}, expected, { headers: { 'x-amz-copy-source': source, ...headers } });
}

const given = put('a', text, { 'x-amz-meta-one': '1', 'content-type': 'text/x-a', 'cache-control': 'max-age=9' });
const same: Expected = {
  status: 200,
  body: text,
  headers: { etag, 'x-amz-meta-one': '1', 'content-type': 'text/x-a', 'cache-control': 'max-age=9' },
};

const conditions: ReadonlyArray<readonly [headers: Readonly<Record<string, string>>, status: 200 | 412]> = [
  [{ 'x-amz-copy-source-if-match': etag }, 200],
  [{ 'x-amz-copy-source-if-match': otherEtag }, 412],
  [{ 'x-amz-copy-source-if-match': 'unquoted' }, 412],
  [{ 'x-amz-copy-source-if-none-match': otherEtag }, 200],
  [{ 'x-amz-copy-source-if-none-match': 'unquoted' }, 200],
  [{ 'x-amz-copy-source-if-none-match': etag }, 412],
  [{ 'x-amz-copy-source-if-modified-since': past }, 200],
  [{ 'x-amz-copy-source-if-unmodified-since': future }, 200],
  [{ 'x-amz-copy-source-if-unmodified-since': past }, 412],
  [{ 'x-amz-copy-source-if-match': etag, 'x-amz-copy-source-if-unmodified-since': past }, 200],
  [{ 'x-amz-copy-source-if-none-match': etag, 'x-amz-copy-source-if-modified-since': past }, 412],
];

export const copies: readonly Case[] = [
  {
    name: 'a copy has bytes, ETag and properties of its source',
    steps: [given, copy('/private/a', 'b'), get('b', {}, same), get('a', {}, same)],
  },
  { name: 'a copy from a source without a slash in front', steps: [given, copy('private/a', 'b'), get('b', {}, same)] },
  {
    name: 'a copy from an encoded source',
    steps: [
      put('ä b+c%.txt', text),
      copy('private/%C3%A4%20b%2Bc%25.txt', 'b'),
      get('b', {}, { status: 200, body: text }),
    ],
  },
  {
    name: 'a copy from a source with an encoded slash',
    steps: [put('dir/a', text), copy('private%2Fdir%2Fa', 'b'), get('b', {}, { status: 200, body: text })],
  },
  {
    name: 'a copy of an empty file',
    steps: [put('a', ''), copy('private/a', 'b', {}, { status: 200 }), get('b', {}, { status: 200, body: '' })],
  },
  {
    name: 'a copy of a file of 16 MiB',
    steps: [
      put('a', large),
      copy('private/a', 'b', {}, { status: 200, texts: { ETag: [etagOf(large)] } }),
      head('b', {}, { status: 200, headers: { 'content-length': '16777216' } }),
      get(
        'b',
        { range: 'bytes=9000000-9000009' },
        { status: 206, body: large.toString('latin1', 9_000_000, 9_000_010) },
      ),
    ],
  },
  {
    name: 'a large copy with the metadata of its source, and with new metadata',
    steps: [
      put('a', medium, { 'x-amz-meta-one': '1', 'content-type': 'audio/x-a' }),
      copy('private/a', 'b', {}, { status: 200 }),
      head('b', {}, { status: 200, headers: { 'x-amz-meta-one': '1', 'content-type': 'audio/x-a' } }),
      copy(
        'private/a',
        'c',
        { 'x-amz-metadata-directive': 'REPLACE', 'x-amz-meta-two': '2', 'content-type': 'audio/x-b' },
        { status: 200 },
      ),
      head(
        'c',
        {},
        {
          status: 200,
          headers: {
            'x-amz-meta-one': null,
            'x-amz-meta-two': '2',
            'content-type': 'audio/x-b',
            'content-length': '1048576',
          },
        },
      ),
    ],
  },
  {
    name: 'a copy into another bucket',
    steps: [given, copy('private/a', 'a', {}, undefined, 'public'), ask('GET', '/public/a', {}, same)],
  },
  {
    name: 'a copy replaces an existing file',
    steps: [given, put('b', 'other'), copy('private/a', 'b'), get('b', {}, same)],
  },
  {
    name: 'a copy outlives its source',
    steps: [given, copy('private/a', 'b'), ask('DELETE', pathOf('a'), {}, { status: 204 }), get('b', {}, same)],
  },
  {
    name: 'a copy gets a new time',
    steps: [given, copy('private/a', 'b', {}, { status: 200, texts: { LastModified: [/^\d{4}-.*Z$/] } })],
  },
  {
    name: 'a copy with new metadata',
    steps: [
      given,
      copy('private/a', 'b', {
        'x-amz-metadata-directive': 'REPLACE',
        'x-amz-meta-two': '2',
        'content-type': 'text/x-b',
      }),
      head(
        'b',
        {},
        {
          status: 200,
          headers: {
            'x-amz-meta-one': null,
            'x-amz-meta-two': '2',
            'content-type': 'text/x-b',
            'cache-control': /^(?!max-age=9)/,
          },
        },
      ),
    ],
  },
  {
    name: 'metadata headers of a copy that keeps its metadata are ignored',
    steps: [
      given,
      copy('private/a', 'b', { 'x-amz-metadata-directive': 'COPY', 'x-amz-meta-two': '2' }),
      head('b', {}, { status: 200, headers: { 'x-amz-meta-one': '1', 'x-amz-meta-two': null } }),
    ],
  },
  {
    name: 'a copy onto itself with new metadata',
    steps: [
      given,
      copy('private/a', 'a', { 'x-amz-metadata-directive': 'REPLACE', 'x-amz-meta-two': '2' }),
      get('a', {}, { status: 200, body: text, headers: { 'x-amz-meta-one': null, 'x-amz-meta-two': '2' } }),
    ],
  },
  {
    name: 'a copy onto itself without a change',
    steps: [given, copy('private/a', 'a', {}, { status: 400, code: 'InvalidRequest' }), get('a', {}, same)],
  },
  {
    name: 'an unknown directive',
    steps: [
      given,
      copy('private/a', 'b', { 'x-amz-metadata-directive': 'MOVE' }, { status: 400, code: 'InvalidArgument' }),
    ],
  },
  { name: 'a copy of a missing file', steps: [copy('private/a', 'b', {}, { status: 404, code: 'NoSuchKey' })] },
  {
    name: 'a copy from an unknown bucket',
    steps: [copy('other/a', 'b', {}, { status: 404, code: 'NoSuchBucket' })],
  },
  {
    name: 'a copy into an unknown bucket',
    steps: [given, copy('private/a', 'b', {}, { status: 404, code: 'NoSuchBucket' }, 'other')],
  },
  {
    name: 'a copy into the legacy bucket',
    steps: [given, copy('private/a', 'b', {}, { status: 403, code: 'AccessDenied' }, 'legacy')],
  },
  ...['', '/', 'private', 'private/', '%zz/a'].map((source) => ({
    name: `a malformed copy source: ${source}`,
    steps: [
      copy(source, 'b', {}, { status: [400, 404], code: /^(InvalidArgument|InvalidRequest|NoSuchBucket|NoSuchKey)$/ }),
    ],
  })),
  ...conditions.map(([headers, status]) => ({
    name: `a copy under ${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join(' and ')}`,
    steps: [
      given,
      copy('private/a', 'b', headers, status === 200 ? undefined : { status, code: 'PreconditionFailed' }),
      get('b', {}, status === 200 ? same : { status: 404, code: 'NoSuchKey' }),
    ],
  })),
  {
    name: 'a copy with a requested checksum',
    steps: [
      given,
      copy(
        'private/a',
        'b',
        { 'x-amz-checksum-algorithm': 'SHA256' },
        { status: 200, texts: { ChecksumSHA256: [/^.{43}=$/] } },
      ),
    ],
  },
];
