import { startChunkedUpload, type StartChunkedUpload } from './start-chunked-upload.ts';
import { stateAfter, type SerialUpload } from './chunked-upload.ts';
import type { CompleteDeps } from './complete-upload.ts';
import type { NewChunkedUpload } from './table.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import { minUploadBytes } from '#server/domain/limits.ts';
import { maxChunkedUploadBytes, maxParts } from './limits.ts';
import type { FileTables } from '#server/features/files/table.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { serialState, type SerialState } from './serial-state.ts';

interface Deps extends Omit<CompleteDeps, 'metadata' | 'ids'> {
  readonly metadata: Metadata<FileTables | 'apiKeys' | 'chunkedUploads' | 'rules' | 'uploadTokens'>;
  readonly ids: Ids;
}

interface ConcatenateUploads extends Omit<StartChunkedUpload, 'sizeBytes' | 'serial'> {
  /** In the order of their bytes. */
  readonly partials: readonly UploadLookup[];
  /** The header of the start, as it was sent. */
  readonly madeOf: string;
  /** What its start said. */
  readonly serial: Pick<SerialUpload, 'metadata' | 'conditions'>;
}

/**
 * Opens an upload that has the bytes of finished partial uploads, which end with it. It copies nothing. The caller then
 * makes its file.
 *
 * @throws UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED, SIZE_MISMATCH, FILE_TOO_SMALL, FILE_TOO_LARGE, UPLOAD_BUSY, and what
 *   {@link startChunkedUpload} throws
 */
export async function concatenateUploads(
  deps: Deps,
  { partials, madeOf, serial: about, ...start }: ConcatenateUploads,
): Promise<NewChunkedUpload> {
  const states: SerialState[] = [];
  for (const partial of partials) states.push(requireFinished(await serialState(deps, partial), partial.handle));
  const sizeBytes = states.reduce((sum, { offsetBytes }) => sum + offsetBytes, 0);
  if (sizeBytes < minUploadBytes) throw new Refusal('FILE_TOO_SMALL', { detail: `Got ${sizeBytes}.` });
  const parts = states.reduce((sum, state) => sum + state.parts.length, 0);
  if (sizeBytes > maxChunkedUploadBytes || parts > maxParts)
    throw new Refusal('FILE_TOO_LARGE', {
      message:
        `The uploads have ${sizeBytes} bytes in ${parts} parts. A file has at most 10 GiB and ` + `${maxParts} parts.`,
    });
  const serial = {
    upload: { ...about, madeOf },
    countedBytes: sizeBytes,
    fill: (tx: Transaction<'accounts' | 'chunkedUploads'>, upload: NewChunkedUpload) => take(tx, states, upload),
  };
  return (await startChunkedUpload(deps, { ...start, sizeBytes, serial })).upload;
}

/** Checks that an upload is a partial one, and has all of its bytes. */
function requireFinished(state: SerialState, handle: string): SerialState {
  const { upload, offsetBytes, hasGap } = state;
  const named = `The upload ${handle} of Upload-Concat`;
  if (!upload.serial?.isPartial)
    throw new Refusal('UPLOAD_NOT_FOUND', { message: `${named} is no partial upload. Name only partial ones.` });
  if (upload.declaredBytes !== offsetBytes || hasGap)
    throw new Refusal('SIZE_MISMATCH', {
      message:
        `${named} has ${offsetBytes} of ${upload.declaredBytes ?? 'an unknown number of'} bytes. ` +
        'Send the others first.',
    });
  return state;
}

async function take(
  tx: Transaction<'accounts' | 'chunkedUploads'>,
  states: readonly SerialState[],
  { id }: NewChunkedUpload,
): Promise<void> {
  let shift = 0;
  for (const { upload, parts } of states) {
    const current = await tx.chunkedUploads.find(upload.id);
    stateAfter(current, 'part', tx.now);
    // A partial upload that is named twice, or that another request has changed.
    if (current!.revision !== upload.revision) throw new Refusal('UPLOAD_BUSY');
    await tx.chunkedUploads.takeParts(upload.id, id, shift);
    await tx.chunkedUploads.abort(upload.id, tx.now);
    shift += parts.length;
  }
}
