import type { Caller } from '../access/caller.ts';
import type { ObjectAddress } from '../object-id.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { bytesOf, firstGap } from './check-parts.ts';
import { stateAfter, type StoredPart } from './chunked-upload.ts';
import { findChunkedUpload } from './find-chunked-upload.ts';
import { allParts } from './stored-parts.ts';

interface Deps {
  readonly metadata: Reads<'chunkedUploads'>;
  readonly secrets: Pick<Secrets, 'verify'>;
  readonly clock: Clock;
}

/** What a client needs to go on with an upload. */
export interface ChunkedStatus {
  /** Where the file will be. */
  readonly address: ObjectAddress;
  /** By number. */
  readonly parts: readonly StoredPart[];
  /** The lowest number that is not stored. */
  readonly nextPart: number;
  readonly sizeBytes: number;
}

/**
 * What an open upload has so far.
 *
 * @throws INVALID_UPLOAD_TOKEN, UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED
 */
export async function chunkedStatus(deps: Deps, caller: Caller, handle: string): Promise<ChunkedStatus> {
  const upload = await findChunkedUpload(deps, caller, handle);
  stateAfter(upload, 'status', deps.clock.now());
  const parts = await allParts(deps.metadata.read.chunkedUploads, upload.id);
  // Closed while they were read, it has lost some of them.
  stateAfter(await deps.metadata.read.chunkedUploads.find(upload.id), 'status', deps.clock.now());
  return { address: upload.plan.address, parts, nextPart: firstGap(parts), sizeBytes: bytesOf(parts) };
}
