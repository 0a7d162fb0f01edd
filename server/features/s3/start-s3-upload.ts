import { placesFor } from '#server/domain/access/places.ts';
import { requireActivePlan } from '#server/domain/access/require-sender.ts';
import type { Account } from '#server/domain/account/account.ts';
import { systemActor, type Actor } from '#server/domain/activity/activity.ts';
import { closeAborted } from '#server/features/uploads/abort-chunked-upload.ts';
import type { ListedUpload } from '#server/features/uploads/chunked-upload.ts';
import { recordOpened } from '#server/features/uploads/start-chunked-upload.ts';
import type { NewChunkedUpload } from '#server/features/uploads/table.ts';
import { chunkedUploadIdleMs } from '#server/domain/limits.ts';
import { maxOpenS3Uploads } from './limits.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import { suffixOfForeignKey } from '#server/features/files/key.ts';
import { isConditional, type WriteConditions } from '#server/domain/write-conditions.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireS3Conditions } from './require-conditions.ts';
import { writtenRow, type S3Writing } from './s3-writing.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'activity' | 'apiKeys' | 'chunkedUploads' | 'events' | 'objects'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

interface StartS3Upload {
  readonly account: Account;
  readonly address: ObjectAddress;
  readonly writing: S3Writing;
  readonly checksum: ListedUpload['checksum'];
  /** About the file at the address, now and when the upload is completed. */
  readonly conditions: WriteConditions;
  readonly actor: Actor;
}

/**
 * Opens a multipart upload over S3, which REST can read, complete and abort. If too many are open, the one that has
 * been idle longest is aborted, if that is a day.
 *
 * @throws PERMISSION_DENIED, PreconditionFailed, NoSuchKey, TOO_MANY_OPEN_UPLOADS
 */
export async function startS3Upload(
  { metadata, ids }: Deps,
  { account, address, writing, checksum, conditions, actor }: StartS3Upload,
): Promise<NewChunkedUpload> {
  requireActivePlan(account);
  const id = ids.opaqueId();
  const { clientProperties, ...row } = writtenRow(writing, undefined);
  const resolved = {
    address,
    suffix: suffixOfForeignKey(address.key),
    expire: null,
    mayReplace: true,
    ...row,
    cap: null,
  };
  return metadata.atomically(
    async (tx) => {
      await requireS3Conditions(tx, address, conditions);
      const upload = {
        id,
        accountId: account.id,
        tokenId: null,
        resolved,
        declaredBytes: null,
        listed: {
          properties: clientProperties ?? {},
          checksum,
          ...(isConditional(conditions) && { conditions }),
        },
        serial: null,
        sentTo: null,
        originalName: null,
        startedAt: tx.now,
      };
      const places = await placesFor(tx, account.id, actor.keyId, maxOpenS3Uploads);
      if (!(await tx.chunkedUploads.open(upload, places, 0)) && !(await openInPlaceOfIdle(tx, upload, places)))
        throw new Refusal('TOO_MANY_OPEN_UPLOADS');
      await recordOpened(tx, upload, actor);
      return upload;
    },
    { account: account.id },
  );
}

/** Returns false if no upload has been idle for a day. */
async function openInPlaceOfIdle(
  tx: Transaction<'accounts' | 'activity' | 'chunkedUploads' | 'events'>,
  upload: NewChunkedUpload,
  places: number,
): Promise<boolean> {
  const idle = await tx.chunkedUploads.longestIdle(upload.accountId, tx.now - chunkedUploadIdleMs);
  if (!idle) return false;
  await closeAborted(tx, idle, systemActor);
  return tx.chunkedUploads.open(upload, places, 0);
}
