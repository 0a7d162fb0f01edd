import type { Caller } from '#server/domain/access/caller.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { completeChunkedUpload } from './complete-chunked-upload.ts';
import type { CompletedChunkedUpload, CompleteDeps } from './complete-upload.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import { minUploadBytes } from '#server/domain/limits.ts';
import { maxParts } from './limits.ts';
import { completionFailed } from '#server/features/files/upload/upload-failed.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { SerialState } from './serial-state.ts';

export interface FinishUpload {
  readonly caller: Caller;
  readonly upload: UploadLookup;
  readonly actor: Actor;
}

/**
 * Makes a file of an upload whose bytes have all come. Its parts may have any size, because the client did not choose
 * them.
 *
 * @throws FILE_TOO_SMALL, SIZE_MISMATCH, OBJECT_ALREADY_EXISTS, STORAGE_QUOTA_EXCEEDED, UPLOAD_FAILED, and what
 *   {@link completeChunkedUpload} throws for an upload that was closed meanwhile
 */
export async function finishUpload(
  deps: CompleteDeps,
  command: FinishUpload,
  { upload, parts, offsetBytes }: SerialState,
): Promise<CompletedChunkedUpload> {
  if (!upload.outcome) {
    if (offsetBytes < minUploadBytes) throw new Refusal('FILE_TOO_SMALL', { detail: `Got ${offsetBytes}.` });
    if (parts.some(({ isCut }) => !isCut)) await markCut(deps, upload);
  }
  return completeChunkedUpload(deps, { ...command, checksumSha256: undefined, isHashAnswered: false });
}

async function markCut(
  { metadata }: Pick<CompleteDeps, 'metadata'>,
  { id, accountId }: SerialState['upload'],
): Promise<void> {
  try {
    await metadata.atomically((tx) => tx.chunkedUploads.markCut(id, maxParts), { account: accountId });
  } catch (error) {
    throw completionFailed(error);
  }
}

/** Whether all bytes have come and only the file is missing. A partial upload never becomes a file of its own. */
export function isUnfinished({ upload, offsetBytes, hasGap }: SerialState): boolean {
  return !upload.outcome && !upload.serial?.isPartial && !hasGap && upload.declaredBytes === offsetBytes;
}
