import type { Caller } from '#server/domain/access/caller.ts';
import { placesFor } from '#server/domain/access/places.ts';
import type { Account } from '#server/domain/account/account.ts';
import { mayReplaceBytes, quotaExceeded, requireFitOfFile } from '#server/domain/account/quota.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import { chunkedUploadIdleMs } from '#server/domain/limits.ts';
import { maxChunkedUploadBytes, maxOpenUploads } from './limits.ts';
import { couldGiveWay, yieldingTo, type Yielding } from '#server/features/files/give-way.ts';
import { replacedBytes } from '#server/features/files/upload/replaced-bytes.ts';
import { resolveUpload, type ResolvedUpload } from '#server/features/files/upload/resolve-upload.ts';
import { requireConditions } from '#server/features/files/write-conditions.ts';
import type { UploadFields } from '#server/features/files/upload/upload-options.ts';
import { quotaBytesOf } from '#server/domain/plan.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { spendUse } from '#server/features/upload-tokens/reserve-use.ts';
import type { SerialUpload } from './chunked-upload.ts';
import type { NewChunkedUpload } from './table.ts';
import { recordUploadEvent } from './upload-event.ts';

interface Deps {
  readonly metadata: Metadata<StartTables>;
  readonly ids: Ids;
  readonly clock: Clock;
}

type StartTables =
  | ('accounts' | 'activity' | 'apiKeys' | 'chunkedUploads')
  | ('events' | 'objects' | 'rules' | 'trash' | 'uploadTokens');

export interface StartChunkedUpload {
  readonly caller: Caller;
  readonly fields: UploadFields;
  /** Empty without a name. */
  readonly filename: string;
  /** The size of the whole file, if it is known. */
  readonly sizeBytes: number | undefined;
  readonly actor: Actor;
  /** Given by a protocol of serial bytes. */
  readonly serial?: SerialStart;
}

/** The start of an upload whose bytes come in sequence. */
interface SerialStart {
  readonly upload: SerialUpload;
  /** Bytes of the file that other uploads have stored already, so that the quota has counted them. */
  readonly countedBytes?: number;
  /** Called in the transaction that opens the upload. */
  fill?(tx: Transaction<'accounts' | 'apiKeys' | 'chunkedUploads'>, upload: NewChunkedUpload): Promise<void>;
}

interface StartedChunkedUpload {
  readonly upload: NewChunkedUpload;
  /** The most bytes that the whole file may have at present. */
  readonly maxObjectBytes: number;
}

/**
 * Opens an upload in parts and fixes everything about its file. With an upload token it spends a use.
 *
 * @throws the codes of {@link resolveUpload}, STORAGE_QUOTA_EXCEEDED, TOO_MANY_OPEN_UPLOADS, ACCESS_DENIED,
 *   UPLOAD_TOKEN_USED
 */
export async function startChunkedUpload(deps: Deps, command: StartChunkedUpload): Promise<StartedChunkedUpload> {
  const { caller, fields, filename, sizeBytes, actor, serial } = command;
  const { account, token } = caller;
  const yielding = yieldingTo(deps, caller, actor);
  const resolved = await resolveUpload(deps, caller, fields, sizeBytes ?? 0);
  const id = deps.ids.opaqueId();
  return deps.metadata.atomically(
    async (tx) => {
      const current = await tx.accounts.find(account.id);
      const leftBytes = current ? await leftFor(tx, current, resolved) : 0;
      const lackingBytes = (sizeBytes ?? 0) - (serial?.countedBytes ?? 0) - leftBytes;
      if (lackingBytes > 0) await requireYielding(tx, current, { lackingBytes, sizeBytes: sizeBytes!, yielding });
      if (current && serial?.countedBytes !== undefined)
        await requireFitOfCounted(tx, current, resolved, serial.countedBytes);
      // A partial upload spends none. The upload that is made of the partial ones does.
      if (!serial?.upload.isPartial) await spendUse(tx, token);
      const upload = {
        id,
        accountId: account.id,
        tokenId: token?.id ?? null,
        resolved,
        declaredBytes: sizeBytes ?? null,
        listed: null,
        serial: serial?.upload ?? null,
        sentTo: null,
        originalName: filename || null,
        startedAt: tx.now,
      };
      await requireStartable(tx, upload);
      const places = await placesFor(tx, account.id, actor.keyId, maxOpenUploads);
      if (!(await tx.chunkedUploads.open(upload, places, tx.now - chunkedUploadIdleMs)))
        throw new Refusal('TOO_MANY_OPEN_UPLOADS');
      await recordOpened(tx, upload, actor);
      await serial?.fill?.(tx, upload);
      const maxObjectBytes = Math.max(
        0,
        Math.min(maxChunkedUploadBytes, resolved.cap?.maxBytes ?? Infinity, Math.max(leftBytes, sizeBytes ?? 0)),
      );
      return { upload, maxObjectBytes };
    },
    { account: account.id },
  );
}

interface Lacking {
  readonly lackingBytes: number;
  readonly sizeBytes: number;
  readonly yielding: Yielding | undefined;
}

/**
 * Checks that enough could give way for a file of a known size. It is purged when parts are stored, which may never
 * happen.
 *
 * @throws STORAGE_QUOTA_EXCEEDED
 */
async function requireYielding(
  tx: Transaction<'trash'>,
  account: Account | undefined,
  { lackingBytes, sizeBytes, yielding }: Lacking,
): Promise<void> {
  const overfullBytes = account ? account.usedBytes + account.reservedBytes - quotaBytesOf(account) : 0;
  const missingBytes = lackingBytes + Math.max(0, overfullBytes);
  if (!account || !yielding || !(await couldGiveWay(tx, yielding, missingBytes)))
    throw quotaExceeded(account, sizeBytes);
}

/**
 * Checks a file that is made of the parts of other uploads, as its commit will. The uploads may have been accepted to
 * replace a file at another address. A refusal by the commit would be too late: the parts have moved by then.
 *
 * @throws STORAGE_QUOTA_EXCEEDED
 */
async function requireFitOfCounted(
  tx: Transaction<'objects' | 'rules'>,
  account: Account,
  { address, mayReplace }: ResolvedUpload,
  countedBytes: number,
): Promise<void> {
  const freedBytes = mayReplace ? await replacedBytes(tx, address, tx.now) : 0;
  requireFitOfFile({ ...account, reservedBytes: account.reservedBytes - countedBytes }, countedBytes, freedBytes);
}

/** Returns the most bytes that the file may add, with those that it replaces. */
async function leftFor(
  tx: Transaction<'objects' | 'rules'>,
  account: Account,
  { address, mayReplace, cap }: ResolvedUpload,
): Promise<number> {
  const leftBytes = Math.max(0, quotaBytesOf(account) - account.usedBytes - account.reservedBytes);
  if (
    !mayReplace ||
    !mayReplaceBytes(account) ||
    leftBytes >= Math.min(maxChunkedUploadBytes, cap?.maxBytes ?? Infinity)
  )
    return leftBytes;
  return leftBytes + (await replacedBytes(tx, address, tx.now));
}

/**
 * Checks the conditions of a start before any byte flows. The completion checks them again.
 *
 * @throws CONDITION_NOT_MET
 */
async function requireStartable(
  tx: Transaction<'objects'>,
  { resolved, listed, serial }: Pick<NewChunkedUpload, 'resolved' | 'listed' | 'serial'>,
): Promise<void> {
  const { conditions } = listed ?? serial ?? {};
  if (conditions) requireConditions(await tx.objects.find(resolved.address), conditions, tx.now);
}

/** Records that an upload was opened. */
export async function recordOpened(
  tx: Transaction<'activity' | 'events'>,
  { accountId, resolved, declaredBytes }: NewChunkedUpload,
  actor: Actor,
): Promise<void> {
  await recordActivity(tx, {
    accountId,
    type: 'chunked.started',
    object: resolved.address,
    details: declaredBytes === null ? {} : { size: declaredBytes },
    actor,
  });
  await recordUploadEvent(tx, 'upload.started', resolved.address, { sizeBytes: declaredBytes, auth: actor.auth });
}
