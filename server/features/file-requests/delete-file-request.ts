import type { Requester } from '#server/domain/access/requester.ts';
import { systemActor } from '#server/domain/activity/activity.ts';
import { closeAborted } from '#server/features/uploads/abort-chunked-upload.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import { requireOwn } from './require-own.ts';
import { auditRequestChange, recordRequestChange } from './request-event.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'activity' | 'audit' | 'chunkedUploads' | 'events' | 'fileRequests'>;
}

interface DeleteFileRequest extends Requester {
  readonly requestId: string;
}

/**
 * Deletes a request at once, and drops what unfinished uploads have sent. The files that have arrived stay.
 *
 * @throws FILE_REQUEST_NOT_FOUND when it is unknown, deleted, or another account's
 * @throws PREFIX_NOT_ALLOWED when its folder is outside the prefixes
 */
export async function deleteFileRequest({ metadata }: Deps, command: DeleteFileRequest): Promise<void> {
  const { accountId, requestId } = command;
  await metadata.atomically(
    async (tx) => {
      const request = await requireOwn(tx, command);
      await tx.fileRequests.delete(requestId, tx.now);
      for (const upload of await tx.fileRequests.openUploads(requestId)) await closeAborted(tx, upload, systemActor);
      await recordRequestChange(tx, 'file_request.deleted', request, command);
      await auditRequestChange(tx, 'file_request.deleted', request, command);
    },
    { account: accountId },
  );
}
