import { createHash } from 'node:crypto';

import type { BlobHashes } from '#server/domain/ports/blobs.ts';
import { nextOrAbort } from '../abortable-source.ts';
import type { BucketAnswer, BucketCall, BucketClient } from './bucket-client.ts';
import type { BufferBudget } from './buffer-budget.ts';
import { etagOf, existsAlready, requireStored } from './etags.ts';
import { MultipartUpload, partBytes, unexpected } from './multipart-upload.ts';
import { PartBuffer } from './part-buffer.ts';

const mebibyte = 1024 * 1024;

/**
 * A blob of a known size between these goes to the bucket while it arrives, in one request. Fewer bytes are gathered
 * first, so that the request can be repeated. More bytes go in parts, each of which can be repeated.
 */
const flowing = { leastBytes: mebibyte, mostBytes: 128 * mebibyte };

interface PutDeps {
  readonly client: BucketClient;
  readonly budget: BufferBudget;
}

/** A blob on its way into a bucket. */
interface BlobPut {
  readonly key: string;
  readonly chunks: AsyncIterator<Uint8Array>;
  readonly signal: AbortSignal | undefined;
  /** The total, if it is known exactly. */
  readonly exactBytes: number | undefined;
  readonly wantsSha256: boolean;
}

/** Hashes the bytes of one blob. */
class ContentHash {
  readonly #md5 = createHash('md5');
  readonly #sha256;

  constructor(wantsSha256: boolean) {
    this.#sha256 = wantsSha256 ? createHash('sha256') : undefined;
  }

  update(bytes: Uint8Array): void {
    this.#md5.update(bytes);
    this.#sha256?.update(bytes);
  }

  digest(): BlobHashes {
    return { md5: this.#md5.digest('hex'), sha256: this.#sha256?.digest('hex') ?? null };
  }
}

/**
 * Stores a blob, and checks that the bucket has stored its bytes.
 *
 * @throws the errors of the source, the signal's reason, and an `Error` if the id is stored already
 * @throws {BlobStoreUnavailable} when the outcome may be unknown
 */
export async function putBlob(deps: PutDeps, put: BlobPut): Promise<BlobHashes> {
  const { exactBytes } = put;
  if (exactBytes !== undefined && exactBytes > flowing.leastBytes && exactBytes <= flowing.mostBytes)
    return putFlowing(deps, put, exactBytes);
  const content = new ContentHash(put.wantsSha256);
  const first = await gather(deps, put, content, partBytes(1));
  if (!first.isLast) return putInParts(deps, put, content, first.part);
  using part = first.part;
  const hashes = content.digest();
  await putOnce(deps, put, {
    body: part.body,
    bodyBytes: part.sizeBytes,
    sha256: hashes.sha256 ?? undefined,
    headers: { 'content-md5': Buffer.from(hashes.md5, 'hex').toString('base64') },
    isRepeatable: true,
    md5: () => hashes.md5,
  });
  return hashes;
}

/** The fields of a PUT that depend on how its bytes are at hand. */
type OnePut = Pick<BucketCall, 'body' | 'bodyBytes' | 'sha256' | 'headers' | 'isRepeatable'> & {
  /** Called when all bytes were sent. */
  md5(): string;
};

async function putOnce({ client }: PutDeps, { key, signal }: BlobPut, { md5, ...call }: OnePut): Promise<void> {
  const doing = 'store a blob';
  const send = (condition: Record<string, string>): Promise<BucketAnswer> =>
    client.send({ ...call, doing, method: 'PUT', key, signal, headers: { ...call.headers, ...condition } });
  let answer = await send({ 'if-none-match': '*' });
  if (answer.status === 501 && call.isRepeatable) {
    // A bucket without conditions would replace the blob.
    if (await etagOf(client, key, signal)) throw existsAlready(key);
    answer = await send({});
  }
  if (answer.status === 412) {
    // An earlier try may have stored it, and its response was lost.
    if (answer.isRepeated && (await etagOf(client, key, signal)) === md5()) return;
    throw existsAlready(key);
  }
  if (answer.status !== 200) throw unexpected(doing, answer);
  requireStored(md5(), answer.headers.etag);
}

/** Sends the bytes while they arrive. They are gone once they are sent, so nothing is repeated. */
async function putFlowing(deps: PutDeps, put: BlobPut, exactBytes: number): Promise<BlobHashes> {
  const content = new ContentHash(put.wantsSha256);
  const stop = new AbortController();
  const signal = put.signal ? AbortSignal.any([put.signal, stop.signal]) : stop.signal;
  let sizeBytes = 0;
  async function* flow(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const { done, value } = await nextOrAbort(put.chunks, put.signal);
        if (done) break;
        sizeBytes += value.byteLength;
        if (sizeBytes > exactBytes) break;
        content.update(value);
        yield Buffer.from(value); // copied, because the source may use its chunk again while this one is written
      }
      if (sizeBytes !== exactBytes)
        throw new Error(`The source of a blob has not the ${exactBytes} bytes it announced.`);
    } catch (error) {
      // The error of the source is no error of the bucket.
      stop.abort(error);
      throw error;
    }
  }
  let hashes: BlobHashes | undefined;
  const md5 = () => (hashes ??= content.digest()).md5;
  await putOnce(deps, { ...put, signal }, { body: flow(), bodyBytes: exactBytes, isRepeatable: false, md5 });
  return hashes!;
}

async function putInParts(deps: PutDeps, put: BlobPut, content: ContentHash, first: PartBuffer): Promise<BlobHashes> {
  let part: PartBuffer = first;
  const upload = await MultipartUpload.begin(deps.client, put.key, put.signal).catch((error: unknown) => {
    first[Symbol.dispose]();
    throw error;
  });
  try {
    for (let isLast = false; ; { part, isLast } = await gather(deps, put, content, partBytes(upload.nextNumber))) {
      // A file that ends with a full part has an empty one behind it.
      if (part.sizeBytes > 0) await upload.add(part, put.signal);
      else part[Symbol.dispose]();
      if (isLast) break;
    }
    await upload.complete(put.signal);
    return content.digest();
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

/** Gathers the next bytes, up to `mostBytes` and what is left of a chunk. */
async function gather(
  { budget }: PutDeps,
  { chunks, signal }: BlobPut,
  content: ContentHash,
  mostBytes: number,
): Promise<{ readonly part: PartBuffer; readonly isLast: boolean }> {
  const part = new PartBuffer(budget);
  try {
    while (part.sizeBytes < mostBytes) {
      const { done, value } = await nextOrAbort(chunks, signal);
      if (done) return { part, isLast: true };
      content.update(value);
      await part.add(value, signal);
    }
    return { part, isLast: false };
  } catch (error) {
    part[Symbol.dispose]();
    throw error;
  }
}
