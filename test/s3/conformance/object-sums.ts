import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { ask, etagOf, get, head, md5, pathOf, put, type Case, type Expected, type Step } from './case.ts';

const text = 'The quick brown fox.';
const etag = etagOf(text);
const sha256Of = (body: string) => createHash('sha256').update(body).digest('base64');
const crc32Of = (body: string) =>
  Buffer.from((crc32(body) >>> 0).toString(16).padStart(8, '0'), 'hex').toString('base64');

function one(name: string, ...steps: Case['steps'][number][]): Case {
  return { name, steps };
}

const sums: readonly Case[] = [
  one('the right Content-MD5', put('a', text, { 'content-md5': md5(text).toString('base64') })),
  one(
    'a wrong Content-MD5 stores nothing',
    put('a', text, { 'content-md5': md5('other').toString('base64') }, { status: 400, code: 'BadDigest' }),
    get('a', {}, { status: 404, code: 'NoSuchKey' }),
  ),
  ...['', 'YWJj', 'not base 64!', md5(text).toString('hex')].map((value) =>
    one(
      `no Content-MD5 at all: ${value}`,
      put('a', text, { 'content-md5': value }, { status: 400, code: 'InvalidDigest' }),
    ),
  ),
  one(
    'the right SHA-256 is returned on request',
    put(
      'a',
      text,
      { 'x-amz-checksum-sha256': sha256Of(text) },
      { status: 200, headers: { 'x-amz-checksum-sha256': sha256Of(text) } },
    ),
    head(
      'a',
      { 'x-amz-checksum-mode': 'ENABLED' },
      { status: 200, headers: { 'x-amz-checksum-sha256': sha256Of(text) } },
    ),
    head('a', {}, { status: 200, headers: { 'x-amz-checksum-sha256': null } }),
  ),
  one(
    'the right CRC-32',
    put('a', text, { 'x-amz-checksum-crc32': crc32Of(text) }),
    head(
      'a',
      { 'x-amz-checksum-mode': 'ENABLED' },
      { status: 200, headers: { 'x-amz-checksum-crc32': crc32Of(text), 'x-amz-checksum-type': 'FULL_OBJECT' } },
    ),
  ),
  one(
    'a trailer’s CRC-32 is kept',
    ask('PUT', pathOf('a'), {}, { status: 200 }, { payload: 'chunks-trailer', body: text }),
    head(
      'a',
      { 'x-amz-checksum-mode': 'ENABLED' },
      { status: 200, headers: { 'x-amz-checksum-crc32': crc32Of(text) } },
    ),
  ),
  one(
    'a range has no checksum',
    put('a', text, { 'x-amz-checksum-crc32': crc32Of(text) }),
    get(
      'a',
      { 'x-amz-checksum-mode': 'ENABLED', range: 'bytes=0-3' },
      { status: 206, headers: { 'x-amz-checksum-crc32': null } },
    ),
  ),
  ...[
    ['crc32', crc32Of('other')],
    ['crc32c', 'AAAAAA=='],
    ['crc64nvme', 'AAAAAAAAAAA='],
    ['sha1', Buffer.alloc(20).toString('base64')],
    ['sha256', sha256Of('other')],
  ].map(([algorithm, value]) =>
    one(
      `a wrong ${algorithm} stores nothing`,
      put(
        'a',
        text,
        { [`x-amz-checksum-${algorithm}`]: value! },
        { status: 400, code: /^(BadDigest|XAmzContentChecksumMismatch)$/ },
      ),
      get('a', {}, { status: 404, code: 'NoSuchKey' }),
    ),
  ),
  ...['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256'].map((algorithm) =>
    one(
      `no ${algorithm} at all`,
      put('a', text, { [`x-amz-checksum-${algorithm}`]: 'bad' }, { status: 400, code: 'InvalidRequest' }),
    ),
  ),
  one(
    'two checksums',
    put(
      'a',
      text,
      { 'x-amz-checksum-sha256': sha256Of(text), 'x-amz-checksum-crc32': crc32Of(text) },
      { status: 400, code: 'InvalidRequest' },
    ),
  ),
  one(
    'a hash of another body',
    ask(
      'PUT',
      pathOf('a'),
      {},
      { status: 400, code: 'XAmzContentSHA256Mismatch' },
      { body: text, headers: { 'x-amz-content-sha256': createHash('sha256').update('other').digest('hex') } },
    ),
  ),
];

function attributes(name: string, asked: string, expected: Expected): Step {
  return ask('GET', pathOf(name), { attributes: '' }, expected, { headers: { 'x-amz-object-attributes': asked } });
}

const attributed: readonly Case[] = [
  one(
    'attributes of a file',
    put('a', text),
    attributes('a', 'ETag,ObjectSize,StorageClass', {
      status: 200,
      texts: { ETag: [etag.replaceAll('"', '')], ObjectSize: ['20'], StorageClass: ['STANDARD'] },
    }),
  ),
  one(
    'only the requested attributes',
    put('a', text),
    attributes('a', 'ObjectSize', { status: 200, texts: { ETag: [], ObjectSize: ['20'], StorageClass: [] } }),
  ),
  one(
    'the checksum among the attributes',
    put('a', text, { 'x-amz-checksum-sha256': sha256Of(text) }),
    attributes('a', 'Checksum', { status: 200, texts: { ChecksumSHA256: [sha256Of(text)] } }),
  ),
  one('an unknown attribute', put('a', text), attributes('a', 'Weight', { status: 400, code: 'InvalidArgument' })),
  one('attributes of a missing file', attributes('a', 'ETag', { status: 404, code: 'NoSuchKey' })),
];

export const objectSums: readonly Case[] = [...sums, ...attributed];
