import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { BodyCutOff, bodyChunks, declaredLength, hasBody } from '#server/http/body-chunks.ts';
import type { S3Body } from '../request.ts';
import { chunkedBody, decodedLength, otherLength, type ChunkedForm, type PayloadSigning } from './chunked-body.ts';

const chunkedForms: Readonly<Record<string, ChunkedForm>> = {
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': { isSigned: false, hasTrailer: true },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': { isSigned: true, hasTrailer: false },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': { isSigned: true, hasTrailer: true },
};

const unsigned = 'UNSIGNED-PAYLOAD';

/**
 * The body of a request that is signed in its header, in the form that its `x-amz-content-sha256` names.
 *
 * @throws InvalidArgument when it names none, MissingContentLength when chunks do not say how long the file is,
 *   InvalidRequest
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html, and its page about trailers
 */
export function payloadBody(req: IncomingMessage, payloadHash: string, signing: PayloadSigning): S3Body {
  const form = Object.hasOwn(chunkedForms, payloadHash) ? chunkedForms[payloadHash] : undefined;
  if (form) return chunkedBody(req, wholeBody(req), form, signing);
  if (payloadHash === unsigned) return plainBody(req, undefined);
  if (/^[0-9a-f]{64}$/i.test(payloadHash)) return plainBody(req, payloadHash);
  const message = `x-amz-content-sha256 must be ${[unsigned, ...Object.keys(chunkedForms)].join(', ')}, or a valid sha256 value.`;
  throw new S3Refusal('InvalidArgument', {
    message,
    details: { ArgumentName: 'x-amz-content-sha256', ArgumentValue: payloadHash },
  });
}

/**
 * The body of a request that is signed in its address, where S3 knows no chunks: whatever `x-amz-content-sha256` says
 * is the hash of the body, and is compared where there is one to be read.
 */
export function presignedBody(req: IncomingMessage, payloadHash: string): S3Body {
  const body = plainBody(req, payloadHash === unsigned ? undefined : payloadHash);
  if (!Object.hasOwn(chunkedForms, payloadHash)) return body;
  return {
    ...body,
    bytes() {
      const [expectedBytes, providedBytes] = [decodedLength(req), declaredLength(req)];
      if (providedBytes !== undefined && providedBytes !== expectedBytes)
        throw otherLength(expectedBytes, providedBytes);
      return body.bytes();
    },
  };
}

function plainBody(req: IncomingMessage, sha256: string | undefined): S3Body {
  return {
    announcedBytes: hasBody(req) ? declaredLength(req) : 0,
    trailers: new Map(),
    bytes: () => plainBytes(req, sha256),
  };
}

async function* plainBytes(req: IncomingMessage, sha256: string | undefined): AsyncGenerator<Uint8Array> {
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  for await (const chunk of wholeBody(req)) {
    hash?.update(chunk);
    yield chunk;
  }
  if (hash === undefined || sha256 === undefined) return;
  const computed = hash.digest('hex');
  if (computed !== sha256.toLowerCase())
    throw new S3Refusal('XAmzContentSHA256Mismatch', {
      details: { ClientComputedContentSHA256: sha256, S3ComputedContentSHA256: computed },
    });
}

/** The body as it comes over the wire. */
async function* wholeBody(req: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* bodyChunks(req);
  } catch (error) {
    throw error instanceof BodyCutOff ? new S3Refusal('IncompleteBody') : error;
  }
}
