import { systemActor } from '#server/domain/activity/activity.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { closeAborted } from './abort-chunked-upload.ts';
import { clearClosedUploads } from './clear-closed-uploads.ts';

/** Aborts all uploads of an account, and removes their parts. */
export async function removeUploads(
  { metadata }: { readonly metadata: Metadata<'accounts' | 'activity' | 'chunkedUploads' | 'events'> },
  accountId: string,
): Promise<void> {
  for (const { id } of await metadata.read.chunkedUploads.openOf(accountId, Number.MIN_SAFE_INTEGER))
    await metadata.atomically(
      async (tx) => {
        const upload = await tx.chunkedUploads.find(id);
        if (upload?.state === 'open') await closeAborted(tx, upload, systemActor);
      },
      { account: accountId },
    );
  await clearClosedUploads({ metadata });
}
