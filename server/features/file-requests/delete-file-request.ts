import { systemActor, type Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import { keyHolder, recordAudit } from '#server/domain/audit/record-audit.ts';
import { closeAborted } from '#server/features/uploads/abort-chunked-upload.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Prefix } from '#server/domain/prefixes.ts';
import { requireOwn } from './require-own.ts';
import { recordRequestEnd } from './request-event.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'activity' | 'audit' | 'chunkedUploads' | 'events' | 'fileRequests'>;
}

interface DeleteFileRequest {
  readonly accountId: string;
  readonly requestId: string;
  /** The prefixes that the key is restricted to. Null for none. */
  readonly prefixes: readonly Prefix[] | null;
  readonly actor: Actor;
  /** The key that was sent. */
  readonly keyId: string;
}

/**
 * Deletes a request at once, and drops what unfinished uploads have sent. The files that have arrived stay.
 *
 * @throws FILE_REQUEST_NOT_FOUND when it is unknown, deleted, or another account's
 * @throws PREFIX_NOT_ALLOWED when its folder is outside the prefixes
 */
export async function deleteFileRequest(
  { metadata }: Deps,
  { accountId, requestId, prefixes, actor, keyId }: DeleteFileRequest,
): Promise<void> {
  await metadata.atomically(
    async (tx) => {
      const request = await requireOwn(tx, { accountId, requestId, prefixes });
      await tx.fileRequests.delete(requestId, tx.now);
      for (const upload of await tx.fileRequests.openUploads(requestId)) await closeAborted(tx, upload, systemActor);
      const details = { file_request: requestId, prefix: request.prefix };
      await recordActivity(tx, { accountId, type: 'file_request.deleted', object: null, details, actor });
      await recordRequestEnd(tx, request, 'deleted', { auth: actor.auth });
      await recordAudit(tx, {
        action: 'file_request.deleted',
        by: keyHolder(keyId, actor),
        accountId,
        subject: requestId,
        details: { prefix: request.prefix },
      });
    },
    { account: accountId },
  );
}
