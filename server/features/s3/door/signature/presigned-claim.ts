import type { IncomingMessage } from 'node:http';

import { maxClockSkewMs, maxPresignedSeconds } from '../../limits.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import type { RawQuery } from '#server/http/query.ts';
import { algorithm } from '#server/signature-v4/canonical.ts';
import { parseCredential, parseSignedHeaders, signedInstant, type SignatureClaim } from './header.ts';

/** Whether the signature is in the query. */
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
  const stated = onlyValue(query, 'X-Amz-Algorithm');
  const credential = onlyValue(query, 'X-Amz-Credential');
  const timestamp = onlyValue(query, 'X-Amz-Date');
  const expires = onlyValue(query, 'X-Amz-Expires');
  const signed = onlyValue(query, 'X-Amz-SignedHeaders');
  const signature = onlyValue(query, 'X-Amz-Signature');
  if (stated !== algorithm) throw malformed(`X-Amz-Algorithm must be ${algorithm}.`);
  const { accessKeyId, scope } = parseCredential(credential, malformed);
  const signedAt = signedInstant(scope, timestamp, malformed);
  requireTime(signedAt, expires, now);
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

/** @throws AuthorizationQueryParametersError, AccessDenied */
function requireTime(signedAt: number, expires: string, now: number): void {
  if (!/^\d{1,6}$/.test(expires) || Number(expires) > maxPresignedSeconds)
    throw malformed(`X-Amz-Expires must be a number of seconds up to ${maxPresignedSeconds}, which are 7 days.`);
  const serverTime = new Date(now).toISOString();
  if (signedAt > now + maxClockSkewMs)
    throw new S3Refusal('AccessDenied', {
      message: 'The address is not valid yet.',
      details: { ServerTime: serverTime },
    });
  const endsAt = signedAt + Number(expires) * 1000;
  if (endsAt < now)
    throw new S3Refusal('AccessDenied', {
      message: 'Request has expired',
      details: { 'X-Amz-Expires': expires, Expires: new Date(endsAt).toISOString(), ServerTime: serverTime },
    });
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

/** Returns the query without the signature, which cannot sign itself. */
export function withoutSignature(rawQuery: string): string {
  return rawQuery
    .split('&')
    .filter((pair) => !/^X-Amz-Signature(=|$)/.test(pair))
    .join('&');
}
