import { isUtf8 } from 'node:buffer';
import { createHash, createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';

/** What the signature of a request is about. */
export interface Signable {
  readonly method: string;
  /** As it was sent, without the query. */
  readonly rawPath: string;
  /** @see canonicalQuery */
  readonly query: string;
  /** Names in lower case, sorted. */
  readonly signedHeaders: readonly string[];
  /** All values of a header, as bytes in Latin-1. */
  headerValues(name: string): readonly string[];
  /** In hex, or one of the literals such as `UNSIGNED-PAYLOAD`. */
  readonly payloadHash: string;
}

/** `20130524/us-east-1/s3/aws4_request`, whose region may be any. */
export interface CredentialScope {
  /** `YYYYMMDD` */
  readonly date: string;
  readonly region: string;
}

export const algorithm = 'AWS4-HMAC-SHA256';
export const service = 's3';

export function scopeText({ date, region }: CredentialScope): string {
  return `${date}/${region}/${service}/aws4_request`;
}

/** Percent-encodes everything but A-Z, a-z, 0-9, `-`, `.`, `_` and `~`. */
export function uriEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * The canonical forms of a path, of which a client may have signed either: decoded and encoded anew, as most do, and
 * just as it was sent. Both name the same key.
 */
export function canonicalPaths(rawPath: string): string[] {
  const normal = decodeURIComponent(rawPath).split('/').map(uriEncode).join('/');
  return normal === rawPath ? [normal] : [normal, rawPath];
}

/** Sorted by encoded name, then by encoded value. `+` is a space, as it is where the parameters are read. */
export function canonicalQuery(rawQuery: string): string {
  const pairs = rawQuery.split('&').filter((pair) => pair !== '');
  const encoded = pairs.map((pair) => {
    const equals = pair.indexOf('=');
    const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    return [name, value].map((text) => uriEncode(decodeURIComponent(text.replaceAll('+', ' ')))) as [string, string];
  });
  return encoded
    .sort(([aName, aValue], [bName, bValue]) => compare(aName, bName) || compare(aValue, bValue))
    .map((pair) => pair.join('='))
    .join('&');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "Task 1: Create a Canonical
 * Request"
 */
export function canonicalRequest(
  { method, query, signedHeaders, headerValues, payloadHash }: Signable,
  path: string,
): string {
  const headers = signedHeaders.map((name) => `${name}:${headerValues(name).map(oneSpaced).join(',')}\n`);
  return [method, path, query, headers.join(''), signedHeaders.join(';'), payloadHash].join('\n');
}

/**
 * The forms of the headers, of which a client may have signed either: byte for byte, and as text in UTF-8 where it has
 * sent them in Latin-1. What is UTF-8 already has no second form, or it could be swapped for other bytes that are read
 * as another text.
 */
export function signedForms(signable: Signable): Signable[] {
  const isText = (name: string) => isUtf8(Buffer.from(signable.headerValues(name).join(','), 'latin1'));
  if (signable.signedHeaders.every(isText)) return [signable];
  const headerValues = (name: string) =>
    isText(name)
      ? signable.headerValues(name)
      : [Buffer.from(signable.headerValues(name).join(',')).toString('latin1')];
  return [signable, { ...signable, headerValues }];
}

/**
 * Only what HTTP itself takes off and S3 folds: to the bytes of a no-break space a header is another one. Counted from
 * the ends, as a pattern for blanks at the end would begin anew at each blank before it.
 */
function oneSpaced(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value[start]!)) start++;
  while (end > start && isBlank(value[end - 1]!)) end--;
  return value.slice(start, end).replace(/ +/g, ' ');
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t';
}

/** "Task 2: Create a String to Sign". */
export function stringToSign(timestamp: string, scope: CredentialScope, canonical: string): string {
  return [algorithm, timestamp, scopeText(scope), sha256Hex(canonical)].join('\n');
}

/** Of text in Latin-1, so that the bytes of headers are those that were signed. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}

/** How many keys are remembered: one is used for a day. */
const maxSigningKeys = 1000;
const signingKeys = new Map<string, KeyObject>();

/**
 * "Task 3: Calculate Signature": the key of a day, region and service. Remembered, and as a key object, because a hash
 * keyed with bytes makes one each time: six of them would be the dearest part of a small request.
 */
export function signingKey(secretAccessKey: string, { date, region }: CredentialScope): KeyObject {
  const name = `${secretAccessKey}/${date}/${region}`;
  const known = signingKeys.get(name);
  // Those in use stay last: strangers who know an access key id can only push out what nobody asks for.
  signingKeys.delete(name);
  if (known) {
    signingKeys.set(name, known);
    return known;
  }
  const bytes = [date, region, service, 'aws4_request'].reduce<Buffer>(
    (key, text) => createHmac('sha256', key).update(text).digest(),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  const made = createSecretKey(bytes);
  signingKeys.set(name, made);
  if (signingKeys.size > maxSigningKeys) signingKeys.delete(signingKeys.keys().next().value!);
  return made;
}

/** In hex. */
export function signatureOf(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text, 'latin1').digest('hex');
}

/** Whether a signature was made with this key for this text, compared in constant time. */
export function isSignatureOf(key: KeyObject, text: string, signature: string): boolean {
  const expected = Buffer.from(signatureOf(key, text));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
