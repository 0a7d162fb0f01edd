import type { Account } from '#server/domain/account/account.ts';
import { fitsQuota, mayReplaceBytes, quotaExceeded } from '#server/domain/account/quota.ts';
import { couldGiveWay, type Yielding } from '#server/features/files/give-way.ts';
import { replacedBytes } from '#server/features/files/upload/replaced-bytes.ts';
import type { FreedAtCommit } from '#server/features/files/upload/quota-reservation.ts';
import { quotaBytesOf } from '#server/domain/plan.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Readers, Reads } from '#server/domain/ports/metadata.ts';
import type { ChunkedUpload } from './chunked-upload.ts';

interface PartDeps {
  readonly metadata: Reads<'accounts' | 'chunkedUploads' | 'objects' | 'rules' | 'trash'>;
  readonly clock: Clock;
}

/**
 * Returns the sum that stored and reserved bytes may reach with a part. Parts lie beside the file that they will
 * replace, so its bytes come on top of the quota. Uploads that only replace what is there may all lie beside it, up to
 * twice the quota. The completion checks the difference exactly.
 *
 * @param upload with the bytes of the part
 */
export async function quotaOfPart(
  read: Pick<Readers, 'objects' | 'rules'>,
  account: Account,
  { resolved, storedBytes }: Pick<ChunkedUpload, 'resolved' | 'storedBytes'>,
  now: number,
): Promise<number> {
  const quotaBytes = quotaBytesOf(account);
  const freed = resolved.mayReplace && mayReplaceBytes(account) ? await replacedBytes(read, resolved.address, now) : 0;
  if (freed === 0) return quotaBytes;
  return Math.max(quotaBytes + freed, storedBytes <= freed ? 2 * Math.max(quotaBytes, account.usedBytes) : 0);
}

/** Bytes of a part that are about to arrive. */
interface ComingBytes {
  readonly upload: ChunkedUpload;
  readonly addedBytes: number;
  /** Undefined if nothing gives way to them. */
  readonly yielding: Yielding | undefined;
}

/**
 * Checks the bytes of a request before they arrive. They are reserved while they do.
 *
 * @throws STORAGE_QUOTA_EXCEEDED
 */
export async function requirePartFit(
  deps: PartDeps,
  account: Account,
  { upload, addedBytes, yielding }: ComingBytes,
): Promise<void> {
  if (addedBytes <= 0 || fitsQuota(account, addedBytes)) return;
  const most = await quotaWith(deps, account, upload, addedBytes);
  // What gives way is purged when the part is stored.
  const missingBytes = account.usedBytes + account.reservedBytes + addedBytes - most;
  if (missingBytes <= 0 || (yielding && (await couldGiveWay(deps.metadata.read, yielding, missingBytes)))) return;
  throw quotaExceeded(account, addedBytes, most);
}

/**
 * Returns the quota for a part while it arrives, if its upload will replace a file. Other parts may have arrived
 * since the upload was read.
 *
 * @param addedBytes the most that the part may add
 */
export async function freedForPart(
  deps: PartDeps,
  { id, accountId }: ChunkedUpload,
  addedBytes: number,
): Promise<FreedAtCommit> {
  const { read } = deps.metadata;
  const [account, upload] = await Promise.all([read.accounts.find(accountId), read.chunkedUploads.find(id)]);
  if (!account || !upload) return {};
  return { quotaBytes: await quotaWith(deps, account, upload, addedBytes) };
}

function quotaWith(
  { metadata, clock }: PartDeps,
  account: Account,
  upload: ChunkedUpload,
  addedBytes: number,
): Promise<number> {
  const storedBytes = upload.storedBytes + addedBytes;
  return quotaOfPart(metadata.read, account, { ...upload, storedBytes }, clock.now());
}
