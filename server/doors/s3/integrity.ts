import { createHash } from 'node:crypto';

import {
  checksumAlgorithms,
  isChecksumValue,
  startChecksum,
  type ChecksumAlgorithm,
  type PartChecksum,
  type Checksum,
} from '#server/domain/checksums/algorithms.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { checksumHeader, checksumHeaderStart } from './checksum-names.ts';
import type { S3Request } from './request.ts';

/** A body whose checksums are asked while it flows. */
export interface CheckedBody {
  /** Refused at the end where a checksum is another one than announced. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** What is kept with the file; asked once the bytes have ended. */
  checksum(): Checksum | undefined;
}

/** What a request says of the checksum of its body: which one, and its value unless that comes behind the bytes. */
interface Announced {
  readonly algorithm: ChecksumAlgorithm;
  readonly value: string | undefined;
}

/** Headers that begin as a checksum's does, and say something about it. */
const notChecksums: readonly string[] = ['x-amz-checksum-algorithm', 'x-amz-checksum-type', 'x-amz-checksum-mode'];

/**
 * The body of a request with its announced checksums: `Content-MD5` and one `x-amz-checksum-…`, in a header or behind
 * the bytes.
 *
 * @param wanted the checksum that is made also where none is announced; the request may announce no other
 * @throws InvalidDigest, InvalidRequest also when `x-amz-sdk-checksum-algorithm` names another; at the end of the bytes
 *   BadDigest and InvalidRequest
 */
export function checkedBody(request: S3Request, wanted?: ChecksumAlgorithm): CheckedBody {
  const announced = onlyOne([...checksumsInHeaders(request), ...checksumsInTrailer(request)]);
  requireNamed(request, announced);
  if (wanted !== undefined && announced && announced.algorithm !== wanted) {
    throw new S3Refusal('InvalidRequest', {
      message: `The upload was begun with the checksum ${wanted}, and this request brings ${announced.algorithm}. Send the same one.`,
    });
  }
  return checked(request, announced, wanted);
}

/**
 * The same for a request whose checksum in a header is about something else than its body: only a trailer can be about
 * that.
 */
export function trailerCheckedBytes(request: S3Request): AsyncIterable<Uint8Array> {
  return checked(request, onlyOne(checksumsInTrailer(request)), undefined).bytes;
}

function checked(
  request: S3Request,
  announced: Announced | undefined,
  wanted: ChecksumAlgorithm | undefined,
): CheckedBody {
  const algorithm = announced?.algorithm ?? wanted;
  const running = algorithm && startChecksum(algorithm);
  const bytes = md5CheckedBytes(request);

  async function* flow(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      running?.update(chunk);
      yield chunk;
    }
    if (announced) requireChecksum(request, announced, running!.digest());
  }

  return {
    bytes: flow(),
    checksum: () => (algorithm && running ? { algorithm, type: 'FULL_OBJECT', value: running.digest() } : undefined),
  };
}

function md5CheckedBytes(request: S3Request): AsyncIterable<Uint8Array> {
  const md5 = announcedMd5(request);
  return md5 === undefined ? request.body.bytes() : md5Checked(request.body.bytes(), md5);
}

async function* md5Checked(bytes: AsyncIterable<Uint8Array>, md5: string): AsyncGenerator<Uint8Array> {
  const running = createHash('md5');
  for await (const chunk of bytes) {
    running.update(chunk);
    yield chunk;
  }
  const computed = running.digest();
  // S3 answers both in hex, whatever the header is in.
  const details = {
    ExpectedDigest: Buffer.from(md5, 'base64').toString('hex'),
    CalculatedDigest: computed.toString('hex'),
  };
  if (computed.toString('base64') !== md5)
    throw new S3Refusal('BadDigest', {
      message: 'The bytes that arrived have another MD5 than Content-MD5 says. Nothing was stored; send them again.',
      details,
    });
}

function announcedMd5({ header }: S3Request): string | undefined {
  const md5 = header('content-md5')?.trim();
  if (md5 === undefined) return undefined;
  const bytes = Buffer.from(md5, 'base64');
  if (bytes.length !== 16 || bytes.toString('base64') !== md5)
    throw new S3Refusal('InvalidDigest', {
      message: 'Content-MD5 is no base64 of 16 bytes.',
      details: { 'Content-MD5': md5 },
    });
  return md5;
}

/**
 * The checksums that stand in headers, which may be several.
 *
 * @throws InvalidRequest for one that this server does not know, and for what is no value
 */
export function checksumsInHeaders({ header, headerNames }: Pick<S3Request, 'header' | 'headerNames'>): PartChecksum[] {
  const names = headerNames(checksumHeaderStart).filter((name) => !notChecksums.includes(name));
  return names.map((name) => ({ algorithm: algorithmOf(name), value: (header(name) ?? '').trim() }));
}

/**
 * Those whose values the request says to come behind the bytes. @throws InvalidRequest for one that this server does
 * not know
 */
function checksumsInTrailer({ header }: S3Request): Announced[] {
  const names = (header('x-amz-trailer') ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return names
    .filter((name) => name.startsWith(checksumHeaderStart))
    .map((name) => ({ algorithm: algorithmOf(name), value: undefined }));
}

/** What is not known cannot be checked, and must not seem to have been. @throws InvalidRequest */
function algorithmOf(name: string): ChecksumAlgorithm {
  const algorithm = checksumAlgorithms.find((one) => checksumHeader(one) === name);
  if (algorithm === undefined)
    throw new S3Refusal('InvalidRequest', {
      message: `This server does not know the checksum ${name}. Send one of ${checksumAlgorithms.map(checksumHeader).join(', ')}.`,
    });
  return algorithm;
}

/**
 * @throws InvalidRequest for several, also where one comes in the header and behind the bytes, or for what is no value
 */
function onlyOne([announced, ...others]: readonly Announced[]): Announced | undefined {
  const isSame = others.every(({ algorithm }) => algorithm === announced!.algorithm);
  if (others.length > 0)
    throw new S3Refusal('InvalidRequest', {
      message: `Expecting a single x-amz-checksum- header${isSame ? '' : '. Multiple checksum Types are not allowed.'}`,
    });
  if (announced?.value !== undefined) requireForm(announced.algorithm, announced.value);
  return announced;
}

/** What an SDK says that it has made must have come, or it was lost on the way. @throws InvalidRequest */
function requireNamed({ header }: S3Request, announced: Announced | undefined): void {
  const named = header('x-amz-sdk-checksum-algorithm')?.trim().toUpperCase();
  if (named === undefined || named === announced?.algorithm) return;
  if (announced)
    throw new S3Refusal('InvalidRequest', {
      message: 'Value for x-amz-sdk-checksum-algorithm header is invalid.',
      details: { ChecksumNamed: named, ChecksumSent: announced.algorithm },
    });
  const message = `x-amz-sdk-checksum-algorithm says ${named}, and the request brings no x-amz-checksum header and announces no trailer. Send the checksum that it names, or leave it out.`;
  throw new S3Refusal('InvalidRequest', { message });
}

/** @param place where the value stood @throws InvalidRequest */
export function requireForm(
  algorithm: ChecksumAlgorithm,
  value: string,
  place: 'header' | 'trailing header' = 'header',
): void {
  if (!isChecksumValue(algorithm, value))
    throw new S3Refusal('InvalidRequest', { message: `Value for ${checksumHeader(algorithm)} ${place} is invalid.` });
}

/** @throws BadDigest, InvalidRequest, MalformedTrailerError when an announced trailer has not come */
function requireChecksum({ body }: S3Request, { algorithm, value }: Announced, found: string): void {
  const given = value ?? body.trailers.get(checksumHeader(algorithm))?.trim();
  if (given === undefined) throw new S3Refusal('MalformedTrailerError');
  requireForm(algorithm, given, value === undefined ? 'trailing header' : 'header');
  if (given !== found)
    throw new S3Refusal('BadDigest', {
      message: `The ${algorithm} you specified did not match the calculated checksum.`,
    });
}
