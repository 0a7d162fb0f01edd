import { createHash, createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * Signature Version 4, written for the tests from Amazon's description. It shares no code with the server, so that a
 * mistake cannot be in both.
 */

/** The address of a gateway, and a key pair for it. */
export interface Endpoint {
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The five ways in which a body can be signed. */
export type Payload = 'signed' | 'unsigned' | 'chunks-signed' | 'chunks-signed-trailer' | 'chunks-trailer';

export const payloads: readonly Payload[] = [
  'signed',
  'unsigned',
  'chunks-signed',
  'chunks-signed-trailer',
  'chunks-trailer',
];

export interface S3Request {
  readonly method?: string;
  /** As it goes over the wire, percent-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly payload?: Payload;
  /** The name and value after the last chunk. Default: the CRC-32 of the body. */
  readonly trailer?: readonly [name: string, value: string];
  readonly region?: string;
  /** The instant in the signature. Default: now. */
  readonly signedAtMs?: number;
}

/** A request as it goes over the wire. */
export interface Wire {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: Buffer;
}

const sentinels: Readonly<Record<Payload, string | undefined>> = {
  signed: undefined,
  unsigned: 'UNSIGNED-PAYLOAD',
  'chunks-signed': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
  'chunks-signed-trailer': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
  'chunks-trailer': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
};
const chunkBytes = 65_536;
const emptyHash = createHash('sha256').digest('hex');

/** Signs a request in its `Authorization` header. */
export function sign(endpoint: Endpoint, request: S3Request): Wire {
  const { method = 'GET', path, query = {}, payload = 'signed' } = request;
  const body = Buffer.from(request.body ?? '');
  const amzDate = compactDate(request.signedAtMs);
  const isChunked = payload.startsWith('chunks');
  const hasTrailer = payload.endsWith('trailer');
  const headers: Record<string, string> = {
    host: new URL(endpoint.url).host,
    'x-amz-content-sha256': sentinels[payload] ?? sha256(body),
    'x-amz-date': amzDate,
    ...(isChunked && { 'content-encoding': 'aws-chunked', 'x-amz-decoded-content-length': String(body.length) }),
    ...(hasTrailer && { 'x-amz-trailer': 'x-amz-checksum-crc32' }),
    ...Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
  };
  const contentHash = headers['x-amz-content-sha256']!;
  const scope = scopeOf(request);
  const search = canonicalQuery(query);
  const signedHeaders = Object.keys(headers).sort();
  const canonicalHeaders = signedHeaders
    .map((name) => `${name}:${headers[name]!.trim().replace(/ +/g, ' ')}\n`)
    .join('');
  const canonical = [method, path, search, canonicalHeaders, signedHeaders.join(';'), contentHash].join('\n');
  const key = signingKey(endpoint, scope);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', amzDate, scope, sha256(canonical)].join('\n')).toString('hex');
  const authorization =
    `AWS4-HMAC-SHA256 Credential=${endpoint.accessKeyId}/${scope}, ` +
    `SignedHeaders=${signedHeaders.join(';')}, Signature=${signature}`;
  const sent = isChunked
    ? chunked(body, payload, { key, amzDate, scope, seed: signature, trailer: request.trailer })
    : body;
  const lacksLength = !('content-length' in headers) && (sent.length > 0 || method === 'PUT' || method === 'POST');
  return {
    method,
    target: search === '' ? path : `${path}?${search}`,
    headers: [
      ...Object.entries(headers),
      ['authorization', authorization],
      ...(lacksLength ? [['content-length', String(sent.length)] as const] : []),
    ],
    body: sent,
  };
}

export interface Presigned extends Omit<S3Request, 'body' | 'payload'> {
  readonly expiresSeconds?: number;
}

/** Signs a request in its query, and returns path and query. Its `headers` must be sent with it. */
export function presign(endpoint: Endpoint, request: Presigned): string {
  const { method = 'GET', path, headers = {}, expiresSeconds = 300 } = request;
  const amzDate = compactDate(request.signedAtMs);
  const scope = scopeOf(request);
  const all: Record<string, string> = { host: new URL(endpoint.url).host, ...headers };
  const signedHeaders = Object.keys(all).sort();
  const search = canonicalQuery({
    ...request.query,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${endpoint.accessKeyId}/${scope}`,
    'X-Amz-Date': amzDate,
    'X-Amz-Expires': String(expiresSeconds),
    'X-Amz-SignedHeaders': signedHeaders.join(';'),
  });
  const canonicalHeaders = signedHeaders.map((name) => `${name}:${all[name]!.trim()}\n`).join('');
  const canonical = [
    method,
    path,
    search,
    canonicalHeaders,
    signedHeaders.join(';'),
    all['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD',
  ].join('\n');
  const signature = hmac(
    signingKey(endpoint, scope),
    ['AWS4-HMAC-SHA256', amzDate, scope, sha256(canonical)].join('\n'),
  ).toString('hex');
  return `${path}?${search}&X-Amz-Signature=${signature}`;
}

/**
 * The fields of a form with a signed policy, without the file. Adds the conditions of the signature.
 *
 * @param signedAtMs default: now
 */
export function postForm(
  endpoint: Endpoint,
  policy: { readonly conditions?: readonly unknown[]; readonly [name: string]: unknown },
  fields: Readonly<Record<string, string>>,
  signedAtMs = Date.now(),
): Record<string, string> {
  const amzDate = compactDate(signedAtMs);
  const scope = scopeOf({ path: '/', signedAtMs });
  const signed = {
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': `${endpoint.accessKeyId}/${scope}`,
    'x-amz-date': amzDate,
  };
  const conditions = policy.conditions && [
    ...policy.conditions,
    ...Object.entries(signed).map(([name, value]) => ({ [name]: value })),
  ];
  const encoded = Buffer.from(JSON.stringify({ ...policy, conditions })).toString('base64');
  return {
    ...fields,
    ...signed,
    policy: encoded,
    'x-amz-signature': hmac(signingKey(endpoint, scope), encoded).toString('hex'),
  };
}

/** Percent-encodes a key for a path as Amazon does: everything except letters, digits and `-._~/`. */
export function encodeKey(key: string): string {
  return key.split('/').map(encode).join('/');
}

interface Chain {
  readonly key: Buffer;
  readonly amzDate: string;
  readonly scope: string;
  readonly seed: string;
  readonly trailer: S3Request['trailer'];
}

/** Writes a body in chunks. In a signed form, each signature includes the one before it. */
function chunked(body: Buffer, payload: Payload, { key, amzDate, scope, seed, trailer: given }: Chain): Buffer {
  const isSigned = payload !== 'chunks-trailer';
  const pieces: Buffer[] = [];
  let previous = seed;
  for (let at = 0; ; at += chunkBytes) {
    const piece = body.subarray(at, at + chunkBytes);
    previous = hmac(
      key,
      ['AWS4-HMAC-SHA256-PAYLOAD', amzDate, scope, previous, emptyHash, sha256(piece)].join('\n'),
    ).toString('hex');
    const last = piece.length === 0;
    pieces.push(
      Buffer.from(`${piece.length.toString(16)}${isSigned ? `;chunk-signature=${previous}` : ''}\r\n`),
      piece,
      Buffer.from(last ? '' : '\r\n'),
    );
    if (last) break;
  }
  if (payload === 'chunks-signed') return Buffer.concat([...pieces, Buffer.from('\r\n')]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  const trailer = (given ?? ['x-amz-checksum-crc32', sum.toString('base64')]).join(':');
  const trailerSignature = hmac(
    key,
    ['AWS4-HMAC-SHA256-TRAILER', amzDate, scope, previous, sha256(`${trailer}\n`)].join('\n'),
  ).toString('hex');
  return Buffer.concat([
    ...pieces,
    Buffer.from(`${trailer}\r\n${isSigned ? `x-amz-trailer-signature:${trailerSignature}\r\n` : ''}\r\n`),
  ]);
}

function scopeOf({ region = 'auto', signedAtMs }: S3Request): string {
  return `${compactDate(signedAtMs).slice(0, 8)}/${region}/s3/aws4_request`;
}

function signingKey({ secretAccessKey }: Endpoint, scope: string): Buffer {
  return scope.split('/').reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secretAccessKey}`));
}

function canonicalQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function compactDate(atMs = Date.now()): string {
  return new Date(atMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
