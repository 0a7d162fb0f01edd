import { isUtf8 } from 'node:buffer';
import { createHmac, createSecretKey, hash, timingSafeEqual, type KeyObject } from 'node:crypto';

import { LRUCache } from 'lru-cache';

/** The parts of a request that are signed. */
export interface Signable {
  readonly method: string;
  /** As it was sent, without the query. */
  readonly rawPath: string;
  /** @see canonicalQuery */
  readonly query: string;
  /** Names in lower case, sorted. */
  readonly signedHeaders: readonly string[];
  /** Returns all values of a header, as bytes in Latin-1. */
  headerValues(name: string): readonly string[];
  /** In hex, or one of the literals such as `UNSIGNED-PAYLOAD`. */
  readonly payloadHash: string;
}

/** `20130524/us-east-1/s3/aws4_request`. Any region is taken. */
export interface CredentialScope {
  /** `YYYYMMDD` */
  readonly date: string;
  readonly region: string;
}

export const algorithm = 'AWS4-HMAC-SHA256';

/** The parts of a credential scope that follow the region. */
const scopeEnd = ['s3', 'aws4_request'] as const;

export function scopeText({ date, region }: CredentialScope): string {
  return [date, region, ...scopeEnd].join('/');
}

/** Percent-encodes everything but A-Z, a-z, 0-9, `-`, `.`, `_` and `~`. */
export function uriEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Returns the canonical forms of a path. Most clients sign it decoded and encoded anew, and some sign it as they sent
 * it. Both name the same key.
 */
export function canonicalPaths(rawPath: string): string[] {
  if (/^[\w./~-]*$/.test(rawPath)) return [rawPath]; // nothing to encode
  const normal = decodeURIComponent(rawPath).split('/').map(uriEncode).join('/');
  return normal === rawPath ? [normal] : [normal, rawPath];
}

/** Sorts the parameters by encoded name, then by encoded value. `+` is a space, as it is when parameters are read. */
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

const isAscii = /^[\u0000-\u007f]*$/;

/**
 * Returns the forms of the headers that a client may have signed: byte for byte, and as UTF-8 text when it sent them in
 * Latin-1. A value that is UTF-8 already has no second form. Otherwise it could be swapped for other bytes that are
 * read as another text.
 */
export function signedForms(signable: Signable): Signable[] {
  const isText = (name: string) => {
    const value = signable.headerValues(name).join(',');
    return isAscii.test(value) || isUtf8(Buffer.from(value, 'latin1'));
  };
  if (signable.signedHeaders.every(isText)) return [signable];
  const headerValues = (name: string) =>
    isText(name)
      ? signable.headerValues(name)
      : [Buffer.from(signable.headerValues(name).join(',')).toString('latin1')];
  return [signable, { ...signable, headerValues }];
}

/**
 * Takes off blanks as HTTP does, and folds spaces as S3 does. The bytes of a no-break space stay. It counts from the
 * ends, because a pattern for blanks at the end would start again at each blank before it.
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

/** Returns the SHA-256 of text in Latin-1, which has the bytes of headers as they were signed. */
export function sha256Hex(text: string): string {
  return hash('sha256', Buffer.from(text, 'latin1'));
}

/** Keys in use stay. Requests with made-up dates and regions push out only unused ones. */
const signingKeys = new LRUCache<string, KeyObject>({ max: 1000 });

/**
 * "Task 3: Calculate Signature": the key of a day, region and service. It is remembered as a key object, because a hash
 * that is keyed with bytes creates one each time. Six of them would cost more than the rest of a small request.
 */
export function signingKey(secretAccessKey: string, { date, region }: CredentialScope): KeyObject {
  const name = `${secretAccessKey}/${date}/${region}`;
  const known = signingKeys.get(name);
  if (known) return known;
  const bytes = [date, region, ...scopeEnd].reduce<Buffer>(
    (key, text) => createHmac('sha256', key).update(text).digest(),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  const made = createSecretKey(bytes);
  signingKeys.set(name, made);
  return made;
}

/** Returns the signature of a text, in hex. */
export function signatureOf(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text, 'latin1').digest('hex');
}

/** Compares a signature with the one that this key makes for this text, in constant time. */
export function isSignatureOf(key: KeyObject, text: string, signature: string): boolean {
  const expected = Buffer.from(signatureOf(key, text));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
