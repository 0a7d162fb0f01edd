import { createHash } from 'node:crypto';

import { BlobDamaged, BlobMissing, type BlobStore } from '../ports/blobs.ts';
import type { IndexEntry, NeededBlob } from './blob-index.ts';

/** What became of a blob. One that is damaged or missing in the source is not in the target. */
type Copied = Pick<IndexEntry, 'sha256' | 'sizeBytes'> | 'damaged' | 'missing';

/** Copies a blob, and compares it with what is known of it. */
export async function copyVerified(
  source: Pick<BlobStore, 'open'>,
  target: Pick<BlobStore, 'put' | 'delete'>,
  { blobId, sizeBytes, sha256, md5 }: NeededBlob,
  signal: AbortSignal,
): Promise<Copied> {
  let copiedBytes = 0;
  async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      copiedBytes += chunk.byteLength;
      yield chunk;
    }
  }
  try {
    const stored = await target.put(blobId, counted(await source.open(blobId)), {
      signal,
      announcedBytes: sizeBytes ?? undefined,
    });
    const isWhole =
      (sizeBytes === null || copiedBytes === sizeBytes) &&
      (sha256 === null || sha256 === stored.sha256) &&
      (md5 === null || md5 === stored.md5);
    if (isWhole) return { sha256: stored.sha256!, sizeBytes: copiedBytes };
    await target.delete(blobId);
    return 'damaged';
  } catch (error) {
    if (error instanceof BlobMissing) return 'missing';
    if (error instanceof BlobDamaged) return 'damaged';
    throw error;
  }
}

/** Returns the hash of a stored blob in hex; undefined if there is none, or its bytes cannot be decrypted. */
export async function hashOf(
  blobs: Pick<BlobStore, 'open'>,
  blobId: string,
  algorithm: 'sha256' | 'md5' = 'sha256',
): Promise<string | undefined> {
  const hash = createHash(algorithm);
  try {
    for await (const chunk of await blobs.open(blobId)) hash.update(chunk);
    return hash.digest('hex');
  } catch (error) {
    if (error instanceof BlobMissing || error instanceof BlobDamaged) return undefined;
    throw error;
  }
}
