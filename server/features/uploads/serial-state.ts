import { stateAfter, type ChunkedUpload, type StoredPart, type UploadEvent } from './chunked-upload.ts';
import { allParts, bytesOf, firstGap } from './parts.ts';
import { startedElsewhere } from './put-part.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';

interface Deps {
  readonly metadata: Reads<'chunkedUploads'>;
  readonly clock: Clock;
}

/** An upload as a protocol of serial bytes sees it. */
export interface SerialState {
  readonly upload: ChunkedUpload;
  /** The parts up to the first gap, ordered by number. Empty once the upload is complete. */
  readonly parts: readonly StoredPart[];
  /** The bytes of these parts: where the next byte goes. The size of the file once the upload is complete. */
  readonly offsetBytes: number;
  /** Whether there are parts behind a gap. */
  readonly hasGap: boolean;
}

/**
 * Finds the upload that a serial protocol names, completed ones too. An address that is not one of the account's
 * uploads looks like one that is gone.
 *
 * @throws UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED
 */
export async function findSerial(
  lookup: UploadLookup,
  clock: Clock,
  event: UploadEvent = 'status',
): Promise<ChunkedUpload> {
  try {
    const upload = await lookup.findAgain();
    if (upload.listed) throw startedElsewhere();
    // A completed upload is remembered as long as its completion may be repeated.
    stateAfter(upload, upload.state === 'completed' ? 'complete' : event, clock.now());
    return upload;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'INVALID_UPLOAD_TOKEN') throw new Refusal('UPLOAD_NOT_FOUND');
    throw error;
  }
}

/**
 * Reads how far an upload is.
 *
 * @throws UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED
 */
export async function serialState(
  { metadata, clock }: Deps,
  lookup: UploadLookup,
  event?: UploadEvent,
): Promise<SerialState> {
  for (;;) {
    const upload = await findSerial(lookup, clock, event);
    if (upload.outcome) return { upload, parts: [], offsetBytes: upload.outcome.sizeBytes, hasGap: false };
    const state = stateOf(upload, await allParts(metadata.read.chunkedUploads, upload.id));
    // Parts that changed while they were read may belong to two states.
    if ((await lookup.findAgain()).revision === upload.revision) return state;
  }
}

function stateOf(upload: ChunkedUpload, all: readonly StoredPart[]): SerialState {
  const parts = all.slice(0, firstGap(all) - 1);
  return { upload, parts, offsetBytes: bytesOf(parts), hasGap: parts.length < all.length };
}
