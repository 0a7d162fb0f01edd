import type { CompleteDeps } from './complete-upload.ts';
import { completionFailed } from '#server/features/files/upload/upload-failed.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import { findSerial, serialState, type SerialState } from './serial-state.ts';
import { finishUpload, isUnfinished, type FinishUpload } from './finish-upload.ts';
import type { UploadTurn } from './upload-turns.ts';

interface UploadProgress extends FinishUpload {
  /** Whether an upload that has all of its bytes becomes a file, because its protocol has no other request for that. */
  readonly finishes: boolean;
}

/**
 * Returns how far an upload is. No older request appends to it afterwards, so its client can go on at this offset.
 *
 * @param turn the caller ends it
 * @throws UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED, and what {@link finishUpload} throws
 */
export async function uploadProgress(
  deps: CompleteDeps,
  command: UploadProgress,
  turn: UploadTurn,
): Promise<SerialState> {
  const progress = await settledState(deps, command.upload, turn);
  if (!command.finishes || !isUnfinished(progress)) return progress;
  await finishUpload(deps, command, progress);
  return serialState(deps, command.upload);
}

/**
 * Returns how far an upload is, without making its file. No older request appends to it afterwards.
 *
 * @param _turn shows that the caller has it
 */
export async function settledState(
  deps: Pick<CompleteDeps, 'metadata' | 'clock'>,
  lookup: UploadLookup,
  _turn: UploadTurn,
): Promise<SerialState> {
  const { id, accountId, writer, state } = await findSerial(lookup, deps.clock);
  // A request to another server may still write.
  if (writer !== null && state === 'open') {
    try {
      await deps.metadata.atomically((tx) => tx.chunkedUploads.setWriter(id, null), { account: accountId });
    } catch (error) {
      throw completionFailed(error);
    }
  }
  return serialState(deps, lookup);
}
