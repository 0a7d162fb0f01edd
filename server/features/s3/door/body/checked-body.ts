import { createHash } from 'node:crypto';

import {
  checksumAlgorithms,
  isChecksumValue,
  startChecksum,
  type ChecksumAlgorithm,
  type PartChecksum,
} from '#server/domain/checksums/algorithms.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import { checksumHeader, checksumHeaderStart } from '../checksum-fields.ts';
import type { Headers, S3Request } from '../request.ts';
import { hashed } from './hashed.ts';

/** Bytes whose checksum is computed while they flow. */
export interface ChecksummedBytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Returns the checksum of the bytes, or undefined when none was wanted. Call it after the bytes have ended. */
  checksum(): PartChecksum | undefined;
}

/** The checksum that a request announces. The value is undefined when it comes as a trailer. */
interface Announced {
  readonly algorithm: ChecksumAlgorithm;
  readonly value: string | undefined;
}

/**
 * Returns the body of a request, which ends in a refusal when it does not match `Content-MD5` or the announced
 * checksum. A request can announce one `x-amz-checksum-…`, in a header or as a trailer.
 *
 * @param wanted the algorithm to compute also when none is announced. Another one cannot be announced then
 * @throws InvalidDigest, InvalidRequest. At the end of the bytes BadDigest, InvalidRequest and MalformedTrailerError
 */
export function checkedBody(request: S3Request, wanted?: ChecksumAlgorithm): ChecksummedBytes {
  const announced = onlyOne([...checksumsInHeaders(request), ...checksumsInTrailer(request)]);
  requireNamed(request, announced);
  if (wanted !== undefined && announced && announced.algorithm !== wanted)
    throw new S3Refusal('InvalidRequest', {
      message:
        `The upload was begun with the checksum ${wanted}, and this request brings ` +
        `${announced.algorithm}. Send the same one.`,
    });
  return checked(request, announced, wanted);
}

/**
 * Returns the body of a request whose checksum header is about the stored file, and not about the body. Only a trailer
 * is about the body.
 */
export function trailerCheckedBody(request: S3Request): ChecksummedBytes {
  return checked(request, onlyOne(checksumsInTrailer(request)), undefined);
}

function checked(
  request: S3Request,
  announced: Announced | undefined,
  wanted: ChecksumAlgorithm | undefined,
): ChecksummedBytes {
  return checksummed(
    md5Checked(request),
    announced?.algorithm ?? wanted,
    announced && ((found) => requireChecksum(request, announced, found)),
  );
}

/**
 * Computes the checksum of bytes while they flow.
 *
 * @param require called with the checksum after the last byte. Its error ends the bytes
 */
export function checksummed(
  bytes: AsyncIterable<Uint8Array>,
  algorithm: ChecksumAlgorithm | undefined,
  require?: (value: string) => void,
): ChecksummedBytes {
  if (algorithm === undefined) return { bytes, checksum: () => undefined };
  const running = startChecksum(algorithm);
  return {
    bytes: hashed(bytes, running, () => require?.(running.digest())),
    checksum: () => ({ algorithm, value: running.digest() }),
  };
}

function md5Checked(request: S3Request): AsyncIterable<Uint8Array> {
  const md5 = announcedMd5(request);
  if (md5 === undefined) return request.body.bytes();
  const running = createHash('md5');
  return hashed(request.body.bytes(), running, () => {
    const computed = running.digest();
    if (!computed.equals(md5))
      throw new S3Refusal('BadDigest', {
        message: 'The received bytes have another MD5 than Content-MD5 says. Nothing was stored. Send them again.',
        // S3 writes both in hex, although the header is in base64.
        details: { ExpectedDigest: md5.toString('hex'), CalculatedDigest: computed.toString('hex') },
      });
  });
}

/** @throws InvalidDigest */
function announcedMd5({ header }: S3Request): Buffer | undefined {
  const text = header('content-md5')?.trim();
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 16 || bytes.toString('base64') !== text)
    throw new S3Refusal('InvalidDigest', {
      message: 'Content-MD5 must be base64 of 16 bytes.',
      details: { 'Content-MD5': text },
    });
  return bytes;
}

/** Headers that start like a checksum's. */
const notChecksums: readonly string[] = ['x-amz-checksum-algorithm', 'x-amz-checksum-type', 'x-amz-checksum-mode'];

/** Returns the checksums in headers, which can be several. @throws InvalidRequest for an unknown algorithm */
export function checksumsInHeaders({ header, headerNames }: Headers): PartChecksum[] {
  const names = headerNames(checksumHeaderStart).filter((name) => !notChecksums.includes(name));
  return names.map((name) => ({ algorithm: algorithmOf(name), value: (header(name) ?? '').trim() }));
}

/** Returns the checksums that are announced as trailers. @throws InvalidRequest for an unknown algorithm */
function checksumsInTrailer({ header }: S3Request): Announced[] {
  const names = (header('x-amz-trailer') ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return names
    .filter((name) => name.startsWith(checksumHeaderStart))
    .map((name) => ({ algorithm: algorithmOf(name), value: undefined }));
}

/** An unknown checksum cannot be checked, and must not seem to have been. @throws InvalidRequest */
function algorithmOf(name: string): ChecksumAlgorithm {
  const algorithm = checksumAlgorithms.find((one) => checksumHeader(one) === name);
  if (algorithm === undefined)
    throw new S3Refusal('InvalidRequest', {
      message:
        `This server does not know the checksum ${name}. Send one of ` +
        `${checksumAlgorithms.map(checksumHeader).join(', ')}.`,
    });
  return algorithm;
}

/** @throws InvalidRequest for several, also for the same in a header and as a trailer, and for a malformed value */
function onlyOne([announced, ...others]: readonly Announced[]): Announced | undefined {
  const isSame = others.every(({ algorithm }) => algorithm === announced!.algorithm);
  if (others.length > 0)
    throw new S3Refusal('InvalidRequest', {
      message: `Expecting a single x-amz-checksum- header${isSame ? '' : '. Multiple checksum Types are not allowed.'}`,
    });
  if (announced?.value !== undefined) requireForm(announced.algorithm, announced.value);
  return announced;
}

/** An SDK names the checksum that it computed. Without it, the checksum was lost on the way. @throws InvalidRequest */
function requireNamed({ header }: S3Request, announced: Announced | undefined): void {
  const named = header('x-amz-sdk-checksum-algorithm')?.trim().toUpperCase();
  if (named === undefined || named === announced?.algorithm) return;
  if (announced)
    throw new S3Refusal('InvalidRequest', {
      message: 'Value for x-amz-sdk-checksum-algorithm header is invalid.',
      details: { ChecksumNamed: named, ChecksumSent: announced.algorithm },
    });
  throw new S3Refusal('InvalidRequest', {
    message:
      `x-amz-sdk-checksum-algorithm says ${named}, and the request brings no x-amz-checksum header and announces no ` +
      'trailer. Send the checksum that it names, or leave it out.',
  });
}

/** @param place where the value was sent @throws InvalidRequest */
export function requireForm(
  algorithm: ChecksumAlgorithm,
  value: string,
  place: 'header' | 'trailing header' = 'header',
): void {
  if (!isChecksumValue(algorithm, value))
    throw new S3Refusal('InvalidRequest', { message: `Value for ${checksumHeader(algorithm)} ${place} is invalid.` });
}

/** @throws BadDigest, InvalidRequest, MalformedTrailerError when an announced trailer did not come */
function requireChecksum({ body }: S3Request, { algorithm, value }: Announced, found: string): void {
  const given = value ?? body.trailers.get(checksumHeader(algorithm))?.trim();
  if (given === undefined) throw new S3Refusal('MalformedTrailerError');
  requireForm(algorithm, given, value === undefined ? 'trailing header' : 'header');
  if (given !== found)
    throw new S3Refusal('BadDigest', {
      message: `The ${algorithm} you specified did not match the calculated checksum.`,
    });
}
