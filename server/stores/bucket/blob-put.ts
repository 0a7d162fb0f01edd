import { createHash } from 'node:crypto';

import type { BlobHashes } from '#server/domain/ports/blobs.ts';
import { nextOrAbort } from '../abortable-source.ts';
import { briefly } from './briefly.ts';
import type { BucketAnswer, BucketCall, BucketClient } from './bucket-client.ts';
import type { BufferBudget } from './buffer-budget.ts';
import { ContentHash } from './content-hash.ts';
import { etagOf, existsAlready, requireStored } from './etags.ts';
import { FlowingBytes } from './flowing-bytes.ts';
import { MultipartUpload, partBytes, unexpected } from './multipart-upload.ts';
import { PartBuffer } from './part-buffer.ts';

const mebibyte = 1024 * 1024;

/**
 * A blob of a known size above the first value goes to the bucket while it arrives: in one request up to the second, in
 * parts of at least that size above it. Nothing of it is kept in memory, and nothing can be repeated. Fewer bytes, and
 * those of unknown size, are gathered first.
 */
const flowing = { aboveBytes: mebibyte, atOnceBytes: 128 * mebibyte };

/** The most parts of an object. */
const mostParts = 10_000;

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

/**
 * Stores a blob, and checks that the bucket has stored its bytes.
 *
 * @throws the errors of the source, the signal's reason, and an `Error` if the id is stored already
 * @throws {BlobStoreFailed} when the outcome may be unknown
 */
export async function putBlob(deps: PutDeps, put: BlobPut): Promise<BlobHashes> {
  const { exactBytes } = put;
  if (exactBytes !== undefined && exactBytes > flowing.aboveBytes)
    return exactBytes <= flowing.atOnceBytes ? putFlowing(deps, put, exactBytes) : putStretches(deps, put, exactBytes);
  const content = new ContentHash(put.wantsSha256);
  const first = await gather(deps, put, content, partBytes(1));
  if (!first.isLast) return putGathered(deps, put, content, first.part);
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

/** The fields of a PUT that depend on where its bytes come from. */
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

/** Sends the bytes while they arrive, in one request. */
async function putFlowing(deps: PutDeps, put: BlobPut, exactBytes: number): Promise<BlobHashes> {
  const content = new ContentHash(put.wantsSha256);
  const source = new FlowingBytes(put.chunks, content, put.signal);
  let hashes: BlobHashes | undefined;
  const md5 = () => (hashes ??= content.digest()).md5;
  const body = source.stretch(exactBytes, true);
  const { signal } = source;
  await putOnce(deps, { ...put, signal }, { body, bodyBytes: exactBytes, isRepeatable: false, md5 });
  return hashes!;
}

/** Sends the bytes while they arrive, in parts. */
async function putStretches(deps: PutDeps, put: BlobPut, exactBytes: number): Promise<BlobHashes> {
  const content = new ContentHash(put.wantsSha256);
  const source = new FlowingBytes(put.chunks, content, put.signal);
  const { signal } = source;
  const mostBytes = Math.max(flowing.atOnceBytes, Math.ceil(exactBytes / mostParts));
  return inParts(deps, put, async (upload) => {
    for (let sent = 0; sent < exactBytes;) {
      const bodyBytes = Math.min(mostBytes, exactBytes - sent);
      sent += bodyBytes;
      const md5 = createHash('md5');
      const body = source.stretch(bodyBytes, sent === exactBytes, md5);
      await upload.addOnce({ body, bodyBytes, md5: () => md5.digest('hex'), signal });
    }
    await upload.complete(put.signal);
    return content.digest();
  });
}

/** Sends the bytes in parts that are gathered first. */
function putGathered(deps: PutDeps, put: BlobPut, content: ContentHash, first: PartBuffer): Promise<BlobHashes> {
  let part: PartBuffer | undefined = first;
  const send = async (upload: MultipartUpload): Promise<BlobHashes> => {
    for (let isLast = false; ; { part, isLast } = await gather(deps, put, content, partBytes(upload.nextNumber))) {
      const next: PartBuffer = part!;
      part = undefined; // from here on, the upload gives its memory back
      await upload.add(next, put.signal);
      if (isLast) break;
    }
    await upload.complete(put.signal);
    return content.digest();
  };
  return inParts(deps, put, send).finally(() => part?.[Symbol.dispose]());
}

/** Begins an upload, and aborts it if `work` fails. */
async function inParts<T>(
  { client }: PutDeps,
  { key, signal }: BlobPut,
  work: (upload: MultipartUpload) => Promise<T>,
): Promise<T> {
  const upload = await MultipartUpload.begin(client, key, signal);
  try {
    return await work(upload);
  } catch (error) {
    await briefly(upload.abort());
    throw error;
  }
}

/** Gathers the next bytes: up to `mostBytes`, and the rest of the last chunk. */
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
