import { Readable } from 'node:stream';

import { isBlobId } from '#server/domain/blob-id.ts';
import {
  BlobMissing,
  BlobStoreFailed,
  requireRange,
  type BlobAddresses,
  type BlobHashes,
  type BlobUpkeep,
  type ByteRange,
  type PresentedBlob,
  type PutOptions,
  type RawBlobStore,
  type StoredBlob,
  type WriteOptions,
} from '#server/domain/ports/blobs.ts';
import { release } from '../abortable-source.ts';
import { putBlob } from './blob-put.ts';
import { BucketClient, type BucketAnswer } from './bucket-client.ts';
import { BufferBudget } from './buffer-budget.ts';
import { DoubtfulBlobs } from './doubtful-blobs.ts';
import { hasNothing, openUploads, storedBlobs } from './listing.ts';
import { abortUpload, unexpected } from './multipart-upload.ts';
import { addressOf, standardOptions, type BucketLocation, type BucketOptions } from './options.ts';

/** Memory for the uploads whose bytes are gathered, and how long one of them waits for it. */
const buffers = { bytes: 128 * 1024 * 1024, waitMs: 30_000 };

/** Blobs as objects of a bucket of any S3 service: `<prefix><id>`. Other names below the prefix stay untouched. */
export class BucketBlobStore implements RawBlobStore, BlobAddresses, BlobUpkeep {
  readonly hasOrphans = true;
  readonly #client: BucketClient;
  readonly #prefix: string;
  readonly #budget = new BufferBudget(buffers.bytes, buffers.waitMs);
  readonly #doubtful: DoubtfulBlobs;

  constructor(location: BucketLocation, { deleteAgainMs, ...options }: BucketOptions = standardOptions) {
    this.#client = new BucketClient(addressOf(location), options);
    this.#prefix = location.prefix;
    this.#doubtful = new DoubtfulBlobs((blobId) => this.delete(blobId), deleteAgainMs);
  }

  /** Whether the bucket does not work at the moment. Every request then fails at once. */
  get isDown(): boolean {
    return this.#client.isDown;
  }

  async put(
    blobId: string,
    source: AsyncIterable<Uint8Array>,
    { signal, announcedBytes, wantsSha256 = true, isExact = false }: PutOptions = {},
  ): Promise<BlobHashes> {
    const key = this.#key(blobId);
    signal?.throwIfAborted();
    const chunks = source[Symbol.asyncIterator]();
    const put = { key, chunks, signal, exactBytes: isExact ? announcedBytes : undefined, wantsSha256 };
    try {
      const hashes = await putBlob({ client: this.#client, budget: this.#budget }, put);
      this.#doubtful.keep(blobId);
      return hashes;
    } catch (error) {
      release(chunks);
      if (error instanceof BlobStoreFailed) await this.#doubtful.remove(blobId);
      else if (signal?.aborted) this.#doubtful.removeLater(blobId);
      throw error;
    }
  }

  /** Computes the MD5 of the bytes anyway, and compares it with the ETag of the bucket. */
  async write(blobId: string, source: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<void> {
    await this.put(blobId, source, { ...options, wantsSha256: false });
  }

  async open(blobId: string, range?: ByteRange): Promise<Readable> {
    requireRange(range);
    const doing = 'open a blob';
    const headers = range && { range: `bytes=${range.start}-${range.end}` };
    const answer = await this.#client.send({
      doing,
      method: 'GET',
      key: this.#key(blobId),
      ...(headers && { headers }),
      isRepeatable: true,
      streams: true,
    });
    const { status, reader } = answer;
    if (status === 416) return Readable.from([]);
    if (status === 404) throw new BlobMissing(blobId, new Error(answer.code));
    if (!reader) throw unexpected(doing, answer);
    if (isRequestedRange(answer, range)) return reader;
    reader.destroy();
    throw new BlobStoreFailed(`The bucket answered ${status} with other bytes than were requested.`, undefined);
  }

  async delete(blobId: string): Promise<void> {
    const doing = 'delete a blob';
    const answer = await this.#client.send({ doing, method: 'DELETE', key: this.#key(blobId), isRepeatable: true });
    if (![200, 204, 404].includes(answer.status)) throw unexpected(doing, answer);
  }

  ids(): AsyncIterable<StoredBlob> {
    return storedBlobs(this.#client, this.#prefix, isBlobId);
  }

  addressOf(blobId: string, { contentType, disposition, cacheControl }: PresentedBlob, lifetimeSeconds: number) {
    if (this.isDown) return undefined;
    const query = {
      'response-content-type': contentType,
      ...(disposition !== undefined && { 'response-content-disposition': disposition }),
      'response-cache-control': cacheControl,
    };
    return this.#client.presign(this.#key(blobId), query, lifetimeSeconds);
  }

  /**
   * Returns whether nothing is below the prefix.
   *
   * @throws {BlobStoreFailed} also when the bucket refuses the key pair
   */
  isEmpty(): Promise<boolean> {
    return hasNothing(this.#client, this.#prefix);
  }

  /** Aborts the multipart uploads that were begun longer ago than this. Resolves with their number. */
  async abortUploads(olderThanMs: number): Promise<number> {
    let aborted = 0;
    for await (const { key, uploadId, ageMs } of openUploads(this.#client, this.#prefix)) {
      if (!(ageMs > olderThanMs) || !isBlobId(key.slice(this.#prefix.length))) continue;
      await abortUpload(this.#client, key, uploadId);
      aborted++;
    }
    return aborted;
  }

  /** Cuts off everything under way. */
  async close(): Promise<void> {
    this.#doubtful.close();
    await this.#client.close();
  }

  #key(blobId: string): string {
    if (!isBlobId(blobId)) throw new TypeError(`${JSON.stringify(blobId)} is not a blob id.`);
    return this.#prefix + blobId;
  }
}

/** Returns whether a response has the bytes of the range. A service may ignore a range that is the whole blob. */
function isRequestedRange({ status, headers }: BucketAnswer, range: ByteRange | undefined): boolean {
  if (range === undefined) return status === 200;
  if (status === 206) return headers['content-range']?.startsWith(`bytes ${range.start}-`) ?? false;
  return range.start === 0 && Number(headers['content-length']) <= range.end + 1;
}
