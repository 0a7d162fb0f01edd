import { placesFor } from '../access/places.ts';
import { requireActivePlan } from '../access/require-sender.ts';
import type { Account } from '../account/account.ts';
import { systemActor, type Actor } from '../activity/activity.ts';
import { closeAborted } from '../chunked/abort-chunked-upload.ts';
import type { ListedUpload } from '../chunked/chunked-upload.ts';
import { recordOpened } from '../chunked/start-chunked-upload.ts';
import type { NewChunkedUpload } from '../chunked/table.ts';
import { chunkedUploadIdleMs, maxOpenS3Uploads } from '../limits.ts';
import type { ObjectAddress } from '../object-id.ts';
import { suffixOfForeignKey } from '../objects/key.ts';
import { isConditional, type WriteConditions } from '../objects/write-conditions.ts';
import type { Ids } from '../ports/ids.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
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
