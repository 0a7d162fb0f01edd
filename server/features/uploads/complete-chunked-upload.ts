import type { Caller } from '#server/domain/access/caller.ts';
import { requireSender } from '#server/domain/access/require-sender.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { yieldingTo, withSpace } from '#server/features/files/give-way.ts';
import { resolvedRow } from '#server/features/files/upload/resolve-upload.ts';
import { storeObject, type PlacedObject } from '#server/features/files/store-object.ts';
import { tokenFields } from '#server/features/files/upload/token-fields.ts';
import { unconditional, type WriteConditions } from '#server/domain/write-conditions.ts';
import { requireConditions } from '#server/features/files/write-conditions.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import {
  completeUpload,
  type Choices,
  type CompletedChunkedUpload,
  type CompleteDeps,
  type CompletingTables,
  type ReadyUpload,
} from './complete-upload.ts';
import { recordUploadEvent } from './upload-event.ts';

interface CompleteChunkedUpload extends Choices {
  readonly caller: Caller;
  /** About the file at the address. */
  readonly conditions?: WriteConditions;
  readonly actor: Actor;
}

/**
 * Makes a file of an upload's parts at the address that its start has fixed. The rest is as in `completeUpload`.
 *
 * @throws INVALID_UPLOAD_TOKEN, UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED, NO_CHUNKS_UPLOADED, INVALID_CHUNK_PART,
 *   CHUNK_TOO_SMALL, FILE_TOO_SMALL, SIZE_MISMATCH, CHECKSUM_MISMATCH, CONDITION_NOT_MET, OBJECT_ALREADY_EXISTS,
 *   STORAGE_QUOTA_EXCEEDED, UPLOAD_FAILED
 */
export function completeChunkedUpload(
  deps: CompleteDeps,
  command: CompleteChunkedUpload,
): Promise<CompletedChunkedUpload> {
  return completeUpload(deps, {
    ...command,
    commit: (work) =>
      withSpace(deps, yieldingTo(deps, command.caller, command.actor), (makeSpace) =>
        deps.metadata.atomically(
          async (tx) => {
            await requireSender(tx, command.caller);
            await makeSpace(tx);
            return work(tx, (ready) => placeAtAddress(tx, deps, command, ready));
          },
          { account: command.caller.account.id },
        ),
      ),
  });
}

/** Writes the row of a file at its address. */
async function placeAtAddress(
  tx: Transaction<CompletingTables>,
  { ids }: CompleteDeps,
  { actor, choice, conditions = unconditional }: CompleteChunkedUpload,
  { upload: { resolved, listed, serial, originalName, tokenId }, content, checksum }: ReadyUpload,
): Promise<PlacedObject> {
  await choice?.requireTarget(tx, resolved.address);
  const existing = await tx.objects.find(resolved.address);
  requireConditions(existing, conditions, tx.now);
  requireConditions(existing, (listed ?? serial)?.conditions ?? unconditional, tx.now);
  const origin = tokenId === null ? {} : tokenFields(await tx.uploadTokens.find(tokenId));
  const parts = content.blobs.length;
  const account = await tx.accounts.find(resolved.address.accountId);
  const placed = await storeObject(
    tx,
    ids,
    { account, existing },
    {
      ...resolvedRow(resolved, tx.now),
      ...content,
      originalName,
      clientProperties: listed && { ...listed.properties, ...(checksum && { checksum }) },
      activity: { type: 'chunked.completed', details: { parts }, actor },
      origin,
    },
  );
  const { object } = placed;
  const details = { sizeBytes: object.sizeBytes, parts, auth: actor.auth, ...origin };
  await recordUploadEvent(tx, 'upload.completed', object, details);
  return placed;
}
