import { createHash, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { BodyCutOff, bodyChunks, declaredLength, hasBody } from '#server/http/body-chunks.ts';
import type { S3Body } from '../request.ts';
import { isSignatureOf, scopeText, sha256Hex, type CredentialScope } from './canonical.ts';
import { ChunkReader } from './chunk-reader.ts';

/** What signs the pieces of a body. */
export interface PayloadSigning {
  /** The key of the request's day, region and service. */
  readonly key: KeyObject;
  readonly timestamp: string;
  readonly scope: CredentialScope;
  /** The request's own signature, with which the chain of the pieces begins. */
  readonly signature: string;
}

const chunkedForms: Readonly<Record<string, { readonly isSigned: boolean; readonly hasTrailer: boolean }>> = {
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': { isSigned: true, hasTrailer: false },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': { isSigned: true, hasTrailer: true },
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': { isSigned: false, hasTrailer: true },
};

const unsigned = 'UNSIGNED-PAYLOAD';

/**
 * The body of a request, in the form that its `x-amz-content-sha256` names.
 *
 * @throws InvalidArgument when it names none, MissingContentLength when chunks do not say how long the file is
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html, and its page about trailers
 */
export function payloadBody(req: IncomingMessage, payloadHash: string, signing: PayloadSigning): S3Body {
  const form = Object.hasOwn(chunkedForms, payloadHash) ? chunkedForms[payloadHash] : undefined;
  if (form) return chunkedBody(req, form, signing);
  if (payloadHash !== unsigned && !/^[0-9a-f]{64}$/i.test(payloadHash)) {
    throw new S3Refusal('InvalidArgument', { message: 'x-amz-content-sha256 must be a SHA-256 in hex or one of the forms of S3.', details: { ArgumentName: 'x-amz-content-sha256', ArgumentValue: payloadHash } });
  }
  const expected = payloadHash === unsigned ? undefined : payloadHash;
  return { announcedBytes: hasBody(req) ? declaredLength(req) : 0, trailers: new Map(), bytes: () => plainBytes(req, expected) };
}

async function* plainBytes(req: IncomingMessage, sha256: string | undefined): AsyncGenerator<Uint8Array> {
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  for await (const chunk of wholeBody(req)) {
    hash?.update(chunk);
    yield chunk;
  }
  if (hash === undefined || sha256 === undefined) return;
  const computed = hash.digest('hex');
  if (computed !== sha256.toLowerCase()) throw new S3Refusal('XAmzContentSHA256Mismatch', { details: { ClientComputedContentSHA256: sha256, S3ComputedContentSHA256: computed } });
}

/** The body as it comes over the wire. */
async function* wholeBody(req: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* bodyChunks(req);
  } catch (error) {
    throw error instanceof BodyCutOff ? new S3Refusal('IncompleteBody') : error;
  }
}

function chunkedBody(req: IncomingMessage, form: { readonly isSigned: boolean; readonly hasTrailer: boolean }, signing: PayloadSigning): S3Body {
  const decoded = req.headers['x-amz-decoded-content-length'];
  if (typeof decoded !== 'string' || !/^\d{1,15}$/.test(decoded)) throw new S3Refusal('MissingContentLength', { message: 'A body in chunks must say how long the file is: send x-amz-decoded-content-length.' });
  const announcedBytes = Number(decoded);
  const announcedTrailers = form.hasTrailer ? trailersOf(req) : [];
  const trailers = new Map<string, string>();
  return {
    announcedBytes,
    trailers,
    bytes: async function* () {
      yield* chunkedBytes(new ChunkReader(wholeBody(req)), form, signing, announcedBytes, trailers);
      // Who changes a trailer's name on the way would have a checksum passed over.
      if ([...trailers.keys()].toSorted().join() !== announcedTrailers.toSorted().join()) throw new S3Refusal('MalformedTrailerError');
    },
  };
}

/** What the request says to come behind the bytes. @throws InvalidRequest for what is no checksum */
function trailersOf({ headers }: IncomingMessage): string[] {
  const names = String(headers['x-amz-trailer'] ?? '').toLowerCase().split(',').map((name) => name.trim()).filter((name) => name !== '');
  if (names.some((name) => !name.startsWith('x-amz-checksum-'))) throw new S3Refusal('InvalidRequest', { message: 'x-amz-trailer may name a checksum and nothing else.' });
  return [...new Set(names)];
}

async function* chunkedBytes(
  reader: ChunkReader,
  { isSigned, hasTrailer }: { readonly isSigned: boolean; readonly hasTrailer: boolean },
  signing: PayloadSigning,
  announcedBytes: number,
  trailers: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const chain = new SignatureChain(signing);
  let receivedBytes = 0;
  for (;;) {
    const { sizeBytes, signature } = await chunkHead(reader, isSigned);
    receivedBytes += sizeBytes;
    if (receivedBytes > announcedBytes) throw otherLength(announcedBytes, receivedBytes);
    const hash = createHash('sha256');
    for await (const piece of reader.take(sizeBytes)) {
      if (isSigned) hash.update(piece);
      yield piece;
    }
    if (sizeBytes > 0) await reader.lineEnd();
    if (isSigned) chain.check('AWS4-HMAC-SHA256-PAYLOAD', [sha256Hex(''), hash.digest('hex')], signature);
    if (sizeBytes === 0) break;
  }
  if (receivedBytes !== announcedBytes) throw otherLength(announcedBytes, receivedBytes);
  const given = await readTrailers(reader);
  if (isSigned && hasTrailer) checkTrailers(chain, given);
  if (!hasTrailer && given.length > 0) throw new S3Refusal('MalformedTrailerError', { message: 'The body has a trailer that its form does not have.' });
  for (const [name, value] of given) trailers.set(name, value);
  await reader.end();
}

function otherLength(expectedBytes: number, providedBytes: number): S3Refusal {
  return new S3Refusal('IncompleteBody', { details: { NumberBytesExpected: String(expectedBytes), NumberBytesProvided: String(providedBytes) } });
}

async function chunkHead(reader: ChunkReader, isSigned: boolean): Promise<{ readonly sizeBytes: number; readonly signature: string }> {
  const line = await reader.line();
  const [, size, signature = ''] = /^([0-9a-fA-F]{1,12})[ \t]*(?:;[ \t]*chunk-signature[ \t]*=[ \t]*([^ \t;]*)[ \t]*)?$/.exec(line) ?? [];
  if (size === undefined || (isSigned && signature === '')) throw new S3Refusal('IncompleteBody', { message: 'A chunk of the body does not begin as it must. Nothing was stored.' });
  return { sizeBytes: Number.parseInt(size, 16), signature };
}

/** Lines up to an empty one; some clients leave that out at the very end. */
async function readTrailers(reader: ChunkReader): Promise<Array<readonly [string, string]>> {
  const given: Array<readonly [string, string]> = [];
  for (let line = await reader.lastLine(); line !== undefined && line !== ''; line = await reader.lastLine()) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon < 1 || given.length >= 16 || given.some(([other]) => other === name)) throw new S3Refusal('MalformedTrailerError');
    given.push([name, line.slice(colon + 1).trim()]);
  }
  return given;
}

/** The signature comes as the last trailer, over those before it. @throws SignatureDoesNotMatch */
function checkTrailers(chain: SignatureChain, given: Array<readonly [string, string]>): void {
  const [name, signature] = given.pop() ?? ['', ''];
  if (name !== 'x-amz-trailer-signature') throw new S3Refusal('SignatureDoesNotMatch');
  const text = given.map(([trailer, value]) => `${trailer}:${value}\n`).join('');
  chain.check('AWS4-HMAC-SHA256-TRAILER', [sha256Hex(text)], signature);
}

/** Each piece is signed together with the signature before it, so that none can be left out or moved. */
class SignatureChain {
  readonly #signing: PayloadSigning;
  #last: string;

  constructor(signing: PayloadSigning) {
    this.#signing = signing;
    this.#last = signing.signature;
  }

  /** @throws SignatureDoesNotMatch */
  check(kind: string, hashes: readonly string[], signature: string): void {
    const { key, timestamp, scope } = this.#signing;
    if (!isSignatureOf(key, [kind, timestamp, scopeText(scope), this.#last, ...hashes].join('\n'), signature)) throw new S3Refusal('SignatureDoesNotMatch');
    this.#last = signature;
  }
}
