import { createHash } from 'node:crypto';

import type { Writes } from '../ports/metadata.ts';
import type { BlobSources } from './blob-repair.ts';

interface Deps {
  readonly metadata: Writes<'contents'>;
  readonly sources: Pick<BlobSources, 'backup'>;
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
 * @param current the bytes in the row
 * @returns what was done; null if no backup has other bytes that fit
 */
export async function repairInline(
  { metadata, sources: { backup } }: Deps,
  { contentId, blobId, sizeBytes, sha256 }: InlineBlob,
  current: Uint8Array,
): Promise<string | null> {
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  if (!backup || (sha256 !== null && hashOf(current) === sha256)) return null;
  for await (const bytes of backup.inlineBytes(contentId, blobId)) {
    const fits = bytes.byteLength === sizeBytes && (sha256 === null || hashOf(bytes) === sha256);
    if (!fits || Buffer.compare(bytes, current) === 0) continue;
    await metadata.atomically((tx) => tx.contents.replaceInline(contentId, blobId, bytes));
    return 'restored from the database of the backup';
  }
  return null;
}
