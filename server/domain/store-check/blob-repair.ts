import type { BlobIndex } from '../backup/blob-index.ts';
import { copyVerified, hashOf } from '../backup/copy-verified.ts';
import type { BackupTarget } from '../backup/target.ts';
import type { NamedBlob } from '../contents/table.ts';
import type { BlobQuarantine, BlobStore } from '../ports/blobs.ts';

/** Where the bytes of damaged and lost blobs can come from. */
export interface BlobSources {
  readonly blobs: BlobStore;
  readonly quarantine: BlobQuarantine;
  /** Undefined if no backup was named. */
  readonly backup: BackupSource | undefined;
}

/** A backup to take bytes from. */
export interface BackupSource {
  readonly target: BackupTarget;
  readonly index: BlobIndex;
  /** Yields what databases in the backup have as the bytes of a small blob, the newest first. */
  inlineBytes(contentId: string, blobId: string): AsyncIterable<Uint8Array>;
}

/**
 * Brings a blob back: from the quarantine, or from a backup. Bytes that are there and are not those of the backup go
 * into the quarantine.
 *
 * @returns what was done; null if nobody has the bytes
 */
export async function repairBlob(
  { blobs, quarantine, backup }: BlobSources,
  blob: NamedBlob,
  signal: AbortSignal,
): Promise<string | null> {
  const { blobId, sizeBytes } = blob;
  const entry = backup?.index.find(blobId);
  const sha256 = blob.sha256 ?? entry?.sha256 ?? null;
  const current = await hashOf(blobs, blobId);
  if (current !== undefined && current === sha256) return null;
  if (current === undefined && sha256 !== null && (await quarantine.takeBack(blobId))) {
    if ((await hashOf(blobs, blobId)) === sha256) return 'taken back from the quarantine';
  }
  if (!backup || !entry || entry.sizeBytes !== sizeBytes) return null;
  await quarantine.put(blobId);
  const copied = await copyVerified(backup.target.blobs, blobs, { ...blob, sha256: entry.sha256 }, signal);
  return typeof copied === 'object' ? 'restored from the backup' : null;
}
