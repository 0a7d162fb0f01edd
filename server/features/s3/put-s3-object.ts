import type { Caller } from '#server/domain/access/caller.ts';
import { requireActivePlan, requireSender } from '#server/domain/access/require-sender.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { Checksum } from '#server/domain/checksums/algorithms.ts';
import { yieldingTo } from '#server/features/files/give-way.ts';
import { suffixOfForeignKey } from '#server/features/files/key.ts';
import type { ReceivedContent } from '#server/features/files/upload/receive-content.ts';
import { replacedBytes } from '#server/features/files/upload/replaced-bytes.ts';
import { rowOf, storeContent } from '#server/features/files/upload/store-content.ts';
import { storeObject, type PlacedObject } from '#server/features/files/store-object.ts';
import type { FileTables } from '#server/features/files/table.ts';
import { uploadFailed } from '#server/features/files/upload/upload-failed.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction, Metadata } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { maxS3PutBytes } from './limits.ts';
import { writtenRow, type S3Writing } from './s3-writing.ts';
import type { WriteConditions } from '#server/domain/write-conditions.ts';
import { requireS3Conditions } from './require-conditions.ts';

interface Deps {
  readonly metadata: Metadata<FileTables | 'apiKeys' | 'reservations'>;
  readonly blobs: Pick<BlobStore, 'put' | 'sealInline'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

interface PutS3Object {
  readonly caller: Caller;
  readonly address: ObjectAddress;
  /** The bytes. At their end they throw if they are not as announced. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly announcedBytes: number | undefined;
  /** The SHA-256 of the bytes in hex, if they throw at their end when they have another one. */
  readonly sha256: string | undefined;
  readonly writing: S3Writing;
  /** Called once the bytes have arrived. */
  readonly checksum: () => Checksum | undefined;
  readonly conditions: WriteConditions;
  readonly signal: AbortSignal;
  readonly actor: Actor;
}

/**
 * Stores a file as an S3 client sends it, under exactly its key. Resolves once it would survive a power cut.
 *
 * @throws PERMISSION_DENIED, FILE_TOO_LARGE, STORAGE_QUOTA_EXCEEDED, UPLOAD_FAILED, PreconditionFailed, NoSuchKey,
 *   and what the bytes throw
 * @throws ACCESS_DENIED if the key ended while the bytes arrived
 */
export async function putS3Object(deps: Deps, command: PutS3Object): Promise<PlacedObject> {
  const { bytes, announcedBytes, sha256, signal } = command;
  const { account } = command.caller;
  requireActivePlan(account);
  if ((announcedBytes ?? 0) > maxS3PutBytes) throw new Refusal('FILE_TOO_LARGE');
  try {
    return await storeContent(
      deps,
      {
        ...{
          account,
          source: bytes,
          announcedBytes,
          maxBytes: maxS3PutBytes,
          wantsSha256: sha256 === undefined,
          signal,
        },
        yielding: yieldingTo(deps, command.caller, command.actor),
        freedAtCommit: async () => ({
          replacedBytes: await replacedBytes(deps.metadata.read, command.address, deps.clock.now()),
        }),
      },
      { write: (tx, received) => write(tx, deps, command, received) },
    );
  } catch (error) {
    throw uploadFailed(error);
  }
}

async function write(
  tx: Transaction<FileTables | 'apiKeys' | 'reservations'>,
  { ids }: Deps,
  { caller, address, sha256, writing, checksum, conditions, actor }: PutS3Object,
  received: ReceivedContent,
): Promise<PlacedObject> {
  const [account, existing] = await Promise.all([requireSender(tx, caller), tx.objects.find(address)]);
  requireActivePlan(account);
  await requireS3Conditions(tx, address, conditions);
  return storeObject(
    tx,
    ids,
    { account, existing },
    {
      ...address,
      suffix: suffixOfForeignKey(address.key),
      ...rowOf(received),
      ...(sha256 !== undefined && { sha256 }),
      expiresAt: null,
      originalName: null,
      ...writtenRow(writing, checksum()),
      mayReplace: true,
      activity: { type: 'object.uploaded', actor },
    },
  );
}
