import type { Account } from '#server/domain/account/account.ts';
import type { StoredPart } from './chunked-upload.ts';
import type { PartNumber } from './part-number.ts';
import { blobOf, bytesOf } from './parts.ts';
import type { RunningHashCache } from './running-hash.ts';
import { readContent } from '#server/domain/contents/read-content.ts';
import type { GivingWay } from '#server/features/files/give-way.ts';
import { storeContent } from '#server/features/files/upload/store-content.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { partsToMerge } from './small-parts.ts';
import { requireWriter, type Writing } from './writing.ts';

interface Deps {
  readonly metadata: Metadata<GivingWay | 'chunkedUploads' | 'reservations'>;
  readonly blobs: Pick<BlobStore, 'open' | 'openInline' | 'put' | 'sealInline'>;
  readonly ids: Ids;
  readonly hashes: RunningHashCache;
}

/**
 * Merges small parts at the end of an upload, as {@link partsToMerge} chooses them. Updates `writing`. The bytes are
 * durable at their new place before the old one is gone.
 *
 * @throws UPLOAD_BUSY if another request has taken over
 */
export async function mergeSmallParts(deps: Deps, account: Account, writing: Writing): Promise<void> {
  try {
    for (let parts = partsToMerge(writing.parts); parts; parts = partsToMerge(writing.parts))
      await merge(deps, account, writing, parts);
  } catch (error) {
    // Both versions do not fit into the quota for a moment. The parts stay as they are.
    if (error instanceof Refusal && error.code === 'STORAGE_QUOTA_EXCEEDED') return;
    throw error;
  }
}

async function merge(deps: Deps, account: Account, writing: Writing, parts: readonly StoredPart[]): Promise<void> {
  const { uploadId } = writing;
  const first = parts[0]!.part;
  const last = parts.at(-1)!.part;
  const sizeBytes = bytesOf(parts);
  const incoming = {
    account,
    source: bytesIn(deps, uploadId, parts),
    announcedBytes: sizeBytes,
    maxBytes: sizeBytes,
    replacedBytes: sizeBytes,
    wantsSha256: false,
    signal: new AbortController().signal,
  };
  const merged = await storeContent(deps, incoming, {
    async write(tx, { blob, md5 }) {
      requireWriter(await tx.chunkedUploads.find(uploadId), writing);
      const part = { part: first as PartNumber, blob, md5, isCut: true as const };
      return { ...part, sequence: await tx.chunkedUploads.replaceParts(uploadId, { first, last }, part, tx.now) };
    },
  });
  deps.hashes.merge(uploadId, first, last, merged.sequence);
  writing.replace(first, merged);
}

async function* bytesIn(
  { metadata, blobs }: Pick<Deps, 'metadata' | 'blobs'>,
  uploadId: string,
  parts: readonly StoredPart[],
): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const blob = await blobOf(metadata.read.chunkedUploads, uploadId, part);
    yield* await readContent({ blobs }, { id: blob.blobId, sizeBytes: blob.sizeBytes, blobs: [blob] });
  }
}
