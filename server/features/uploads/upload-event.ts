import type { FileDetails } from '#server/domain/events/event-details.ts';
import { formatObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';

/** What an event says about a chunked upload. */
interface UploadDetails extends Pick<FileDetails, 'auth' | 'uploadTokenId' | 'callbackMetadata'> {
  /** The file, which may be gone. */
  readonly object: { readonly id: string };
  /** Null if the client has not said it. */
  readonly sizeBytes: number | null;
  readonly parts?: number;
}

declare module '#server/domain/events/event-details.ts' {
  interface DetailsBySubject {
    readonly upload: UploadDetails;
  }
}

/** Adds an event about a chunked upload. */
export async function recordUploadEvent(
  tx: Transaction<'events'>,
  type: 'upload.started' | 'upload.completed' | 'upload.aborted',
  { accountId, space, key }: ObjectAddress,
  details: Omit<UploadDetails, 'object'>,
): Promise<void> {
  const data = { object: { id: formatObjectId({ accountId, space, key }) }, ...details };
  await tx.events.add({ accountId, type, key, data }, tx.now);
}
