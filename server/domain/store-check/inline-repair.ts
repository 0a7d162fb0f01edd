import { hash } from 'node:crypto';

import { inlineBytes } from '../contents/read-content.ts';
import { BlobDamaged } from '../ports/blobs.ts';
import type { Writes } from '../ports/metadata.ts';
import type { BlobSources } from './blob-repair.ts';

interface Deps {
  readonly metadata: Writes<'contents'>;
  readonly sources: Pick<BlobSources, 'backup' | 'blobs'>;
}

/** A blob whose bytes are in its row. */
interface InlineBlob {
  readonly contentId: string;
  readonly blobId: string;
  readonly sizeBytes: number;
  /** In hex; null if nobody has the hash of this blob alone. */
  readonly sha256: string | null;
}

/**
 * Brings the bytes of a small blob back from the database of a backup. Older ones are tried too, because the damage may
 * be in the newest.
 *
 * @param current the bytes in the row, encrypted if those of the blob are
 * @returns what was done; null if no backup has other bytes that fit
 */
export async function repairInline(
  { metadata, sources: { backup, blobs } }: Deps,
  { contentId, blobId, sizeBytes, sha256 }: InlineBlob,
  current: Uint8Array,
): Promise<string | null> {
  const fits = async (kept: Uint8Array) => {
    const bytes = await inlineBytes(blobs, blobId, kept).catch((error: unknown) => {
      if (error instanceof BlobDamaged) return undefined;
      throw error;
    });
    if (bytes?.byteLength !== sizeBytes) return false;
    return sha256 === null || hash('sha256', bytes, 'hex') === sha256;
  };
  if (!backup || (sha256 !== null && (await fits(current)))) return null;
  for await (const kept of backup.inlineBytes(contentId, blobId)) {
    if (Buffer.compare(kept, current) === 0 || !(await fits(kept))) continue;
    await metadata.atomically((tx) => tx.contents.replaceInline(contentId, blobId, kept));
    return 'restored from the database of the backup';
  }
  return null;
}
