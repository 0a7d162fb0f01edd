import { createHash, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { nextTurn } from '#server/domain/next-turn.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { S3Body } from '../request.ts';
import { isSignatureOf, scopeText, sha256Hex, type CredentialScope } from './canonical.ts';
import { ChunkReader } from './chunk-reader.ts';
import { Gathered } from './gathered.ts';
import { signatureMismatch } from './mismatch.ts';
import { announcedTrailers, readTrailers, type Trailer } from './trailers.ts';

/** What signs the pieces of a body. */
export interface PayloadSigning {
  readonly accessKeyId: string;
  /** The key of the request's day, region and service. */
  readonly key: KeyObject;
  readonly timestamp: string;
  readonly scope: CredentialScope;
  /** The request's own signature, with which the chain of the pieces begins. */
  readonly signature: string;
  /** What that was made of, to be told where a piece's signature is wrong. */
  readonly canonicalRequest: string;
}

/** A form of a body in chunks. */
export interface ChunkedForm {
  readonly isSigned: boolean;
  readonly hasTrailer: boolean;
}

/**
 * "Only the last chunk is allowed to have a size less than 8192 bytes": each has a signature of its own to be checked.
 */
const minSignedChunkBytes = 8192;

/** How many chunks are read before others have their turn: some milliseconds where they are tiny. */
const chunksAtOnce = 1000;

/** How much may stand behind the end of a body: S3 passes it over. */
const maxBytesBehind = 65_536;

/** How long the file in a body in chunks is. @throws MissingContentLength */
export function decodedLength({ headers }: Pick<IncomingMessage, 'headers'>): number {
  const decoded = headers['x-amz-decoded-content-length'];
  if (typeof decoded === 'string' && /^\d{1,15}$/.test(decoded)) return Number(decoded);
  throw new S3Refusal('MissingContentLength', {
    message: 'A body in chunks must say how long the file is: send x-amz-decoded-content-length.',
  });
}

/**
 * A body that comes in chunks of its own, within those of HTTP or not.
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
          message: 'The body has a trailer that its form does not have.',
        });
      if (receivedBytes !== announcedBytes) throw otherLength(announcedBytes, receivedBytes);
      for (const [name, value] of given) trailers.set(name, value);
      // Who changes a trailer's name on the way would have a checksum passed over.
      if ([...trailers.keys()].toSorted().join() !== announced.toSorted().join())
        throw new S3Refusal('MalformedTrailerError');
      await reader.discardRest(maxBytesBehind);
    },
  };
}

/** The bytes of the chunks up to the empty one; returns how many there were. */
async function* chunks(
  reader: ChunkReader,
  chain: SignatureChain | undefined,
  announcedBytes: number,
): AsyncGenerator<Uint8Array, number> {
  let receivedBytes = 0;
  let lastBytes = minSignedChunkBytes;
  const gathered = new Gathered();
  for (let number = 1; ; number++) {
    // A body may have a chunk for each of its bytes: what is there already is not waited for, and others have their
    // turn.
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

/** @throws IncompleteBody, whose numbers are those of the file's bytes */
export function otherLength(expectedBytes: number, providedBytes: number): S3Refusal {
  return new S3Refusal('IncompleteBody', {
    details: { NumberBytesExpected: String(expectedBytes), NumberBytesProvided: String(providedBytes) },
  });
}

/** A size in hex, and in the signed form a parameter with the signature, with blanks around each as S3 takes them. */
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
      message: 'A chunk of the body does not begin as it must. Nothing was stored.',
    });
  // Another parameter in its place is no signature, and S3 refuses it as a wrong one.
  return { sizeBytes: Number.parseInt(size, 16), signature: name === 'chunk-signature' ? signature : '' };
}

/**
 * The signature comes as the last trailer, over those before it. @throws IncompleteBody without one,
 * SignatureDoesNotMatch
 */
function checkTrailers(chain: SignatureChain, announced: readonly string[], given: Trailer[]): void {
  const [name, signature] = given.pop() ?? ['', ''];
  const isWithout = announced.length === 0 && given.length === 0;
  if (isWithout || name !== 'x-amz-trailer-signature')
    throw new S3Refusal('IncompleteBody', {
      message:
        'A body of this form ends in the trailer that x-amz-trailer names, and its signature. Nothing was stored.',
    });
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
    const { key, timestamp, scope, accessKeyId, canonicalRequest } = this.#signing;
    const stringToSign = [kind, timestamp, scopeText(scope), this.#last, ...hashes].join('\n');
    if (!isSignatureOf(key, stringToSign, signature))
      throw signatureMismatch({ accessKeyId, stringToSign, signature, canonicalRequest });
    this.#last = signature;
  }
}
