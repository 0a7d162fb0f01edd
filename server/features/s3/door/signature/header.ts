import type { IncomingMessage } from 'node:http';

import { maxClockSkewMs } from '../../limits.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import { algorithm, type CredentialScope } from '#server/signature-v4/canonical.ts';
import { olderHeader } from './version-2.ts';

/** A request's own statement about its signature. */
export interface SignatureClaim {
  readonly accessKeyId: string;
  readonly scope: CredentialScope;
  /** `YYYYMMDDTHHMMSSZ` */
  readonly timestamp: string;
  /** In lower case, sorted. */
  readonly signedHeaders: readonly string[];
  /** In hex. */
  readonly signature: string;
  readonly payloadHash: string;
}

/** Makes the refusal of a claim that cannot be read. */
type Refuse = (message: string) => S3Refusal;

/**
 * Reads the claim of an `Authorization` header.
 *
 * @throws AuthorizationHeaderMalformed, AccessDenied, RequestTimeTooSkewed, InvalidRequest
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-auth-using-authorization-header.html
 */
export function headerClaim(req: IncomingMessage, authorization: string, now: number): SignatureClaim {
  if (!authorization.startsWith(algorithm))
    throw authorization.startsWith('AWS ')
      ? olderHeader(req.headers['user-agent'])
      : malformed(`It must begin with ${algorithm}.`);
  const { Credential, SignedHeaders, Signature } = fieldsOf(authorization.slice(algorithm.length));
  const { accessKeyId, scope } = parseCredential(Credential, malformed);
  const signedHeaders = parseSignedHeaders(req, SignedHeaders);
  const timestamp = timestampOf(req);
  if (Math.abs(signedInstant(scope, timestamp, malformed, denied) - now) > maxClockSkewMs)
    throw new S3Refusal('RequestTimeTooSkewed', {
      details: {
        RequestTime: timestamp,
        ServerTime: new Date(now).toISOString(),
        MaxAllowedSkewMilliseconds: String(maxClockSkewMs),
      },
    });
  const payloadHash = req.headers['x-amz-content-sha256'];
  if (typeof payloadHash !== 'string')
    throw new S3Refusal('InvalidRequest', {
      message: 'The header x-amz-content-sha256 is missing. Send the SHA-256 of the body in hex, or UNSIGNED-PAYLOAD.',
    });
  return { accessKeyId, scope, timestamp, signedHeaders, signature: Signature, payloadHash };
}

function malformed(message: string): S3Refusal {
  return new S3Refusal('AuthorizationHeaderMalformed', {
    message: `The Authorization header cannot be read. ${message}`,
    details: { Region: 'auto' },
  });
}

function denied(message: string): S3Refusal {
  return new S3Refusal('AccessDenied', { message });
}

interface HeaderFields {
  readonly Credential: string;
  readonly SignedHeaders: string;
  readonly Signature: string;
}

function fieldsOf(text: string): HeaderFields {
  const parts = text.split(',');
  const fields = new Map<string | undefined, string | undefined>();
  for (const part of parts) {
    const [, name, value] = /^\s*(Credential|SignedHeaders|Signature)=(\S+)\s*$/.exec(part) ?? [];
    fields.set(name, value);
  }
  if (parts.length !== 3 || fields.size !== 3 || fields.has(undefined))
    throw malformed('It must have Credential, SignedHeaders and Signature, once each.');
  return Object.fromEntries(fields) as unknown as HeaderFields;
}

/** Reads `<access key id>/<date>/<region>/s3/aws4_request`. */
export function parseCredential(
  text: string,
  refuse: Refuse,
): { readonly accessKeyId: string; readonly scope: CredentialScope } {
  const [accessKeyId, date, region, service, end, ...others] = text.split('/');
  if (end !== 'aws4_request' || others.length > 0)
    throw refuse('The credential must read <access key id>/<date>/<region>/s3/aws4_request.');
  if (service !== 's3') throw refuse('The service of the credential must be s3.');
  if (!accessKeyId || !/^\d{8}$/.test(date ?? '')) throw refuse('The date of the credential must read YYYYMMDD.');
  // Some clients sign with an empty region, when none is set.
  if (region === undefined || !/^[\w-]{0,64}$/.test(region))
    throw refuse('The region of the credential can have 64 letters, digits, - and _. Use auto.');
  return { accessKeyId, scope: { date: date!, region } };
}

/**
 * Reads the names of the signed headers. The host and every `x-amz-` header of the request must be among them.
 * Otherwise a person in the middle could add such a header.
 *
 * @throws AccessDenied
 */
export function parseSignedHeaders(req: IncomingMessage, text: string): string[] {
  const names = text.split(';');
  if (names.some((name) => !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) || new Set(names).size < names.length)
    throw denied('SignedHeaders must be names in lower case, joined by semicolons.');
  if (names.some((name, index) => index > 0 && names[index - 1]! > name)) throw denied('SignedHeaders must be sorted.');
  if (!names.includes('host')) throw denied('The header host must be signed.');
  const unsigned = Object.keys(req.headers).filter((name) => name.startsWith('x-amz-') && !names.includes(name));
  if (unsigned.length > 0)
    throw new S3Refusal('AccessDenied', {
      message: 'There are headers in the request that were not signed.',
      details: { HeadersNotSigned: unsigned.join(', ') },
    });
  return names;
}

/** Returns `x-amz-date`, or the `Date` header in the same form. @throws AccessDenied */
function timestampOf(req: IncomingMessage): string {
  const given = req.headers['x-amz-date'];
  if (typeof given === 'string') return given;
  const date = Date.parse(req.headers.date ?? '');
  if (Number.isNaN(date)) throw denied('The request has no date. Send x-amz-date.');
  return new Date(date).toISOString().replace(/[-:]|\.\d+/g, '');
}

/**
 * Returns the instant of a timestamp on the day of the scope, in milliseconds since the epoch.
 *
 * @param refuseForm makes the refusal of a timestamp of another form
 */
export function signedInstant(
  { date }: CredentialScope,
  timestamp: string,
  refuse: Refuse,
  refuseForm = refuse,
): number {
  const [, year, month, day, hours, minutes, seconds] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(timestamp) ?? [];
  const instant = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  if (Number.isNaN(instant)) throw refuseForm('The date of the request must read YYYYMMDDTHHMMSSZ.');
  if (!timestamp.startsWith(date)) throw refuse('The credential has another date than the request.');
  return instant;
}
