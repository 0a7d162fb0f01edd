import { buffer } from 'node:stream/consumers';

import { allEnded } from '#server/domain/all-ended.ts';
import type { Documents } from '#server/domain/backup/target.ts';
import { BucketBlobStore } from '#server/stores/bucket/bucket-blobs.ts';
import { BucketClient } from '#server/stores/bucket/bucket-client.ts';
import { storedBlobs } from '#server/stores/bucket/listing.ts';
import { unexpected } from '#server/stores/bucket/multipart-upload.ts';
import { addressOf, standardOptions, type BucketLocation } from '#server/stores/bucket/options.ts';
import type { OpenTarget } from './folder-target.ts';
import { dayMs } from '#server/domain/day.ts';

/** An upload that was begun earlier belongs to a backup that was cut off. */
const leftoverMs = dayMs;

/** Opens a prefix of a bucket as a target. */
export function bucketTarget(location: BucketLocation): OpenTarget {
  const { bucket, prefix, endpoint } = location;
  const client = new BucketClient(addressOf(location), standardOptions);
  const blobs = new BucketBlobStore({ ...location, prefix: `${prefix}blobs/` });
  const chunks = new BucketBlobStore({ ...location, prefix: `${prefix}database/` });
  return {
    address: `s3://${bucket}/${prefix} at ${endpoint}`,
    documents: new BucketDocuments(client, prefix),
    blobs,
    chunks,
    async sweep() {
      await blobs.abortUploads(leftoverMs);
      await chunks.abortUploads(leftoverMs);
    },
    async close() {
      await using closing = new AsyncDisposableStack();
      closing.defer(() => client.close());
      await allEnded([blobs.close(), chunks.close()]);
    },
  };
}

/** A PUT of an object is atomic and durable. */
class BucketDocuments implements Documents {
  readonly #client: BucketClient;
  readonly #prefix: string;

  constructor(client: BucketClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    const doing = 'read a document';
    const key = this.#prefix + name;
    const answer = await this.#client.send({ doing, method: 'GET', key, isRepeatable: true, streams: true });
    if (answer.status === 404) return undefined;
    if (answer.status !== 200 || !answer.reader) throw unexpected(doing, answer);
    return buffer(answer.reader);
  }

  async write(name: string, body: Uint8Array): Promise<void> {
    const doing = 'write a document';
    const answer = await this.#client.send({
      doing,
      method: 'PUT',
      key: this.#prefix + name,
      body,
      isRepeatable: true,
    });
    if (answer.status !== 200) throw unexpected(doing, answer);
  }

  async names(folder: string): Promise<string[]> {
    const found = storedBlobs(this.#client, `${this.#prefix}${folder}/`, (name) => name !== '');
    return Array.fromAsync(found, ({ blobId: name }) => name);
  }

  async delete(name: string): Promise<void> {
    const doing = 'delete a document';
    const key = this.#prefix + name;
    const answer = await this.#client.send({ doing, method: 'DELETE', key, isRepeatable: true });
    if (![200, 204, 404].includes(answer.status)) throw unexpected(doing, answer);
  }
}
