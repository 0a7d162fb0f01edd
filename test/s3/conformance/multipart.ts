import { textOf, type S3Answer } from '#test/s3/exchange.ts';
import { ask, etagOf, get, head, md5, pathOf, put, type Case, type Expected, type Step } from './case.ts';

const mebibyte = 1_048_576;
const large = Buffer.alloc(5 * mebibyte, 'Five mebibytes are the least that a part may be. ');
const small = Buffer.from('the last part');
const largeEtag = etagOf(large);
const smallEtag = etagOf(small);
const wholeEtag = `"${md5(Buffer.concat([md5(large), md5(small)])).toString('hex')}-2"`;

type Later = (answers: readonly S3Answer[]) => Step;

/** The first answer of each case is that of the creation. */
function idOf([created]: readonly S3Answer[]): string {
  return textOf(created!.text, 'UploadId') ?? '';
}

function create(headers: Readonly<Record<string, string>> = {}, expected: Expected = { status: 200, texts: { Bucket: ['private'], Key: ['m'], UploadId: [/.+/] } }): Step {
  return ask('POST', pathOf('m'), { uploads: '' }, expected, { headers });
}

function part(partNumber: number | string, body: Buffer | string, expected: Expected = { status: 200, headers: { etag: etagOf(body) } }, headers: Readonly<Record<string, string>> = {}): Later {
  return (answers) => ask('PUT', pathOf('m'), { partNumber: String(partNumber), uploadId: idOf(answers) }, expected, { body, headers });
}

function complete(parts: ReadonlyArray<readonly [number, string]>, expected: Expected = { status: 200, texts: { ETag: [wholeEtag], Key: ['m'] } }, headers: Readonly<Record<string, string>> = {}): Later {
  const xml = parts.map(([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`).join('');
  return finish(`<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${xml}</CompleteMultipartUpload>`, expected, headers);
}

function finish(body: string, expected: Expected, headers: Readonly<Record<string, string>> = {}): Later {
  return (answers) => ask('POST', pathOf('m'), { uploadId: idOf(answers) }, expected, { body, headers });
}

function abort(expected: Expected = { status: 204 }): Later {
  return (answers) => ask('DELETE', pathOf('m'), { uploadId: idOf(answers) }, expected);
}

function parts(query: Readonly<Record<string, string>>, expected: Expected): Later {
  return (answers) => ask('GET', pathOf('m'), { uploadId: idOf(answers), ...query }, expected);
}

function partCopy(partNumber: number, source: string, expected: Expected, headers: Readonly<Record<string, string>> = {}): Later {
  return (answers) => ask('PUT', pathOf('m'), { partNumber: String(partNumber), uploadId: idOf(answers) }, expected, { headers: { 'x-amz-copy-source': source, ...headers } });
}

const two: ReadonlyArray<readonly [number, string]> = [[1, largeEtag], [2, smallEtag]];
const whole = Buffer.concat([large, small]).toString();
const gone: Expected = { status: 404, code: 'NoSuchUpload' };

export const multipart: readonly Case[] = [
  { name: 'two parts become one file', steps: [create({ 'x-amz-meta-one': '1', 'content-type': 'text/x-m' }), part(1, large), part(2, small), complete(two), get('m', {}, { status: 200, body: whole, headers: { etag: wholeEtag, 'x-amz-meta-one': '1', 'content-type': 'text/x-m' } })] },
  { name: 'parts in any order, with gaps between their numbers', steps: [create(), part(10_000, small), part(7, large), complete([[7, largeEtag], [10_000, smallEtag]]), get('m', {}, { status: 200, body: whole })] },
  { name: 'one small part', steps: [create(), part(1, small), complete([[1, smallEtag]], { status: 200 }), get('m', {}, { status: 200, body: small.toString() })] },
  { name: 'a part that is sent again counts as sent last', steps: [create(), part(1, 'before'), part(1, small), complete([[1, smallEtag]], { status: 200 }), get('m', {}, { status: 200, body: small.toString() })] },
  { name: 'a part that the completion does not name is left out', steps: [create(), part(1, small), part(2, 'left out'), complete([[1, smallEtag]], { status: 200 }), get('m', {}, { status: 200, body: small.toString() })] },
  { name: 'ETags of a completion may come without quotes', steps: [create(), part(1, small), complete([[1, smallEtag.replaceAll('"', '')]], { status: 200 })] },
  { name: 'nothing is there before the completion', steps: [create(), part(1, small), get('m', {}, { status: 404, code: 'NoSuchKey' })] },
  { name: 'what was there stays until the completion', steps: [create(), put('m', 'before'), part(1, small), get('m', {}, { status: 200, body: 'before' }), complete([[1, smallEtag]], { status: 200 }), get('m', {}, { status: 200, body: small.toString() })] },
  { name: 'a completion under If-None-Match: * leaves a file', steps: [create(), put('m', 'before'), part(1, small), complete([[1, smallEtag]], { status: 412, code: 'PreconditionFailed' }, { 'if-none-match': '*' }), get('m', {}, { status: 200, body: 'before' })] },
  { name: 'a single part by its number', steps: [create(), part(1, large), part(2, small), complete(two), ask('GET', pathOf('m'), { partNumber: '2' }, { status: 206, body: small.toString(), headers: { 'x-amz-mp-parts-count': '2', 'content-range': `bytes ${large.length}-${large.length + small.length - 1}/${large.length + small.length}` } }), ask('GET', pathOf('m'), { partNumber: '3' }, { status: 416, code: 'InvalidPartNumber' })] },
  { name: 'a part that is too small, and not the last', steps: [create(), part(1, small), part(2, small), complete([[1, smallEtag], [2, smallEtag]], { status: 400, code: 'EntityTooSmall' })] },
  { name: 'parts in the wrong order', steps: [create(), part(1, large), part(2, small), complete([[2, smallEtag], [1, largeEtag]], { status: 400, code: 'InvalidPartOrder' })] },
  { name: 'a part twice', steps: [create(), part(1, small), complete([[1, smallEtag], [1, smallEtag]], { status: 400, code: 'InvalidPartOrder' })] },
  { name: 'a part that never came', steps: [create(), part(1, small), complete([[2, smallEtag]], { status: 400, code: 'InvalidPart' })] },
  { name: 'a part of another ETag', steps: [create(), part(1, small), complete([[1, largeEtag]], { status: 400, code: 'InvalidPart' }), complete([[1, smallEtag]], { status: 200 })] },
  { name: 'a completion without parts', steps: [create(), part(1, small), complete([], { status: 400, code: 'MalformedXML' })] },
  { name: 'a completion that is no XML', steps: [create(), part(1, small), finish('{"parts":[1]}', { status: 400, code: 'MalformedXML' })] },
  { name: 'a completion with an entity', steps: [create(), part(1, small), finish(`<!DOCTYPE a [<!ENTITY e "1">]><CompleteMultipartUpload><Part><PartNumber>&e;</PartNumber><ETag>${smallEtag}</ETag></Part></CompleteMultipartUpload>`, { status: 400, code: /^(MalformedXML|InvalidRequest)$/ })] },
  { name: 'completing again answers again', steps: [create(), part(1, small), complete([[1, smallEtag]], { status: 200 }), complete([[1, smallEtag]], { status: 200 })] },
  { name: 'an aborted upload is gone', steps: [create(), part(1, small), abort(), part(2, small, gone), parts({}, gone), complete([[1, smallEtag]], gone), get('m', {}, { status: 404, code: 'NoSuchKey' })] },
  { name: 'an upload that never was', steps: [ask('PUT', pathOf('m'), { partNumber: '1', uploadId: 'nothing' }, gone, { body: 'x' }), ask('DELETE', pathOf('m'), { uploadId: 'nothing' }, gone), ask('GET', pathOf('m'), { uploadId: 'nothing' }, gone)] },
  { name: 'an upload under another key is not this one', steps: [create(), part(1, small), (answers) => ask('PUT', pathOf('other'), { partNumber: '1', uploadId: idOf(answers) }, gone, { body: 'x' })] },
  ...['0', '10001', '-1', 'one'].map((number) => ({ name: `no part ${number}`, steps: [create(), part(number, small, { status: 400, code: 'InvalidArgument' })] })),
  { name: 'a part with a wrong Content-MD5', steps: [create(), part(1, small, { status: 400, code: 'BadDigest' }, { 'content-md5': md5('x').toString('base64') }), parts({}, { status: 200, texts: { PartNumber: [] } })] },
  { name: 'the parts so far', steps: [create(), part(2, small), part(1, 'one'), parts({}, { status: 200, texts: { PartNumber: ['1', '2'], Size: ['3', '13'], ETag: [etagOf('one'), smallEtag], IsTruncated: ['false'], Bucket: ['private'], Key: ['m'] } })] },
  { name: 'the parts, page by page', steps: [create(), part(1, 'a'), part(2, 'b'), part(3, 'c'), parts({ 'max-parts': '2' }, { status: 200, texts: { PartNumber: ['1', '2'], IsTruncated: ['true'], NextPartNumberMarker: ['2'] } }), parts({ 'max-parts': '2', 'part-number-marker': '2' }, { status: 200, texts: { PartNumber: ['3'], IsTruncated: ['false'] } })] },
  { name: 'the open uploads', steps: [create(), ask('GET', '/private', { uploads: '' }, { status: 200, texts: { Key: ['m'], UploadId: [/.+/], IsTruncated: ['false'] } }), ask('GET', '/private', { uploads: '', prefix: 'x' }, { status: 200, texts: { Key: [] } }), ask('GET', '/public', { uploads: '' }, { status: 200, texts: { Key: [] } })] },
  { name: 'the open uploads, page by page', steps: [create(), ask('POST', pathOf('n'), { uploads: '' }, { status: 200 }), ask('GET', '/private', { uploads: '', 'max-uploads': '1' }, { status: 200, texts: { Key: ['m'], IsTruncated: ['true'], NextKeyMarker: ['m'] } }), ask('GET', '/private', { uploads: '', 'key-marker': 'm' }, { status: 200, texts: { Key: ['n'], IsTruncated: ['false'] } })] },
  { name: 'the open uploads in folders', steps: [ask('POST', pathOf('d/1'), { uploads: '' }, { status: 200 }), ask('POST', pathOf('d/2'), { uploads: '' }, { status: 200 }), ask('GET', '/private', { uploads: '', delimiter: '/' }, { status: 200, texts: { Key: [], Prefix: ['', 'd/'] } })] },
  { name: 'parts copied from a file, whole and a range', steps: [create(), put('source', large), put('words', 'xxthe last partyy'), partCopy(1, 'private/source', { status: 200, texts: { ETag: [largeEtag] } }), partCopy(2, '/private/words', { status: 200, texts: { ETag: [smallEtag] } }, { 'x-amz-copy-source-range': 'bytes=2-14' }), complete(two), get('m', {}, { status: 200, body: whole })] },
  ...['bytes=0-99', 'bytes=0-', 'bytes=-5', 'bytes=5-2', '0-5'].map((range) => ({ name: `no range of a copied part: ${range}`, steps: [create(), put('source', 'words'), partCopy(1, 'private/source', { status: [400, 416], code: /^(InvalidArgument|InvalidRange)$/ }, { 'x-amz-copy-source-range': range })] })),
  { name: 'a part copied from nothing', steps: [create(), partCopy(1, 'private/nothing', { status: 404, code: 'NoSuchKey' })] },
  { name: 'a part copied under a condition', steps: [create(), put('source', 'words'), partCopy(1, 'private/source', { status: 412, code: 'PreconditionFailed' }, { 'x-amz-copy-source-if-none-match': etagOf('words') })] },
  { name: 'composite SHA-256 of a multipart upload', steps: [create({ 'x-amz-checksum-algorithm': 'SHA256' }), part(1, small), complete([[1, smallEtag]], { status: 200, texts: { ChecksumSHA256: [/-1$/] } }), head('m', { 'x-amz-checksum-mode': 'ENABLED' }, { status: 200, headers: { 'x-amz-checksum-sha256': /-1$/, 'x-amz-checksum-type': 'COMPOSITE' } })] },
  { name: 'full CRC-32 of a multipart upload', steps: [create({ 'x-amz-checksum-algorithm': 'CRC32', 'x-amz-checksum-type': 'FULL_OBJECT' }), part(1, large), part(2, small), complete(two), head('m', { 'x-amz-checksum-mode': 'ENABLED' }, { status: 200, headers: { 'x-amz-checksum-crc32': /^[^-]{8}$/, 'x-amz-checksum-type': 'FULL_OBJECT' } })] },
  { name: 'a SHA-256 cannot be that of the whole', steps: [create({ 'x-amz-checksum-algorithm': 'SHA256', 'x-amz-checksum-type': 'FULL_OBJECT' }, { status: 400, code: 'InvalidRequest' })] },
  { name: 'an unknown checksum of a multipart upload', steps: [create({ 'x-amz-checksum-algorithm': 'MD4' }, { status: 400, code: /^(InvalidRequest|InvalidArgument)$/ })] },
  { name: 'an upload into the legacy bucket', steps: [ask('POST', '/legacy/m', { uploads: '' }, { status: 403, code: 'AccessDenied' })] },
];
