import type { Caller } from '../access/caller.ts';
import { requireActivePlan, requireSender } from '../access/require-sender.ts';
import type { Actor } from '../activity/activity.ts';
import { maxUploadBytes, minUploadBytes } from '../limits.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata, Transaction } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { withHeldUse } from '../upload-tokens/hold-use.ts';
import type { UploadToken } from '../access/upload-token.ts';
import { isExpired } from './object.ts';
import { planUpload } from './plan-upload.ts';
import type { ReceivedContent } from './receive-content.ts';
import { storeObject, type StoredNewObject } from './store-object.ts';
import { uploadFailed } from './upload-failed.ts';
import { readUploadOptions, type FileKind, type UploadFields, type UploadOptions } from './upload-options.ts';
import { type UploadPlan, capExceeded, plannedRow } from './upload-plan.ts';
import { storeContent, requireSha256, rowOf } from './store-content.ts';
import { requirePlan } from '../file-options.ts';

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
    const stored = await withHeldUse(deps, token, () => store(deps, command, plan));
    return { ...stored, name: fields.name, prefix: fields.prefix };
  } catch (error) {
    throw uploadFailed(error);
  }
}

/**
 * What can be said of an upload without its account and without a byte of the file: so it can be asked before the plan
 * is.
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

function store(deps: Deps, command: UploadObject, plan: UploadPlan): Promise<StoredNewObject> {
  const { caller, file, checksumSha256, signal } = command;
  const { bytes: source, estimatedBytes, leastBytes } = file;
  const cap = plan.cap !== null && plan.cap.maxBytes < maxUploadBytes ? plan.cap : undefined;
  const limit = cap ? { maxBytes: cap.maxBytes, tooLarge: () => capExceeded(cap) } : { maxBytes: maxUploadBytes };
  return storeContent(
    deps,
    { account: caller.account, source, estimatedBytes, leastBytes, ...limit, signal },
    {
      async check(received) {
        await file.finished();
        if (received.sizeBytes < minUploadBytes)
          throw new Refusal('FILE_TOO_SMALL', { detail: `Got ${received.sizeBytes}.` });
        requireSha256(checksumSha256, received);
      },
      write: (tx, received) => write(tx, deps, command, plan, received),
    },
  );
}

async function write(
  tx: Transaction<'accounts' | 'activity' | 'apiKeys' | 'contents' | 'objects' | 'reservations' | 'uploadTokens'>,
  { ids }: Deps,
  { file, caller, actor }: UploadObject,
  plan: UploadPlan,
  received: ReceivedContent,
): Promise<StoredNewObject> {
  const account = await requireSender(tx, caller);
  requireActivePlan(account);
  requirePlan(account.plan, plan);
  const { token } = caller;
  if (token) await tx.uploadTokens.keepHeld(token.id);
  return storeObject(tx, ids, {
    ...plannedRow(plan, tx.now),
    ...rowOf(received),
    originalName: file.filename,
    clientProperties: null,
    activity: { type: 'object.uploaded', actor },
  });
}
