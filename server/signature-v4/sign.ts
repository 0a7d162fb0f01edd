import {
  algorithm,
  canonicalQuery,
  canonicalRequest,
  scopeText,
  signatureOf,
  signingKey,
  stringToSign,
  uriEncode,
  type CredentialScope,
} from './canonical.ts';

/** A key pair, and the region that its signatures name. */
export interface SigningKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** A request before it is signed. */
interface Unsigned {
  readonly method: string;
  /** Percent-encoded, without a query. @see encodePath */
  readonly path: string;
  /** Decoded names and values. */
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. All are signed. `host` must be one of them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The hash that stands for a body that is not hashed. */
export const unsignedPayload = 'UNSIGNED-PAYLOAD';

/** Percent-encodes a path. Slashes stay. */
export function encodePath(path: string): string {
  return path.split('/').map(uriEncode).join('/');
}

/** Returns a query as it is signed and sent, without a question mark. */
export function encodeQuery(query: Readonly<Record<string, string>>): string {
  return canonicalQuery(
    Object.entries(query)
      .map((pair) => pair.map(uriEncode).join('='))
      .join('&'),
  );
}

/**
 * Signs a request. Returns its headers with the signature.
 *
 * @param payloadHash the SHA-256 of the body in hex, or {@link unsignedPayload}
 * @param atMs the time of the request, in milliseconds since the epoch. It must be close to the server's
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signHeaders(
  keys: SigningKeys,
  request: Unsigned,
  payloadHash: string,
  atMs: number,
): Record<string, string> {
  const timestamp = timestampOf(atMs);
  const headers = { ...request.headers, 'x-amz-content-sha256': payloadHash, 'x-amz-date': timestamp };
  const signature = sign(keys, timestamp, { ...request, headers }, payloadHash);
  const authorization =
    `${algorithm} Credential=${credentialOf(keys, timestamp)}, SignedHeaders=${namesOf(headers).join(';')}, ` +
    `Signature=${signature}`;
  return { ...headers, authorization };
}

/**
 * Signs a request in its query. Returns the whole query. The request must have the given headers, and no body that is
 * checked.
 *
 * @param lifetimeSeconds at most 7 days
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export function presignQuery(keys: SigningKeys, request: Unsigned, lifetimeSeconds: number, atMs: number): string {
  const timestamp = timestampOf(atMs);
  const query = {
    ...request.query,
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': credentialOf(keys, timestamp),
    'X-Amz-Date': timestamp,
    'X-Amz-Expires': String(lifetimeSeconds),
    'X-Amz-SignedHeaders': namesOf(request.headers).join(';'),
  };
  const signature = sign(keys, timestamp, { ...request, query }, unsignedPayload);
  return `${encodeQuery(query)}&X-Amz-Signature=${signature}`;
}

function sign(
  keys: SigningKeys,
  timestamp: string,
  { method, path, query, headers }: Unsigned,
  payloadHash: string,
): string {
  const scope = scopeOf(keys, timestamp);
  const canonical = canonicalRequest(
    {
      method,
      rawPath: path,
      query: encodeQuery(query),
      signedHeaders: namesOf(headers),
      headerValues: (name) => [headers[name]!],
      payloadHash,
    },
    path,
  );
  return signatureOf(signingKey(keys.secretAccessKey, scope), stringToSign(timestamp, scope, canonical));
}

function namesOf(headers: Unsigned['headers']): string[] {
  return Object.keys(headers).sort();
}

function credentialOf(keys: SigningKeys, timestamp: string): string {
  return `${keys.accessKeyId}/${scopeText(scopeOf(keys, timestamp))}`;
}

function scopeOf({ region }: SigningKeys, timestamp: string): CredentialScope {
  return { date: timestamp.slice(0, 8), region };
}

/** `YYYYMMDDTHHMMSSZ` */
function timestampOf(atMs: number): string {
  return new Date(atMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
}
