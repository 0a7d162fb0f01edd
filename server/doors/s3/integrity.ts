import { createHash } from 'node:crypto';

import { checksumAlgorithms, isChecksumValue, startChecksum, type ChecksumAlgorithm } from '#server/domain/s3/checksums/algorithms.ts';
import type { StoredChecksum } from '#server/domain/s3/s3-properties.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { S3Request } from './request.ts';

/** A body whose checksums are asked while it flows. */
export interface CheckedBody {
  /** Refused at the end where a checksum is another one than announced. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** What is kept with the file; asked once the bytes have ended. */
  checksum(): StoredChecksum | undefined;
}

/** What a request says of the checksum of its body: which one, and its value unless that comes behind the bytes. */
interface Announced {
  readonly algorithm: ChecksumAlgorithm;
  readonly value: string | undefined;
}

const headerStart = 'x-amz-checksum-';

/** The header, or trailer, that carries the value of an algorithm. */
function headerOf(algorithm: ChecksumAlgorithm): string {
  return headerStart + algorithm.toLowerCase();
}

/**
 * The body of a request with its announced checksums: `Content-MD5` and one `x-amz-checksum-…`, in a header or behind the bytes.
 *
 * @param wanted the checksum that is made also where none is announced; the request may announce no other
 * @throws InvalidDigest, InvalidRequest; at the end of the bytes BadDigest and InvalidRequest
 */
export function checkedBody(request: S3Request, wanted?: ChecksumAlgorithm): CheckedBody {
  const announced = announcedChecksum(request);
  if (wanted !== undefined && announced && announced.algorithm !== wanted) {
    throw new S3Refusal('InvalidRequest', { message: `The upload was begun with the checksum ${wanted}, and this request brings ${announced.algorithm}. Send the same one.` });
  }
  const algorithm = announced?.algorithm ?? wanted;
  const running = algorithm && startChecksum(algorithm);
  const bytes = md5CheckedBytes(request);

  async function* checked(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      running?.update(chunk);
      yield chunk;
    }
    if (announced) requireChecksum(request, announced, running!.digest());
  }

  return {
    bytes: checked(),
    checksum: () => (algorithm && running ? { algorithm, type: 'FULL_OBJECT', value: running.digest() } : undefined),
  };
}

/** The body with its `Content-MD5` alone, where a checksum in a header is about something else than the body. @throws InvalidDigest; at the end of the bytes BadDigest */
export function md5CheckedBytes(request: S3Request): AsyncIterable<Uint8Array> {
  const md5 = announcedMd5(request);
  return md5 === undefined ? request.body.bytes() : md5Checked(request.body.bytes(), md5);
}

async function* md5Checked(bytes: AsyncIterable<Uint8Array>, md5: string): AsyncGenerator<Uint8Array> {
  const running = createHash('md5');
  for await (const chunk of bytes) {
    running.update(chunk);
    yield chunk;
  }
  if (running.digest('base64') !== md5) throw new S3Refusal('BadDigest', { message: 'The bytes that arrived have another MD5 than Content-MD5 says. Nothing was stored; send them again.' });
}

function announcedMd5({ header }: S3Request): string | undefined {
  const md5 = header('content-md5')?.trim();
  if (md5 === undefined) return undefined;
  const bytes = Buffer.from(md5, 'base64');
  if (bytes.length !== 16 || bytes.toString('base64') !== md5) throw new S3Refusal('InvalidDigest', { message: 'Content-MD5 is no base64 of 16 bytes.', details: { 'Content-MD5': md5 } });
  return md5;
}

/** @throws InvalidRequest for several, or for what is no value */
function announcedChecksum({ header }: S3Request): Announced | undefined {
  const inTrailer = new Set((header('x-amz-trailer') ?? '').toLowerCase().split(',').map((name) => name.trim()));
  const all = checksumAlgorithms.flatMap((algorithm): Announced[] => {
    const value = header(headerOf(algorithm))?.trim();
    if (value !== undefined) return [{ algorithm, value }];
    return inTrailer.has(headerOf(algorithm)) ? [{ algorithm, value: undefined }] : [];
  });
  const [announced, ...others] = all;
  if (others.length > 0) throw new S3Refusal('InvalidRequest', { message: 'Send one x-amz-checksum header at most.' });
  if (announced?.value !== undefined) requireForm(announced.algorithm, announced.value);
  return announced;
}

function requireForm(algorithm: ChecksumAlgorithm, value: string): void {
  if (!isChecksumValue(algorithm, value)) throw new S3Refusal('InvalidRequest', { message: `The value of ${headerOf(algorithm)} is no base64 of the right length.` });
}

/** @throws BadDigest, InvalidRequest when an announced trailer has not come */
function requireChecksum({ body }: S3Request, { algorithm, value }: Announced, found: string): void {
  const given = value ?? body.trailers.get(headerOf(algorithm))?.trim();
  if (given === undefined) throw new S3Refusal('InvalidRequest', { message: `The trailer ${headerOf(algorithm)} was announced and has not come.` });
  requireForm(algorithm, given);
  if (given !== found) throw new S3Refusal('BadDigest', { message: `The bytes that arrived have another ${algorithm} than announced. Nothing was stored; send them again.` });
}
