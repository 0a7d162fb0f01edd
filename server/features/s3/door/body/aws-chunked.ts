import { createHash, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { nextTurn } from '#server/event-loop.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import type { S3Body } from '../request.ts';
import { isSignatureOf, scopeText, sha256Hex, type CredentialScope } from '#server/signature-v4/canonical.ts';
import { signatureMismatch } from '../signature/mismatch.ts';
import { ChunkReader } from './chunk-reader.ts';
import { Gathered } from './gathered.ts';
import { announcedTrailers, readTrailers, type Trailer } from './trailers.ts';

/** The inputs for the signatures of a body's chunks. */
export interface PayloadSigning {
  readonly accessKeyId: string;
  /** The key of the request's day, region and service. */
  readonly key: KeyObject;
  readonly timestamp: string;
  readonly scope: CredentialScope;
  /** The request's own signature, which the first chunk's signature includes. */
  readonly signature: string;
  /** The text of that signature, for the refusal of a chunk's signature. */
  readonly canonicalRequest: string;
}

/** One of the forms of aws-chunked. */
export interface ChunkedForm {
  readonly isSigned: boolean;
  readonly hasTrailer: boolean;
}

/** "Only the last chunk is allowed to have a size less than 8192 bytes", because each has a signature to check. */
const minSignedChunkBytes = 8192;

/** How many chunks are read before other requests get their turn. Tiny ones take a few milliseconds. */
const chunksAtOnce = 1000;

/** The most bytes that can follow the end of a body. S3 drops them. */
const maxBytesBehind = 65_536;

/** Returns the size of the file in the chunks, in bytes. @throws MissingContentLength */
export function decodedLength({ headers }: Pick<IncomingMessage, 'headers'>): number {
  const decoded = headers['x-amz-decoded-content-length'];
  if (typeof decoded === 'string' && /^\d{1,15}$/.test(decoded)) return Number(decoded);
  throw new S3Refusal('MissingContentLength', {
    message: 'A body in chunks must announce the size of the file. Send x-amz-decoded-content-length.',
  });
}

/**
 * Returns a body in chunks of S3's own framing, whether or not HTTP chunks it too.
 *
 * @param source the body as it comes over the wire
 * @throws MissingContentLength, InvalidRequest for an `x-amz-trailer` that names no checksum
 */
export function chunkedBody(
  req: IncomingMessage,
  source: AsyncIterable<Buffer>,
  form: ChunkedForm,
  signing: PayloadSigning,
): S3Body {
  const announcedBytes = decodedLength(req);
  const announced = form.hasTrailer ? announcedTrailers(req) : [];
  const trailers = new Map<string, string>();
  return {
    announcedBytes,
    trailers,
    bytes: async function* () {
      const reader = new ChunkReader(source);
      const chain = new SignatureChain(signing);
      const receivedBytes = yield* chunks(reader, form.isSigned ? chain : undefined, announcedBytes);
      const given = await readTrailers(reader);
      if (form.isSigned && form.hasTrailer) checkTrailers(chain, announced, given);
      if (!form.hasTrailer && given.length > 0)
        throw new S3Refusal('MalformedTrailerError', {
          message: 'The body has a trailer, and its x-amz-content-sha256 names a form without one.',
        });
      if (receivedBytes !== announcedBytes) throw otherLength(announcedBytes, receivedBytes);
      for (const [name, value] of given) trailers.set(name, value);
      // Otherwise a person in the middle could rename a trailer, and its checksum would not be checked.
      if ([...trailers.keys()].toSorted().join() !== announced.toSorted().join())
        throw new S3Refusal('MalformedTrailerError');
      await reader.discardRest(maxBytesBehind);
    },
  };
}

/** Yields the bytes of the chunks up to the empty one, and returns how many there were. */
async function* chunks(
  reader: ChunkReader,
  chain: SignatureChain | undefined,
  announcedBytes: number,
): AsyncGenerator<Uint8Array, number> {
  let receivedBytes = 0;
  let lastBytes = minSignedChunkBytes;
  const gathered = new Gathered();
  for (let number = 1; ; number++) {
    // A body can have a chunk for each byte. Bytes that have arrived are read without waiting, so other requests need
    // a turn of their own.
    if (number % chunksAtOnce === 0) await nextTurn();
    const { sizeBytes, signature } = readHead(reader.lineAtHand() ?? (await reader.line()), chain !== undefined);
    if (chain && sizeBytes > 0 && lastBytes < minSignedChunkBytes)
      throw new S3Refusal('InvalidChunkSizeError', {
        details: { Chunk: String(number), BadChunkSize: String(lastBytes) },
      });
    lastBytes = sizeBytes;
    receivedBytes += sizeBytes;
    if (receivedBytes > announcedBytes) throw otherLength(announcedBytes, receivedBytes);
    const hash = chain && createHash('sha256');
    for (let leftBytes = sizeBytes; leftBytes > 0;) {
      const atHand = reader.bytesAtHand(leftBytes);
      const piece = atHand.length > 0 ? atHand : await reader.bytes(leftBytes);
      leftBytes -= piece.length;
      hash?.update(piece);
      for (const ready of gathered.add(piece)) yield ready;
    }
    if (sizeBytes > 0 && (reader.lineAtHand() ?? (await reader.line())) !== '') throw new S3Refusal('IncompleteBody');
    if (chain && hash) chain.check('AWS4-HMAC-SHA256-PAYLOAD', [sha256Hex(''), hash.digest('hex')], signature);
    if (sizeBytes > 0) continue;
    for (const ready of gathered.flush()) yield ready;
    return receivedBytes;
  }
}

/** Returns the refusal of another length than announced. Its numbers are bytes of the file. */
export function otherLength(expectedBytes: number, providedBytes: number): S3Refusal {
  return new S3Refusal('IncompleteBody', {
    details: { NumberBytesExpected: String(expectedBytes), NumberBytesProvided: String(providedBytes) },
  });
}

/** Reads a size in hex, and in a signed form the signature. Like S3 it takes blanks around each. */
function readHead(line: string, isSigned: boolean): { readonly sizeBytes: number; readonly signature: string } {
  const [, size, parameter = ''] = /^([0-9a-fA-F]{1,12})[ \t]*(?:;(.*))?$/.exec(line) ?? [];
  const [, name, signature = ''] = /^[ \t]*([\w-]+)[ \t]*=[ \t]*([^ \t]*)[ \t]*$/.exec(parameter) ?? [];
  const isReadable =
    name === 'chunk-signature'
      ? !signature.includes(';') && (!isSigned || signature !== '')
      : isSigned
        ? name !== undefined
        : parameter === '';
  if (size === undefined || !isReadable)
    throw new S3Refusal('IncompleteBody', {
      message:
        'The head of a chunk must read <size in hex>, with ;chunk-signature=<hex> in a signed ' +
        'body. Nothing was stored.',
    });
  // S3 refuses another parameter as a signature that does not match.
  return { sizeBytes: Number.parseInt(size, 16), signature: name === 'chunk-signature' ? signature : '' };
}

/** Checks the last trailer, which signs those before it. @throws IncompleteBody without it, SignatureDoesNotMatch */
function checkTrailers(chain: SignatureChain, announced: readonly string[], given: Trailer[]): void {
  const [name, signature] = given.pop() ?? ['', ''];
  const hasNone = announced.length === 0 && given.length === 0;
  if (hasNone || name !== 'x-amz-trailer-signature')
    throw new S3Refusal('IncompleteBody', {
      message:
        'A body of this form must end in the trailer that x-amz-trailer names, and its signature. Nothing was stored.',
    });
  const text = given.map(([trailer, value]) => `${trailer}:${value}\n`).join('');
  chain.check('AWS4-HMAC-SHA256-TRAILER', [sha256Hex(text)], signature);
}

/** Each chunk is signed together with the signature before it, so none can be left out or moved. */
class SignatureChain {
  readonly #signing: PayloadSigning;
  #last: string;

  constructor(signing: PayloadSigning) {
    this.#signing = signing;
    this.#last = signing.signature;
  }

  /** @throws SignatureDoesNotMatch */
  check(kind: string, hashes: readonly string[], signature: string): void {
    const { key, timestamp, scope, accessKeyId, canonicalRequest } = this.#signing;
    const stringToSign = [kind, timestamp, scopeText(scope), this.#last, ...hashes].join('\n');
    if (!isSignatureOf(key, stringToSign, signature))
      throw signatureMismatch({ accessKeyId, stringToSign, signature, canonicalRequest });
    this.#last = signature;
  }
}
