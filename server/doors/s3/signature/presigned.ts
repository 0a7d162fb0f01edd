import type { IncomingMessage } from 'node:http';

import { maxClockSkewMs, maxPresignedSeconds } from '#server/domain/s3/limits.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { RawQuery } from '#server/http/query.ts';
import { algorithm } from './canonical.ts';
import { instantOf, parseCredential, parseSignedHeaders, requireDate, type SignatureClaim } from './header.ts';

const names = [
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-SignedHeaders',
  'X-Amz-Signature',
] as const;

/** Whether the signature stands in the query. */
export function isPresigned(query: RawQuery): boolean {
  return query.has('X-Amz-Algorithm') || query.has('X-Amz-Signature') || query.has('X-Amz-Credential');
}

/**
 * Reads the claim of a presigned address.
 *
 * @throws AuthorizationQueryParametersError, AccessDenied when it has expired or is not valid yet
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export function presignedClaim(req: IncomingMessage, query: RawQuery, now: number): SignatureClaim {
  const [stated, credential, timestamp, expires, signed, signature] = names.map((name) => onlyValue(query, name)) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  if (stated !== algorithm) throw malformed(`X-Amz-Algorithm must be ${algorithm}.`);
  const { accessKeyId, scope } = parseCredential(credential, malformed);
  requireDate(scope, timestamp, malformed);
  if (!/^\d{1,6}$/.test(expires) || Number(expires) > maxPresignedSeconds)
    throw malformed(`X-Amz-Expires must be a number of seconds up to ${maxPresignedSeconds}, which are 7 days.`);
  const signedAt = instantOf(timestamp);
  const serverTime = new Date(now).toISOString();
  if (signedAt > now + maxClockSkewMs)
    throw new S3Refusal('AccessDenied', {
      message: 'The address is not valid yet.',
      details: { ServerTime: serverTime },
    });
  const endsAt = signedAt + Number(expires) * 1000;
  if (endsAt < now) {
    throw new S3Refusal('AccessDenied', {
      message: 'Request has expired',
      details: { 'X-Amz-Expires': expires, Expires: new Date(endsAt).toISOString(), ServerTime: serverTime },
    });
  }
  const stamped =
    req.headers['x-amz-content-sha256'] ??
    (query.has('X-Amz-Content-Sha256') ? onlyValue(query, 'X-Amz-Content-Sha256') : undefined);
  return {
    accessKeyId,
    scope,
    timestamp,
    signedHeaders: parseSignedHeaders(req, signed),
    signature,
    payloadHash: typeof stamped === 'string' ? stamped : 'UNSIGNED-PAYLOAD',
  };
}

function malformed(message: string): S3Refusal {
  return new S3Refusal('AuthorizationQueryParametersError', {
    message: `The signature in the query cannot be read. ${message}`,
  });
}

function onlyValue(query: RawQuery, name: string): string {
  const [value, ...others] = query.get(name) ?? [];
  if (!value || others.length > 0) throw malformed(`${name} must be given, and once.`);
  return value;
}

/** The query without the signature itself, which it cannot be about. */
export function withoutSignature(rawQuery: string): string {
  return rawQuery
    .split('&')
    .filter((pair) => !/^X-Amz-Signature(=|$)/.test(pair))
    .join('&');
}
