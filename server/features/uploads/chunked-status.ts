import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { stateAfter, type StoredPart } from './chunked-upload.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import { allParts, bytesOf, firstGap } from './parts.ts';

interface Deps {
  readonly metadata: Reads<'chunkedUploads'>;
  readonly clock: Clock;
}

/** The progress of an upload. A client needs it to resume the upload. */
interface ChunkedStatus {
  /** The address that the file will have. */
  readonly address: ObjectAddress;
  /** Ordered by number. */
  readonly parts: readonly StoredPart[];
  /** The lowest number that is not stored. */
  readonly nextPart: number;
  readonly sizeBytes: number;
}

/**
 * Returns the progress of an open upload.
 *
 * @throws INVALID_UPLOAD_TOKEN, UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED
 */
export async function chunkedStatus({ metadata, clock }: Deps, lookup: UploadLookup): Promise<ChunkedStatus> {
  const upload = await lookup.find();
  stateAfter(upload, 'status', clock.now());
  const parts = await allParts(metadata.read.chunkedUploads, upload.id);
  // Some parts are missing if the upload was closed while they were read.
  stateAfter(await metadata.read.chunkedUploads.find(upload.id), 'status', clock.now());
  return { address: upload.resolved.address, parts, nextPart: firstGap(parts), sizeBytes: bytesOf(parts) };
}
