import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { S3Refusal } from '../../s3-refusal.ts';
import { BodyCutOff, contentLength, fleetingChunks, hasBody } from '#server/http/body-chunks.ts';
import { invalidArgument } from '../errors.ts';
import type { S3Body } from '../request.ts';
import { chunkedBody, decodedLength, otherLength, type ChunkedForm, type PayloadSigning } from './aws-chunked.ts';
import { hashed } from './hashed.ts';

const chunkedForms: ReadonlyMap<string, ChunkedForm> = new Map([
  ['STREAMING-UNSIGNED-PAYLOAD-TRAILER', { isSigned: false, hasTrailer: true }],
  ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD', { isSigned: true, hasTrailer: false }],
  ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER', { isSigned: true, hasTrailer: true }],
]);

const unsigned = 'UNSIGNED-PAYLOAD';

/**
 * Returns the body of a request that is signed in its header. `x-amz-content-sha256` names its form.
 *
 * @throws InvalidArgument for an unknown form, and the errors of `chunkedBody()`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html, and its page about trailers
 */
export function payloadBody(req: IncomingMessage, payloadHash: string, signing: PayloadSigning): S3Body {
  const form = chunkedForms.get(payloadHash);
  if (form) return chunkedBody(req, wholeBody(req), form, signing);
  if (payloadHash === unsigned) return plainBody(req, undefined);
  if (/^[0-9a-f]{64}$/i.test(payloadHash)) return plainBody(req, payloadHash);
  const forms = [unsigned, ...chunkedForms.keys()].join(', ');
  throw invalidArgument(
    'x-amz-content-sha256',
    `x-amz-content-sha256 must be ${forms}, or a valid sha256 value.`,
    payloadHash,
  );
}

/**
 * Returns the body of a presigned request, which S3 never takes in chunks. Any value of `x-amz-content-sha256` is the
 * hash of the body, and is compared when the body is read.
 */
export function presignedBody(req: IncomingMessage, payloadHash: string): S3Body {
  const body = plainBody(req, payloadHash === unsigned ? undefined : payloadHash);
  if (!chunkedForms.has(payloadHash)) return body;
  return {
    ...body,
    bytes() {
      const [expectedBytes, providedBytes] = [decodedLength(req), contentLength(req)];
      if (providedBytes !== undefined && providedBytes !== expectedBytes)
        throw otherLength(expectedBytes, providedBytes);
      return body.bytes();
    },
  };
}

function plainBody(req: IncomingMessage, sha256: string | undefined): S3Body {
  return {
    announcedBytes: hasBody(req) ? contentLength(req) : 0,
    sha256: sha256?.toLowerCase(),
    trailers: new Map(),
    bytes: () => (sha256 === undefined ? wholeBody(req) : sha256Checked(wholeBody(req), sha256)),
  };
}

function sha256Checked(bytes: AsyncIterable<Uint8Array>, sha256: string): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  return hashed(bytes, hash, () => {
    const computed = hash.digest('hex');
    if (computed !== sha256.toLowerCase())
      throw new S3Refusal('XAmzContentSHA256Mismatch', {
        details: { ClientComputedContentSHA256: sha256, S3ComputedContentSHA256: computed },
      });
  });
}

/**
 * Yields the body as it comes over the wire. A chunk is valid until the next one is requested.
 *
 * @throws IncompleteBody instead of its end when it is cut off
 */
async function* wholeBody(req: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* fleetingChunks(req);
  } catch (error) {
    throw error instanceof BodyCutOff ? new S3Refusal('IncompleteBody') : error;
  }
}
