import type { Caller } from '#server/domain/access/caller.ts';
import { requireActivePlan, requireSender } from '#server/domain/access/require-sender.ts';
import type { UploadToken } from '#server/domain/access/upload-token.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { requirePlanFor } from '#server/domain/file-options.ts';
import { maxUploadBytes, minUploadBytes } from '#server/domain/limits.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { spendReservedUse, withReservedUse } from '#server/features/upload-tokens/reserve-use.ts';
import { leastBytesOf } from '#server/domain/announced-size.ts';
import { yieldingTo } from '../give-way.ts';
import { findLive } from '../object.ts';
import { replacedBytes } from './replaced-bytes.ts';
import { capExceeded, resolvedRow, resolveUpload, type ResolvedUpload } from './resolve-upload.ts';
import type { ReceivedContent } from './receive-content.ts';
import { requireSha256, rowOf, storeContent } from './store-content.ts';
import { storeObject, type NewObject, type PlacedObject } from '../store-object.ts';
import type { FileTables } from '../table.ts';
import { tokenFields } from './token-fields.ts';
import { uploadFailed } from './upload-failed.ts';
import { isConditional, unconditional, type WriteConditions } from '#server/domain/write-conditions.ts';
import { requireConditions } from '../write-conditions.ts';
import type { IncomingFile } from '#server/domain/incoming-file.ts';
import { readUploadOptions, type UploadFields, type UploadOptions } from './upload-options.ts';

interface Deps {
  readonly metadata: Metadata<FileTables | 'apiKeys' | 'reservations' | 'rules' | 'uploadTokens'>;
  readonly blobs: Pick<BlobStore, 'put' | 'sealInline'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

export interface UploadObject {
  readonly caller: Caller;
  /** As {@link checkUpload} read them. */
  readonly fields: UploadFields;
  readonly checksumSha256: string | undefined;
  /** About the file at the address. */
  readonly conditions?: WriteConditions;
  readonly file: IncomingFile;
  readonly signal: AbortSignal;
  readonly actor: Actor;
}

/**
 * Stores one file. Resolves once it would survive a power cut. With an upload token it spends a use, and gives the use
 * back if nothing is stored.
 *
 * @throws what {@link resolveUpload} and {@link withReservedUse} throw, FILE_TOO_LARGE, FILE_TOO_SMALL,
 *   CONDITION_NOT_MET, OBJECT_ALREADY_EXISTS, STORAGE_QUOTA_EXCEEDED, CHECKSUM_MISMATCH, UPLOAD_FAILED, and what
 *   `file.bytes` throw
 * @throws ACCESS_DENIED, PERMISSION_DENIED if the key or the plan ended while the bytes arrived
 */
export async function uploadObject(deps: Deps, command: UploadObject): Promise<PlacedObject> {
  const { caller, fields, file, conditions = unconditional } = command;
  try {
    const resolved = await resolveUpload(deps, caller, fields, leastBytesOf(file));
    await refuseTaken(deps, resolved, conditions);
    return await withReservedUse(deps, caller.token, () => store(deps, { ...command, resolved }));
  } catch (error) {
    throw uploadFailed(error);
  }
}

/**
 * Checks the parts of an upload that need neither the account nor a byte of the file, so it runs before the plan is
 * checked.
 *
 * @throws what {@link readUploadOptions} throws, FILE_TOO_LARGE
 */
export function checkUpload(
  options: UploadOptions,
  file: Omit<IncomingFile, 'bytes'>,
  token: UploadToken | undefined,
): UploadFields {
  const fields = readUploadOptions(options, file, token?.pins);
  if (leastBytesOf(file) > maxUploadBytes)
    throw new Refusal('FILE_TOO_LARGE', { detail: `Got at least ${leastBytesOf(file)} bytes.` });
  return fields;
}

/** Rejects a taken address before the bytes flow. The transaction that writes the row checks the same again. */
async function refuseTaken(
  { metadata, clock }: Deps,
  { address, mayReplace }: ResolvedUpload,
  conditions: WriteConditions,
): Promise<void> {
  if (mayReplace && !isConditional(conditions)) return;
  const now = clock.now();
  const existing = await findLive(metadata.read.objects, address, now);
  requireConditions(existing, conditions, now);
  if (existing && !mayReplace) throw new Refusal('OBJECT_ALREADY_EXISTS');
}

interface StoreUpload extends UploadObject {
  readonly resolved: ResolvedUpload;
}

function store(deps: Deps, command: StoreUpload): Promise<PlacedObject> {
  const { caller, file, checksumSha256, signal, resolved } = command;
  const { bytes: source, announcedBytes, leastBytes } = file;
  const cap = resolved.cap !== null && resolved.cap.maxBytes < maxUploadBytes ? resolved.cap : undefined;
  const limit = cap ? { maxBytes: cap.maxBytes, tooLarge: () => capExceeded(cap) } : { maxBytes: maxUploadBytes };
  return storeContent(
    deps,
    {
      ...{ account: caller.account, source, announcedBytes, leastBytes, ...limit, signal },
      yielding: yieldingTo(deps, caller, command.actor),
      freedAtCommit: async () => ({
        replacedBytes: resolved.mayReplace
          ? await replacedBytes(deps.metadata.read, resolved.address, deps.clock.now())
          : 0,
      }),
    },
    {
      check(received) {
        if (received.sizeBytes < minUploadBytes)
          throw new Refusal('FILE_TOO_SMALL', { detail: `Got ${received.sizeBytes}.` });
        requireSha256(checksumSha256, received);
      },
      write: (tx, received) => write(tx, deps, command, received),
    },
  );
}

async function write(
  tx: Transaction<FileTables | 'apiKeys' | 'reservations' | 'uploadTokens'>,
  { ids }: Deps,
  { file, caller, conditions = unconditional, actor, resolved }: StoreUpload,
  received: ReceivedContent,
): Promise<PlacedObject> {
  // At once, because each look-up in a database of another machine takes a round trip.
  const [account, existing] = await Promise.all([requireSender(tx, caller), tx.objects.find(resolved.address)]);
  requireActivePlan(account);
  requirePlanFor(account.plan, resolved);
  await spendReservedUse(tx, caller.token);
  requireConditions(existing, conditions, tx.now);
  const stored: NewObject = {
    ...resolvedRow(resolved, tx.now),
    ...rowOf(received),
    originalName: file.filename,
    clientProperties: null,
    activity: { type: 'object.uploaded', actor },
    origin: tokenFields(caller.token),
  };
  return storeObject(tx, ids, { account, existing }, stored);
}
