import { textOf, type S3Answer } from '#test/s3/exchange.ts';
import { ask, etagOf, md5, pathOf, type Expected, type Step } from './case.ts';

export const mebibyte = 1_048_576;
/** The least size of a part that is not the last. */
export const large = Buffer.alloc(5 * mebibyte, 'Five mebibytes are the least that a part may be. ');
/** Small enough to be only the last part. */
export const small = Buffer.from('the last part');
export const largeEtag = etagOf(large);
export const smallEtag = etagOf(small);
/** The ETag of a file of the large part and the small one. */
export const wholeEtag = `"${md5(Buffer.concat([md5(large), md5(small)])).toString('hex')}-2"`;

/** A step that needs the id of the upload. */
export type Later = (answers: readonly S3Answer[]) => Step;

/** Returns the id from the first response of a case, which is that of the creation. */
export function idOf([created]: readonly S3Answer[]): string {
  return textOf(created!.text, 'UploadId') ?? '';
}

/** Begins an upload of the key `m`. */
export function create(
  headers: Readonly<Record<string, string>> = {},
  expected: Expected = { status: 200, texts: { Bucket: ['private'], Key: ['m'], UploadId: [/.+/] } },
): Step {
  return ask('POST', pathOf('m'), { uploads: '' }, expected, { headers });
}

/** Sends a part of it. */
export function part(
  partNumber: number | string,
  body: Buffer | string,
  expected: Expected = { status: 200, headers: { etag: etagOf(body) } },
  headers: Readonly<Record<string, string>> = {},
): Later {
  return (answers) =>
    ask('PUT', pathOf('m'), { partNumber: String(partNumber), uploadId: idOf(answers) }, expected, { body, headers });
}

/** Completes it with parts, by number and ETag. */
export function complete(
  parts: ReadonlyArray<readonly [number, string]>,
  expected: Expected = { status: 200, texts: { ETag: [wholeEtag], Key: ['m'] } },
  headers: Readonly<Record<string, string>> = {},
): Later {
  const xml = parts
    .map(
      ([number, etag]) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`,
    )
    .join('');
  return finish(
    `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${xml}</CompleteMultipartUpload>`,
    expected,
    headers,
  );
}

/** Completes it with this body. */
export function finish(body: string, expected: Expected, headers: Readonly<Record<string, string>> = {}): Later {
  return (answers) => ask('POST', pathOf('m'), { uploadId: idOf(answers) }, expected, { body, headers });
}

/** Aborts it. */
export function abort(expected: Expected = { status: 204 }): Later {
  return (answers) => ask('DELETE', pathOf('m'), { uploadId: idOf(answers) }, expected);
}

/** Lists its parts. */
export function parts(query: Readonly<Record<string, string>>, expected: Expected): Later {
  return (answers) => ask('GET', pathOf('m'), { uploadId: idOf(answers), ...query }, expected);
}

/** Copies a file, or a range of it, as a part. */
export function partCopy(
  partNumber: number,
  source: string,
  expected: Expected,
  headers: Readonly<Record<string, string>> = {},
): Later {
  return (answers) =>
    ask('PUT', pathOf('m'), { partNumber: String(partNumber), uploadId: idOf(answers) }, expected, {
      headers: { 'x-amz-copy-source': source, ...headers },
    });
}

export const two: ReadonlyArray<readonly [number, string]> = [
  [1, largeEtag],
  [2, smallEtag],
];
export const whole = Buffer.concat([large, small]).toString();
export const gone: Expected = { status: 404, code: 'NoSuchUpload', texts: { UploadId: [/.+/] } };
