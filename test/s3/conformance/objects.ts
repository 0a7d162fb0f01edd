import { crc32 } from 'node:zlib';

import { ask, etagOf, get, head, pathOf, put, type Case } from './case.ts';

const text = 'The quick brown fox.';
const etag = etagOf(text);
const large = Buffer.alloc(8_388_608, 'A file of eight mebibytes is kept in more than one piece. ');
const past = 'Mon, 01 Jan 2001 00:00:00 GMT';
const future = 'Fri, 01 Jan 2100 00:00:00 GMT';
const otherEtag = '"00000000000000000000000000000000"';
const crc32Of = (body: string) =>
  Buffer.from((crc32(body) >>> 0).toString(16).padStart(8, '0'), 'hex').toString('base64');

function one(name: string, ...steps: Case['steps'][number][]): Case {
  return { name, steps };
}

const ranges: ReadonlyArray<readonly [range: string, status: number, body?: string, contentRange?: string]> = [
  ['bytes=0-3', 206, 'The ', 'bytes 0-3/20'],
  ['bytes=4-8', 206, 'quick', 'bytes 4-8/20'],
  ['bytes=16-', 206, 'fox.', 'bytes 16-19/20'],
  ['bytes=-4', 206, 'fox.', 'bytes 16-19/20'],
  ['bytes=-400', 206, text, 'bytes 0-19/20'],
  ['bytes=16-400', 206, 'fox.', 'bytes 16-19/20'],
  ['bytes=19-19', 206, '.', 'bytes 19-19/20'],
  ['bytes=0-', 206, text, 'bytes 0-19/20'],
  ['bytes=20-', 416],
  ['bytes=40-50', 416],
  ['bytes=-0', 416],
  ['bytes=8-4', 200, text],
  ['bytes=a-b', 200, text],
  ['lines=0-3', 200, text],
];

const reading: readonly Case[] = [
  one(
    'a file is read as it was written',
    put('a', text),
    get(
      'a',
      {},
      {
        status: 200,
        body: text,
        headers: {
          etag,
          'content-length': '20',
          'accept-ranges': 'bytes',
          'last-modified': /GMT$/,
          'content-range': null,
        },
      },
    ),
  ),
  one(
    'HEAD returns the headers of GET, without the bytes',
    put('a', text),
    head('a', {}, { status: 200, body: '', headers: { etag, 'content-length': '20', 'last-modified': /GMT$/ } }),
  ),
  one('a file is replaced', put('a', 'before'), put('a', text), get('a', {}, { status: 200, body: text })),
  one(
    'an empty file',
    put('a', ''),
    get(
      'a',
      {},
      { status: 200, body: '', headers: { 'content-length': '0', etag: '"d41d8cd98f00b204e9800998ecf8427e"' } },
    ),
  ),
  one('HEAD of an empty file', put('a', ''), head('a', {}, { status: 200, headers: { 'content-length': '0' } })),
  one(
    'a range of a file of 8 MiB',
    put('a', large),
    get(
      'a',
      { range: 'bytes=3000000-5242880' },
      {
        status: 206,
        body: large.toString('latin1', 3_000_000, 5_242_881),
        headers: { 'content-range': 'bytes 3000000-5242880/8388608' },
      },
    ),
  ),
  one(
    'a range of an empty file',
    put('a', ''),
    get('a', { range: 'bytes=0-9' }, { status: 416, code: 'InvalidRange' }),
  ),
  one('a missing file', get('a', {}, { status: 404, code: 'NoSuchKey' })),
  one('HEAD of a missing file', head('a', {}, { status: 404, body: '' })),
  one('a file of an unknown bucket', ask('GET', '/other/a', {}, { status: 404, code: 'NoSuchBucket' })),
  one(
    'writing into an unknown bucket',
    ask('PUT', '/other/a', {}, { status: 404, code: 'NoSuchBucket' }, { body: 'x' }),
  ),
  ...ranges.map(([range, status, body, contentRange]) =>
    one(
      `Range: ${range}`,
      put('a', text),
      get(
        'a',
        { range },
        {
          status,
          ...(body !== undefined && { body }),
          ...(status === 416 && { code: 'InvalidRange' }),
          headers: { 'content-range': contentRange ?? (status === 416 ? /^bytes \*\/20$|^$/ : null) },
        },
      ),
    ),
  ),
  one(
    'HEAD of a range',
    put('a', text),
    head(
      'a',
      { range: 'bytes=4-8' },
      { status: 206, headers: { 'content-length': '5', 'content-range': 'bytes 4-8/20' } },
    ),
  ),
  one(
    'part 1 of a file uploaded in one request',
    put('a', text),
    ask('GET', pathOf('a'), { partNumber: '1' }, { status: 206, body: text }),
  ),
  one(
    'part 2 of a file uploaded in one request',
    put('a', text),
    ask('GET', pathOf('a'), { partNumber: '2' }, { status: 416, code: 'InvalidPartNumber' }),
  ),
  one('a file is not modified since it was written', put('a', text), get('a', {}, { status: 200 }), (answers) =>
    get('a', { 'if-modified-since': answers[1]!.headers['last-modified']! }, { status: 304, body: '' }),
  ),
  one(
    'a 304 has no checksum',
    put('a', text, { 'x-amz-checksum-crc32': crc32Of(text) }),
    get(
      'a',
      { 'if-none-match': etagOf(text), 'x-amz-checksum-mode': 'ENABLED' },
      { status: 304, headers: { 'x-amz-checksum-crc32': null, 'x-amz-checksum-type': null } },
    ),
  ),
  one(
    'the error names the failed condition',
    put('a', text),
    ...['If-Match', 'If-Unmodified-Since'].map((name) =>
      get(
        'a',
        { [name.toLowerCase()]: name === 'If-Match' ? '"other"' : 'Mon, 01 Jan 2001 00:00:00 GMT' },
        { status: 412, code: 'PreconditionFailed', texts: { Condition: [name] } },
      ),
    ),
  ),
  one(
    'an impossible part and a range together',
    put('a', text),
    ask(
      'GET',
      pathOf('a'),
      { partNumber: '0' },
      { status: 400, code: 'InvalidRequest' },
      { headers: { range: 'bytes=0-1' } },
    ),
  ),
  one(
    'a part and a range together',
    put('a', text),
    ask(
      'GET',
      pathOf('a'),
      { partNumber: '1' },
      { status: 400, code: 'InvalidRequest' },
      { headers: { range: 'bytes=0-1' } },
    ),
  ),
];

type Condition = readonly [headers: Readonly<Record<string, string>>, status: number];
const conditions: readonly Condition[] = [
  [{ 'if-match': etag }, 200],
  [{ 'if-match': etag.replaceAll('"', '') }, 200],
  [{ 'if-match': '*' }, 200],
  [{ 'if-match': `${otherEtag}, ${etag}` }, 200],
  [{ 'if-match': otherEtag }, 412],
  [{ 'if-none-match': etag }, 304],
  [{ 'if-none-match': '*' }, 304],
  [{ 'if-none-match': otherEtag }, 200],
  [{ 'if-none-match': 'unquoted' }, 200],
  [{ 'if-match': 'unquoted' }, 412],
  [{ 'if-modified-since': past }, 200],
  [{ 'if-modified-since': 'yesterday' }, 200],
  [{ 'if-unmodified-since': future }, 200],
  [{ 'if-unmodified-since': past }, 412],
  [{ 'if-match': etag, 'if-unmodified-since': past }, 200],
  [{ 'if-match': otherEtag, 'if-unmodified-since': future }, 412],
  [{ 'if-none-match': etag, 'if-modified-since': past }, 304],
  [{ 'if-none-match': otherEtag, 'if-modified-since': past }, 200],
  [{ 'if-match': etag, 'if-none-match': etag }, 304],
];

const conditional: readonly Case[] = conditions.flatMap(([headers, status]) => {
  const said = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' and ');
  return [
    one(
      `GET under ${said}`,
      put('a', text),
      get('a', headers, {
        status,
        ...(status === 412 && { code: 'PreconditionFailed' }),
        ...(status === 200 && { body: text }),
        ...(status === 304 && { body: '', headers: { etag } }),
      }),
    ),
    one(`HEAD under ${said}`, put('a', text), head('a', headers, { status })),
  ];
});

const writing: readonly Case[] = [
  one(
    'a PUT under If-None-Match: * makes a new file',
    put('a', text, { 'if-none-match': '*' }),
    get('a', {}, { status: 200, body: text }),
  ),
  one(
    'a PUT under If-None-Match: * leaves a file',
    put('a', text),
    put('a', 'new', { 'if-none-match': '*' }, { status: 412, code: 'PreconditionFailed' }),
    get('a', {}, { status: 200, body: text }),
  ),
  one(
    'a PUT under If-Match replaces the matching file',
    put('a', text),
    put('a', 'new', { 'if-match': etag }),
    get('a', {}, { status: 200, body: 'new' }),
  ),
  one(
    'a PUT under If-Match leaves a file with another ETag',
    put('a', text),
    put('a', 'new', { 'if-match': otherEtag }, { status: 412, code: 'PreconditionFailed' }),
    get('a', {}, { status: 200, body: text }),
  ),
  one(
    'a PUT under If-Match: * replaces any file, and creates none',
    put('a', 'new', { 'if-match': '*' }, { status: 404, code: 'NoSuchKey' }),
    get('a', {}, { status: 404, code: 'NoSuchKey' }),
    put('a', text),
    put('a', 'new', { 'if-match': '*' }),
    get('a', {}, { status: 200, body: 'new' }),
  ),
  one(
    'a PUT under If-None-Match of an ETag',
    put('a', text),
    put('a', 'new', { 'if-none-match': etag }, { status: 412, code: 'PreconditionFailed' }),
    put('a', 'new', { 'if-none-match': otherEtag }),
    get('a', {}, { status: 200, body: 'new' }),
  ),
  one(
    'a PUT under If-Match without an existing file',
    put('a', 'new', { 'if-match': etag }, { status: 404, code: 'NoSuchKey' }),
  ),
  one(
    'a PUT with an unknown expectation',
    put('a', text, { expect: '200-ok' }),
    get('a', {}, { status: 200, body: text }),
  ),
  one(
    'a PUT that waits for 100 Continue',
    put('a', text, { expect: '100-continue' }),
    get('a', {}, { status: 200, body: text }),
  ),
  one(
    'a DELETE',
    put('a'),
    ask('DELETE', pathOf('a'), {}, { status: 204, body: '' }),
    get('a', {}, { status: 404, code: 'NoSuchKey' }),
  ),
  one('a DELETE of a missing file', ask('DELETE', pathOf('a'), {}, { status: 204 })),
  one('a DELETE in an unknown bucket', ask('DELETE', '/other/a', {}, { status: 404, code: 'NoSuchBucket' })),
  one('the response to a PUT has the ETag', put('a', text, {}, { status: 200, body: '', headers: { etag } })),
  one(
    'a PUT into the legacy bucket',
    ask('PUT', '/legacy/a', {}, { status: 403, code: 'AccessDenied' }, { body: 'x' }),
  ),
  one(
    'a chunked PUT in each form',
    ...(['unsigned', 'chunks-signed', 'chunks-signed-trailer', 'chunks-trailer'] as const).flatMap((payload, at) => [
      ask('PUT', pathOf(`${at}`), {}, { status: 200 }, { payload, body: text.repeat(9_000) }),
      get(`${at}`, {}, { status: 200, body: text.repeat(9_000), headers: { 'content-encoding': null } }),
    ]),
  ),
  one(
    'a chunked PUT keeps its encodings except aws-chunked',
    ask(
      'PUT',
      pathOf('a'),
      {},
      { status: 200 },
      { payload: 'chunks-trailer', body: text, headers: { 'content-encoding': 'aws-chunked,gzip' } },
    ),
    get('a', {}, { status: 200, headers: { 'content-encoding': 'gzip' } }),
  ),
  one(
    'two files of the same bytes have the same ETag',
    put('a', text),
    put('b', text),
    head('b', {}, { status: 200, headers: { etag } }),
  ),
];

const kept: readonly (readonly [header: string, value: string])[] = [
  ['content-type', 'text/x-poem; charset=utf-8'],
  ['cache-control', 'public, max-age=5'],
  ['content-disposition', 'attachment; filename="a.txt"'],
  ['content-encoding', 'gzip'],
  ['content-language', 'pt-BR'],
  ['expires', 'Thu, 02 Jan 2031 03:04:05 GMT'],
  ['x-amz-meta-colour', 'green'],
  ['x-amz-meta-empty', ''],
  ['x-amz-meta-__proto__', 'kept'],
  ['x-amz-meta-constructor', 'kept'],
  ['x-amz-meta-long', 'v'.repeat(1500)],
];

const properties: readonly Case[] = [
  ...kept.map(([header, value]) =>
    one(
      `${header}: ${value.slice(0, 40)} is kept`,
      put('a', text, { [header]: value }),
      get('a', {}, { status: 200, headers: { [header]: value } }),
      head('a', {}, { status: 200, headers: { [header]: value } }),
    ),
  ),
  one(
    'without a Content-Type it is binary',
    put('a', text),
    head('a', {}, { status: 200, headers: { 'content-type': /octet-stream$/ } }),
  ),
  one(
    'replacing a file removes its metadata',
    put('a', text, { 'x-amz-meta-one': '1' }),
    put('a', text, { 'x-amz-meta-two': '2' }),
    head('a', {}, { status: 200, headers: { 'x-amz-meta-one': null, 'x-amz-meta-two': '2' } }),
  ),
  one(
    'replacing a file by one without metadata leaves none',
    put('a', text, { 'x-amz-meta-one': '1' }),
    put('a', text),
    head('a', {}, { status: 200, headers: { 'x-amz-meta-one': null } }),
  ),
  one(
    'metadata that becomes empty',
    put('a', text, { 'x-amz-meta-one': '1' }),
    put('a', text, { 'x-amz-meta-one': '' }),
    head('a', {}, { status: 200, headers: { 'x-amz-meta-one': '' } }),
  ),
  one(
    'metadata in Latin-1 is returned as encoded words in UTF-8',
    put('a', text, { 'x-amz-meta-one': 'Grüße à bientôt' }),
    head('a', {}, { status: 200, headers: { 'x-amz-meta-one': '=?UTF-8?B?R3LDvMOfZSDDoCBiaWVudMO0dA==?=' } }),
  ),
  ...(
    [
      ['gzip', 'gzip'],
      ['deflate, gzip', 'deflate, gzip'],
      ['gzip, aws-chunked', 'gzip'],
      ['aws-chunked, gzip', 'gzip'],
      ['aws-chunked', null],
      ['aws-chunked, aws-chunked', null],
    ] as const
  ).map(([said, own]) =>
    one(
      `a plain PUT with the encoding ${said} keeps ${own ?? 'none'}`,
      put('a', text, { 'content-encoding': said }),
      head('a', {}, { status: 200, headers: { 'content-encoding': own } }),
    ),
  ),
  one(
    'all headers of a response are set by the query',
    put('a', text),
    ask(
      'GET',
      pathOf('a'),
      {
        'response-cache-control': 'no-cache',
        'response-content-disposition': 'inline',
        'response-content-encoding': 'br',
        'response-content-language': 'eo',
        'response-content-type': 'text/x-other',
        'response-expires': 'Thu, 02 Jan 2031 03:04:05 GMT',
      },
      {
        status: 200,
        body: text,
        headers: {
          'cache-control': 'no-cache',
          'content-disposition': 'inline',
          'content-encoding': 'br',
          'content-language': 'eo',
          'content-type': 'text/x-other',
          expires: 'Thu, 02 Jan 2031 03:04:05 GMT',
        },
      },
    ),
  ),
  one(
    'names of metadata are case-insensitive',
    put('a', text, { 'X-Amz-Meta-Colour': 'green' }),
    head('a', {}, { status: 200, headers: { 'x-amz-meta-colour': 'green' } }),
  ),
  one(
    'over 2 KB of metadata',
    put('a', text, { 'x-amz-meta-long': 'v'.repeat(2100) }, { status: 400, code: 'MetadataTooLarge' }),
    get('a', {}, { status: 404, code: 'NoSuchKey' }),
  ),
  ...(
    ['content-type', 'content-language', 'expires', 'cache-control', 'content-disposition', 'content-encoding'] as const
  ).map((header) =>
    one(
      `response-${header} replaces the header of one answer`,
      put('a', text, { [header]: 'mine' }),
      ask(
        'GET',
        pathOf('a'),
        { [`response-${header}`]: 'other/value' },
        { status: 200, body: text, headers: { [header]: 'other/value' } },
      ),
    ),
  ),
  one('the standard storage class is taken', put('a', text, { 'x-amz-storage-class': 'STANDARD' })),
  one(
    'an unknown storage class',
    put('a', text, { 'x-amz-storage-class': 'ATTIC' }, { status: 400, code: 'InvalidStorageClass' }),
  ),
  one('a private file in the private bucket', put('a', text, { 'x-amz-acl': 'private' })),
  one(
    'a public file in the private bucket',
    put('a', text, { 'x-amz-acl': 'public-read' }, { status: [400, 403, 501], code: /./ }),
    get('a', {}, { status: 404, code: 'NoSuchKey' }),
  ),
  one(
    'a public file in the public bucket',
    ask('PUT', '/public/a', {}, { status: 200 }, { body: 'x', headers: { 'x-amz-acl': 'public-read' } }),
  ),
  one('an unknown canned list', put('a', text, { 'x-amz-acl': 'everyone' }, { status: 400, code: 'InvalidArgument' })),
];

export const objects: readonly Case[] = [...reading, ...conditional, ...writing, ...properties];
