import { ask, etagOf, get, md5, pathOf, put, type Case } from './case.ts';
import {
  abort,
  complete,
  create,
  finish,
  gone,
  idOf,
  large,
  largeEtag,
  part,
  parts,
  small,
  smallEtag,
  two,
  whole,
  wholeEtag,
} from './upload-steps.ts';

export const multipart: readonly Case[] = [
  {
    name: 'two parts become one file',
    steps: [
      create({ 'x-amz-meta-one': '1', 'content-type': 'text/x-m' }),
      part(1, large),
      part(2, small),
      complete(two),
      get(
        'm',
        {},
        { status: 200, body: whole, headers: { etag: wholeEtag, 'x-amz-meta-one': '1', 'content-type': 'text/x-m' } },
      ),
    ],
  },
  {
    name: 'parts in any order, with gaps between their numbers',
    steps: [
      create(),
      part(10_000, small),
      part(7, large),
      complete([
        [7, largeEtag],
        [10_000, smallEtag],
      ]),
      get('m', {}, { status: 200, body: whole }),
    ],
  },
  {
    name: 'one small part',
    steps: [
      create(),
      part(1, small),
      complete([[1, smallEtag]], { status: 200 }),
      get('m', {}, { status: 200, body: small.toString() }),
    ],
  },
  {
    name: 'a part that is sent again replaces the first',
    steps: [
      create(),
      part(1, 'before'),
      part(1, small),
      complete([[1, smallEtag]], { status: 200 }),
      get('m', {}, { status: 200, body: small.toString() }),
    ],
  },
  {
    name: 'a part that the completion does not name is left out',
    steps: [
      create(),
      part(1, small),
      part(2, 'left out'),
      complete([[1, smallEtag]], { status: 200 }),
      get('m', {}, { status: 200, body: small.toString() }),
    ],
  },
  {
    name: 'ETags of a completion may come without quotes',
    steps: [create(), part(1, small), complete([[1, smallEtag.replaceAll('"', '')]], { status: 200 })],
  },
  {
    name: 'no file exists before the completion',
    steps: [create(), part(1, small), get('m', {}, { status: 404, code: 'NoSuchKey' })],
  },
  {
    name: 'the old file stays until the completion',
    steps: [
      create(),
      put('m', 'before'),
      part(1, small),
      get('m', {}, { status: 200, body: 'before' }),
      complete([[1, smallEtag]], { status: 200 }),
      get('m', {}, { status: 200, body: small.toString() }),
    ],
  },
  {
    name: 'a completion under If-None-Match: * leaves a file',
    steps: [
      create(),
      put('m', 'before'),
      part(1, small),
      complete([[1, smallEtag]], { status: 412, code: 'PreconditionFailed' }, { 'if-none-match': '*' }),
      get('m', {}, { status: 200, body: 'before' }),
    ],
  },
  {
    name: 'a single part by its number',
    steps: [
      create(),
      part(1, large),
      part(2, small),
      complete(two),
      ask(
        'GET',
        pathOf('m'),
        { partNumber: '2' },
        {
          status: 206,
          body: small.toString(),
          headers: {
            'x-amz-mp-parts-count': '2',
            'content-range': `bytes ${large.length}-${large.length + small.length - 1}/${large.length + small.length}`,
          },
        },
      ),
      ask('GET', pathOf('m'), { partNumber: '3' }, { status: 416, code: 'InvalidPartNumber' }),
    ],
  },
  {
    name: 'a part that is too small, and not the last',
    steps: [
      create(),
      part(1, small),
      part(2, small),
      complete(
        [
          [1, smallEtag],
          [2, smallEtag],
        ],
        { status: 400, code: 'EntityTooSmall' },
      ),
    ],
  },
  {
    name: 'parts in the wrong order',
    steps: [
      create(),
      part(1, large),
      part(2, small),
      complete(
        [
          [2, smallEtag],
          [1, largeEtag],
        ],
        { status: 400, code: 'InvalidPartOrder' },
      ),
    ],
  },
  {
    name: 'a part twice',
    steps: [
      create(),
      part(1, small),
      complete(
        [
          [1, smallEtag],
          [1, smallEtag],
        ],
        { status: 400, code: 'InvalidPartOrder' },
      ),
    ],
  },
  {
    name: 'a part that was never sent',
    steps: [
      create(),
      part(1, small),
      complete([[2, smallEtag]], { status: 400, code: 'InvalidPart', texts: { PartNumber: ['2'], UploadId: [/.+/] } }),
    ],
  },
  {
    name: 'a part number or an upload id alone makes no file',
    steps: [
      create(),
      ...[{ partNumber: '1' }, { uploadId: 'any' }].map((query: Record<string, string>) =>
        ask('PUT', pathOf('m'), query, { status: 400, code: 'InvalidArgument' }, { body: small }),
      ),
      get('m', {}, { status: 404, code: 'NoSuchKey' }),
    ],
  },
  {
    name: 'a part with an empty ETag',
    steps: [
      create(),
      part(1, small),
      complete([[1, '']], {
        status: 400,
        code: 'InvalidPart',
        texts: { PartNumber: ['1'], ETag: [''], UploadId: [/.+/] },
      }),
    ],
  },
  {
    name: 'a part of another ETag',
    steps: [
      create(),
      part(1, small),
      complete([[1, largeEtag]], { status: 400, code: 'InvalidPart' }),
      complete([[1, smallEtag]], { status: 200 }),
    ],
  },
  {
    name: 'a completion without parts',
    steps: [create(), part(1, small), complete([], { status: 400, code: 'MalformedXML' })],
  },
  {
    name: 'a completion with an empty body',
    steps: [create(), part(1, small), finish('', { status: 400, code: 'MalformedXML' })],
  },
  {
    name: 'a completion that is not XML',
    steps: [create(), part(1, small), finish('{"parts":[1]}', { status: 400, code: 'MalformedXML' })],
  },
  {
    name: 'a completion with an entity',
    steps: [
      create(),
      part(1, small),
      finish(
        '<!DOCTYPE a [<!ENTITY e "1">]><CompleteMultipartUpload>' +
          `<Part><PartNumber>&e;</PartNumber><ETag>${smallEtag}</ETag></Part></CompleteMultipartUpload>`,
        { status: 400, code: /^(MalformedXML|InvalidRequest)$/ },
      ),
    ],
  },
  {
    name: 'a repeated completion gets the same response',
    steps: [
      create(),
      part(1, small),
      complete([[1, smallEtag]], { status: 200 }),
      complete([[1, smallEtag]], { status: 200 }),
    ],
  },
  {
    name: 'three full parts and a rest',
    steps: [
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
      get('m', {}, { status: 200, body: Buffer.concat([large, large, large, small]).toString() }),
    ],
  },
  {
    name: 'two full parts and no rest',
    steps: [
      create(),
      part(1, large),
      part(2, large),
      complete(
        [
          [1, largeEtag],
          [2, largeEtag],
        ],
        { status: 200 },
      ),
      ask(
        'GET',
        '/private',
        { 'list-type': '2', prefix: 'm' },
        { status: 200, texts: { Size: [String(2 * large.length)] } },
      ),
    ],
  },
  {
    name: 'all parts sent again',
    steps: [
      create(),
      part(1, small),
      part(2, large),
      part(1, large),
      part(2, small),
      complete(two),
      get('m', {}, { status: 200, body: whole }),
    ],
  },
  {
    name: 'a range over the border of two parts',
    steps: [
      create(),
      part(1, large),
      part(2, small),
      complete(two),
      get(
        'm',
        { range: `bytes=${large.length - 5}-${large.length + 4}` },
        { status: 206, body: whole.slice(large.length - 5, large.length + 5) },
      ),
    ],
  },
  {
    name: 'the only part by its number',
    steps: [
      create(),
      part(1, small),
      ask('GET', pathOf('m'), { partNumber: '1' }, { status: 404, code: 'NoSuchKey' }),
      complete([[1, smallEtag]], { status: 200 }),
      ...['HEAD', 'GET'].map((method) =>
        ask(
          method,
          pathOf('m'),
          { partNumber: '1' },
          {
            status: 206,
            headers: { 'x-amz-mp-parts-count': '1', 'content-length': String(small.length), etag: /-1"$/ },
          },
        ),
      ),
    ],
  },
  {
    name: 'an aborted upload leaves the existing file unchanged',
    steps: [
      create(),
      put('m', 'before'),
      part(1, small),
      abort(),
      get('m', {}, { status: 200, body: 'before' }),
      ask('GET', '/private', { uploads: '' }, { status: 200, texts: { UploadId: [] } }),
    ],
  },
  {
    name: 'an aborted upload is gone',
    steps: [
      create(),
      part(1, small),
      abort(),
      part(2, small, gone),
      parts({}, gone),
      complete([[1, smallEtag]], gone),
      get('m', {}, { status: 404, code: 'NoSuchKey' }),
    ],
  },
  {
    name: 'an unknown upload',
    steps: [
      ask('PUT', pathOf('m'), { partNumber: '1', uploadId: 'nothing' }, gone, { body: 'x' }),
      ask('DELETE', pathOf('m'), { uploadId: 'nothing' }, gone),
      ask('GET', pathOf('m'), { uploadId: 'nothing' }, gone),
      ask('POST', pathOf('m'), { uploadId: 'nothing' }, gone, {
        body:
          '<CompleteMultipartUpload>' +
          `<Part><PartNumber>1</PartNumber><ETag>${smallEtag}</ETag></Part></CompleteMultipartUpload>`,
      }),
    ],
  },
  {
    name: 'an upload id is unknown under another key',
    steps: [
      create(),
      part(1, small),
      (answers) => ask('PUT', pathOf('other'), { partNumber: '1', uploadId: idOf(answers) }, gone, { body: 'x' }),
    ],
  },
  ...['0', '10001', '-1', 'one'].map((number) => ({
    name: `an invalid part number: ${number}`,
    steps: [create(), part(number, small, { status: 400, code: 'InvalidArgument' })],
  })),
  {
    name: 'a part with a wrong Content-MD5',
    steps: [
      create(),
      part(1, small, { status: 400, code: 'BadDigest' }, { 'content-md5': md5('x').toString('base64') }),
      parts({}, { status: 200, texts: { PartNumber: [] } }),
    ],
  },
  {
    name: 'the parts so far',
    steps: [
      create(),
      part(2, small),
      part(1, 'one'),
      parts(
        {},
        {
          status: 200,
          texts: {
            PartNumber: ['1', '2'],
            Size: ['3', '13'],
            ETag: [etagOf('one'), smallEtag],
            IsTruncated: ['false'],
            Bucket: ['private'],
            Key: ['m'],
          },
        },
      ),
    ],
  },
  {
    name: 'the parts, page by page',
    steps: [
      create(),
      part(1, 'a'),
      part(2, 'b'),
      part(3, 'c'),
      parts(
        { 'max-parts': '2' },
        { status: 200, texts: { PartNumber: ['1', '2'], IsTruncated: ['true'], NextPartNumberMarker: ['2'] } },
      ),
      parts(
        { 'max-parts': '2', 'part-number-marker': '2' },
        { status: 200, texts: { PartNumber: ['3'], IsTruncated: ['false'] } },
      ),
    ],
  },
  {
    name: 'the open uploads',
    steps: [
      create(),
      ask(
        'GET',
        '/private',
        { uploads: '' },
        { status: 200, texts: { Key: ['m'], UploadId: [/.+/], IsTruncated: ['false'] } },
      ),
      ask('GET', '/private', { uploads: '', prefix: 'x' }, { status: 200, texts: { Key: [] } }),
      ask('GET', '/public', { uploads: '' }, { status: 200, texts: { Key: [] } }),
    ],
  },
  {
    name: 'two open uploads of one key',
    steps: [
      create(),
      create(),
      part(1, small),
      ([first, second]) =>
        ask(
          'GET',
          '/private',
          { uploads: '' },
          { status: 200, texts: { Key: ['m', 'm'], UploadId: [idOf([first!]), idOf([second!])] } },
        ),
    ],
  },
  {
    name: 'the initiator and the owner of an upload',
    steps: [
      create(),
      ask('GET', '/private', { uploads: '' }, { status: 200, texts: { ID: [/.+/, /.+/], DisplayName: [/.+/, /.+/] } }),
    ],
  },
  {
    name: 'the open uploads, page by page',
    steps: [
      create(),
      ask('POST', pathOf('n'), { uploads: '' }, { status: 200 }),
      ask(
        'GET',
        '/private',
        { uploads: '', 'max-uploads': '1' },
        { status: 200, texts: { Key: ['m'], IsTruncated: ['true'], NextKeyMarker: ['m'] } },
      ),
      ask(
        'GET',
        '/private',
        { uploads: '', 'key-marker': 'm' },
        { status: 200, texts: { Key: ['n'], IsTruncated: ['false'] } },
      ),
    ],
  },
  {
    name: 'the open uploads in folders',
    steps: [
      ask('POST', pathOf('d/1'), { uploads: '' }, { status: 200 }),
      ask('POST', pathOf('d/2'), { uploads: '' }, { status: 200 }),
      ask('GET', '/private', { uploads: '', delimiter: '/' }, { status: 200, texts: { Key: [], Prefix: ['', 'd/'] } }),
    ],
  },
];
