import { systemActor } from '#server/domain/activity/activity.ts';
import { chunkedUploadIdleMs } from '#server/domain/limits.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { sweep } from '#server/domain/sweep.ts';
import { closeAborted } from './abort-chunked-upload.ts';
import { stateAt } from './chunked-upload.ts';

/** Uploads read at a time. Each is closed in its own transaction, because it may have thousands of parts. */
const batchSize = 100;

/**
 * Aborts the uploads that have been idle for 24 hours at `now`. Clients cannot see an upload once it has been idle that
 * long, even before this runs. Returns how many were aborted. Two runs may overlap.
 */
export function abortIdleUploads(
  { metadata }: { readonly metadata: Metadata<'accounts' | 'activity' | 'chunkedUploads' | 'events'> },
  now: number,
): Promise<number> {
  return sweep(
    batchSize,
    (limit) => metadata.read.chunkedUploads.idle(now - chunkedUploadIdleMs, limit),
    async (idle) => {
      let aborted = 0;
      for (const id of idle) {
        aborted += await metadata.atomically(async (tx) => {
          // It may have been closed since it was read.
          const upload = await tx.chunkedUploads.find(id);
          if (upload?.state !== 'open' || stateAt(upload, now) !== 'aborted') return 0;
          await closeAborted(tx, upload, systemActor);
          return 1;
        });
      }
      return aborted;
    },
  );
}
