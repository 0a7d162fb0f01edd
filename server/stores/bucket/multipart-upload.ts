import { hash } from 'node:crypto';

import { BlobStoreFailed } from '#server/domain/ports/blobs.ts';
import type { BucketAnswer, BucketCall, BucketClient } from './bucket-client.ts';
import { existsAlready, etagOf, requireStored } from './etags.ts';
import type { PartBuffer } from './part-buffer.ts';
import { textOf } from './xml-text.ts';

const mebibyte = 1024 * 1024;

/** This many parts in a row have the same size. Then it doubles. */
const partsOfOneSize = 2_500;
const [leastPartBytes, mostPartBytes] = [8 * mebibyte, 64 * mebibyte];

/**
 * Returns the size of a part. Only the last part may be smaller. The sizes of 10,000 parts, the most that S3 allows,
 * sum up to 293 GiB. All but the last must have 5 MiB.
 *
 * @param number counts from 1
 */
export function partBytes(number: number): number {
  return Math.min(mostPartBytes, leastPartBytes * 2 ** Math.floor((number - 1) / partsOfOneSize));
}

/** A part that is sent while it arrives. */
interface OncePart extends Pick<BucketCall, 'body' | 'bodyBytes' | 'signal'> {
  /** Called when all bytes were sent. */
  md5(): string;
}

/** One blob that is stored in parts. While a part is sent, the next one is gathered. */
export class MultipartUpload {
  readonly #client: BucketClient;
  readonly #key: string;
  readonly #uploadId: string;
  readonly #stop = new AbortController();
  readonly #parts: Array<{ md5: string }> = [];
  #sending: Promise<void> = Promise.resolve();

  private constructor(client: BucketClient, key: string, uploadId: string) {
    this.#client = client;
    this.#key = key;
    this.#uploadId = uploadId;
  }

  /** Not repeated after a lost answer: a second upload would stay open until the sweep. */
  static async begin(client: BucketClient, key: string, signal?: AbortSignal): Promise<MultipartUpload> {
    const doing = 'begin an upload in parts';
    const answer = await client.send({
      doing,
      method: 'POST',
      key,
      query: { uploads: '' },
      isRepeatable: 'if refused',
      signal,
    });
    const uploadId = textOf(answer.text, 'UploadId');
    if (answer.status === 200 && uploadId) return new MultipartUpload(client, key, uploadId);
    throw unexpected(doing, answer);
  }

  /** The number of the next part. */
  get nextNumber(): number {
    return this.#parts.length + 1;
  }

  /**
   * Sends a part, once the part before it is sent. Disposes of its memory. An empty part is not sent: it follows when a
   * file ends with a full one.
   *
   * @throws the failure of the part before it
   */
  async add(part: PartBuffer, signal?: AbortSignal): Promise<void> {
    try {
      await this.#sending;
    } catch (error) {
      part[Symbol.dispose]();
      throw error;
    }
    if (part.sizeBytes === 0) return part[Symbol.dispose]();
    const md5 = part.md5();
    const headers = { 'content-md5': Buffer.from(md5, 'hex').toString('base64') };
    const fields = { body: part.body, bodyBytes: part.sizeBytes, headers, isRepeatable: true, signal };
    this.#sending = this.#send(fields, () => md5).finally(() => part[Symbol.dispose]());
    // The next call throws the error.
    this.#sending.catch(() => {});
  }

  /** Sends a part whose bytes are gone once they are sent. */
  addOnce({ md5, ...fields }: OncePart): Promise<void> {
    return this.#send({ ...fields, isRepeatable: false }, md5);
  }

  /** @throws {Error} when the id is stored already */
  async complete(signal?: AbortSignal): Promise<void> {
    await this.#sending;
    const [client, key] = [this.#client, this.#key];
    const doing = 'complete an upload';
    if (await etagOf(client, key, signal)) throw existsAlready(key);
    const etag = etagOfParts(this.#parts);
    const send = (headers: Record<string, string>): Promise<BucketAnswer> =>
      client.send({
        doing,
        method: 'POST',
        key,
        query: { uploadId: this.#uploadId },
        headers,
        body: Buffer.from(completion(this.#parts)),
        isRepeatable: true,
        signal,
      });
    let answer = await send({ 'if-none-match': '*' });
    if (answer.status === 501) answer = await send({});
    // An earlier try may have completed it, and its response was lost.
    if ((answer.status === 404 || answer.status === 412) && answer.isRepeated) {
      if ((await etagOf(client, key, signal)) === etag) return;
    }
    if (answer.status === 412) throw existsAlready(key);
    // S3 sends the 200 before it has done the work, so the body may be an error.
    if (answer.status !== 200 || answer.code !== '') throw unexpected(doing, answer);
    // Ceph 16 leaves it empty.
    requireStored(etag, textOf(answer.text, 'ETag') || (await etagOf(client, key, signal)));
  }

  /** Drops the parts. What the bucket does not drop now is swept later. */
  async abort(): Promise<void> {
    this.#stop.abort(new Error('The upload was aborted.'));
    await this.#sending.catch(() => {});
    await abortUpload(this.#client, this.#key, this.#uploadId).catch(() => {});
  }

  async #send(
    { signal, ...fields }: Pick<BucketCall, 'body' | 'bodyBytes' | 'headers' | 'isRepeatable' | 'signal'>,
    md5: () => string,
  ): Promise<void> {
    const number = this.nextNumber;
    const part = { md5: '' };
    this.#parts.push(part);
    const answer = await this.#client.send({
      ...fields,
      doing: 'store a part',
      method: 'PUT',
      key: this.#key,
      query: { partNumber: String(number), uploadId: this.#uploadId },
      signal: signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal,
    });
    if (answer.status !== 200) throw unexpected('store a part', answer);
    part.md5 = md5();
    requireStored(part.md5, answer.headers.etag);
  }
}

/** Aborts a multipart upload. Does nothing if there is none. */
export async function abortUpload(client: BucketClient, key: string, uploadId: string): Promise<void> {
  await client.send({ doing: 'abort an upload', method: 'DELETE', key, query: { uploadId }, isRepeatable: true });
}

/** Returns the ETag of an object of parts: the MD5 of their MD5s, and their number. */
function etagOfParts(parts: ReadonlyArray<{ readonly md5: string }>): string {
  const all = Buffer.concat(parts.map(({ md5 }) => Buffer.from(md5, 'hex')));
  return `${hash('md5', all, 'hex')}-${parts.length}`;
}

function completion(parts: ReadonlyArray<{ readonly md5: string }>): string {
  const listed = parts.map(
    ({ md5 }, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>&quot;${md5}&quot;</ETag></Part>`,
  );
  return (
    '<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
    `${listed.join('')}</CompleteMultipartUpload>`
  );
}

/** Returns the fault of a response that no caller expects. */
export function unexpected(doing: string, { status, code }: BucketAnswer): BlobStoreFailed {
  return new BlobStoreFailed(`The bucket could not ${doing}: it answered ${status} ${code}`.trim(), undefined);
}
