import type { Caller } from '../access/caller.ts';
import { requireActivePlan, requireSender } from '../access/require-sender.ts';
import type { Actor } from '../activity/activity.ts';
import { expiresAtMs } from '../duration.ts';
import { maxUploadBytes, minUploadBytes } from '../limits.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import { MetadataUnavailable, type Metadata, type Transaction } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { withHeldUse } from '../upload-tokens/hold-use.ts';
import type { UploadToken } from '../access/upload-token.ts';
import { isExpired } from './object.ts';
import { planUpload, requirePlan } from './plan-upload.ts';
import { discardContent, receiveContent, type ReceivedContent } from './receive-content.ts';
import { storeObject, type StoredNewObject } from './store-object.ts';
import { uploadFailed } from './upload-failed.ts';
import { readUploadOptions, type FileKind, type UploadFields, type UploadOptions } from './upload-options.ts';
import { beyond, type UploadPlan } from './upload-plan.ts';

interface Deps {
  readonly metadata: Metadata<
    'accounts' | 'activity' | 'apiKeys' | 'contents' | 'objects' | 'reservations' | 'rules' | 'uploadTokens'
  >;
  readonly blobs: Pick<BlobStore, 'put'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** A file on its way in. */
export interface IncomingFile extends FileKind {
  readonly estimatedBytes: number | undefined;
  /** Where the estimate may be too large: what the size is at least. */
  readonly leastBytes?: number | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Resolves when the body was whole and held nothing else; rejects with a refusal otherwise. */
  readonly finished: () => Promise<void>;
}

export interface UploadObject {
  readonly caller: Caller;
  /** As {@link checkUpload} read them. */
  readonly fields: UploadFields;
  readonly checksumSha256: string | undefined;
  readonly file: IncomingFile;
  readonly signal: AbortSignal;
  readonly actor: Actor;
}

/** A file that was stored, and what it was named by: the upload, or the token that wins over it. */
export interface UploadedObject extends StoredNewObject {
  readonly name: string;
  /** Without a trailing slash. */
  readonly prefix: string | undefined;
}

/**
 * Stores one file. Resolves only once it would survive a power cut. With an upload token it spends a use, and gives it
 * back when nothing is stored.
 *
 * @throws what {@link planUpload} and {@link withHeldUse} do, FILE_TOO_LARGE, FILE_TOO_SMALL,
 *   OBJECT_ALREADY_EXISTS, STORAGE_QUOTA_EXCEEDED, CHECKSUM_MISMATCH, UPLOAD_FAILED, and what `file.finished` refuses;
 *   ACCESS_DENIED and PERMISSION_DENIED when the key or the plan has ended while the bytes came
 */
export async function uploadObject(deps: Deps, command: UploadObject): Promise<UploadedObject> {
  const {
    caller: { account, token },
    fields,
    file,
  } = command;
  try {
    const plan = await planUpload(deps, account, fields, token?.pins, leastBytesOf(file));
    await refuseTaken(deps, plan);
    const stored = await withHeldUse(deps, token, async () =>
      commit(deps, command, plan, await receive(deps, command, plan)),
    );
    return { ...stored, name: fields.name, prefix: fields.prefix };
  } catch (error) {
    throw uploadFailed(error);
  }
}

/**
 * What can be said of an upload without its account and without a byte of the file: so it can be asked before the plan is.
 *
 * @throws what {@link readUploadOptions} does, FILE_TOO_LARGE
 */
export function checkUpload(
  options: UploadOptions,
  file: Omit<IncomingFile, 'bytes' | 'finished'>,
  token: UploadToken | undefined,
): UploadFields {
  const fields = readUploadOptions(options, file, token?.pins);
  if (leastBytesOf(file) > maxUploadBytes)
    throw new Refusal('FILE_TOO_LARGE', { detail: `Got at least ${leastBytesOf(file)} bytes.` });
  return fields;
}

function leastBytesOf({ leastBytes, estimatedBytes }: Pick<IncomingFile, 'leastBytes' | 'estimatedBytes'>): number {
  return leastBytes ?? estimatedBytes ?? 0;
}

/** Refuses before the bytes flow; the same is checked again where the row is written. */
async function refuseTaken({ metadata, clock }: Deps, { address, mayReplace }: UploadPlan): Promise<void> {
  if (mayReplace) return;
  const existing = await metadata.read.objects.find(address);
  if (existing && !isExpired(existing, clock.now())) throw new Refusal('OBJECT_ALREADY_EXISTS');
}

async function receive(
  deps: Deps,
  { caller: { account }, file, signal }: UploadObject,
  { cap }: UploadPlan,
): Promise<ReceivedContent> {
  const { bytes: source, estimatedBytes, leastBytes } = file;
  const isCapped = cap !== null && cap.maxBytes < maxUploadBytes;
  try {
    return await receiveContent(deps, {
      account,
      source,
      estimatedBytes,
      leastBytes,
      maxBytes: isCapped ? cap.maxBytes : maxUploadBytes,
      signal,
    });
  } catch (error) {
    throw isCapped && error instanceof Refusal && error.code === 'FILE_TOO_LARGE' ? beyond(cap) : error;
  }
}

async function commit(
  deps: Deps,
  command: UploadObject,
  plan: UploadPlan,
  received: ReceivedContent,
): Promise<StoredNewObject> {
  try {
    await command.file.finished();
    if (received.sizeBytes < minUploadBytes)
      throw new Refusal('FILE_TOO_SMALL', { detail: `Got ${received.sizeBytes}.` });
    if (command.checksumSha256 !== undefined && command.checksumSha256 !== received.sha256)
      throw new Refusal('CHECKSUM_MISMATCH', {
        detail: `Announced ${command.checksumSha256}, got ${received.sha256}.`,
      });
    // A client that has gone away gets no answer, so nothing may be kept for it.
    command.signal.throwIfAborted();
    return await deps.metadata.atomically((tx) => write(tx, deps, command, plan, received));
  } catch (error) {
    const discarded = discardContent(deps, received);
    // A database that does not answer would keep the client waiting a second time.
    if (!(error instanceof MetadataUnavailable)) await discarded;
    throw error;
  }
}

async function write(
  tx: Transaction<'accounts' | 'activity' | 'apiKeys' | 'contents' | 'objects' | 'reservations' | 'uploadTokens'>,
  { ids }: Deps,
  { file, caller, actor }: UploadObject,
  plan: UploadPlan,
  { blob, sizeBytes, md5, sha256, reservationId }: ReceivedContent,
): Promise<StoredNewObject> {
  const account = await requireSender(tx, caller);
  requireActivePlan(account);
  requirePlan(account, plan);
  if (reservationId !== undefined) await tx.reservations.release(reservationId);
  const { token } = caller;
  const { address, ending, expire, mayReplace, disposition, cacheControl, metadata } = plan;
  if (token) await tx.uploadTokens.keepHeld(token.id);
  return storeObject(tx, ids, {
    ...address,
    ending,
    blobs: [blob],
    sizeBytes,
    etag: md5,
    sha256,
    expiresAt: expire && expiresAtMs(expire, tx.now),
    cacheControl,
    disposition,
    originalName: file.filename,
    metadata,
    s3: null,
    mayReplace,
    activity: { type: 'object.uploaded', actor },
  });
}
