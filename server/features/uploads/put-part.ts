import type { Caller } from '#server/domain/access/caller.ts';
import { senderOf, type BytesSender } from '#server/domain/access/require-sender.ts';
import { quotaExceeded } from '#server/domain/account/quota.ts';
import type { PartChecksum } from '#server/domain/checksums/algorithms.ts';
import { chunkedUploadIdleMs, maxListedPartBytes, maxPartBytes } from '#server/domain/limits.ts';
import { maxChunkedUploadBytes } from './limits.ts';
import type { GivingWay, Yielding } from '#server/features/files/give-way.ts';
import { capExceeded } from '#server/features/files/upload/resolve-upload.ts';
import { requireSha256, storeContent } from '#server/features/files/upload/store-content.ts';
import { uploadFailed } from '#server/features/files/upload/upload-failed.ts';
import type { IncomingBytes } from '#server/domain/incoming-bytes.ts';
import { quotaBytesOf } from '#server/domain/plan.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { stateAfter, type ChunkedUpload, type NewPart } from './chunked-upload.ts';
import { quotaOfPart, requirePartFit, freedForPart } from './quota-of-parts.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import type { PartNumber } from './part-number.ts';
import type { RunningHashCache } from './running-hash.ts';

/** The tables that storing a part needs. */
export type PartTables = GivingWay | 'apiKeys' | 'chunkedUploads' | 'objects' | 'rules';

interface Deps {
  readonly metadata: Metadata<PartTables | 'reservations'>;
  readonly blobs: Pick<BlobStore, 'put' | 'sealInline'>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly hashes: RunningHashCache;
}

/** Longer than any part takes: 32 MiB take nine hours at the slowest pace that the server allows. */
const longestPartMs = chunkedUploadIdleMs / 2;

export interface PutPart {
  readonly caller: Caller;
  readonly upload: UploadLookup;
  readonly part: PartNumber;
  readonly checksumSha256: string | undefined;
  readonly body: IncomingBytes;
  readonly signal: AbortSignal;
  /** Given for a part of a listed upload. Such a part may be empty, or larger than others. */
  readonly listed?: PartOfListed;
  /** Undefined if nothing gives way to the part. */
  readonly yielding?: Yielding | undefined;
}

interface PartOfListed {
  /** Returns the checksum of all bytes, by the upload's algorithm. Called after the last byte. */
  checksum(): PartChecksum | undefined;
}

/**
 * Stores one part, in place of an earlier one with its number. Resolves once the part would survive a power cut. If the
 * part is rejected or breaks off, the earlier one stays.
 *
 * @throws INVALID_UPLOAD_TOKEN, CHUNK_TOO_LARGE, EMPTY_CHUNK, UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED, FILE_TOO_LARGE,
 *   STORAGE_QUOTA_EXCEEDED, CHECKSUM_MISMATCH, UPLOAD_FAILED
 * @throws ACCESS_DENIED if the key ended while the bytes arrived
 */
export async function putPart(deps: Deps, command: PutPart): Promise<NewPart> {
  const { caller, part, body, listed, yielding } = command;
  try {
    const upload = await uploadFor(command);
    const begunAt = deps.clock.now();
    stateAfter(upload, 'part', begunAt);
    const replacedBytes = (await deps.metadata.read.chunkedUploads.part(upload.id, part))?.blob.sizeBytes ?? 0;
    // Checked before the body is read. Its bytes are reserved while they arrive.
    const addedBytes = (body.announcedBytes ?? 1) - replacedBytes;
    await requirePartFit(deps, caller.account, { upload, addedBytes, yielding });
    const leftBytes = maxBytesOf(upload) - upload.storedBytes + replacedBytes;
    if ((body.announcedBytes ?? (listed ? 0 : 1)) > leftBytes) throw uploadTooLarge(upload);
    await keepOpen(deps, upload, begunAt);
    return await store(deps, command, upload, { leftBytes, replacedBytes });
  } catch (error) {
    throw uploadFailed(error);
  }
}

/** Finds the upload. The handle and the announced size are checked first, because neither needs a look-up. */
async function uploadFor({ upload: lookup, body: { announcedBytes }, listed }: PutPart): Promise<ChunkedUpload> {
  lookup.id();
  if (announcedBytes === 0 && !listed) throw new Refusal('EMPTY_CHUNK');
  if (announcedBytes !== undefined && announcedBytes > maxBytesOfPart(listed))
    throw new Refusal('CHUNK_TOO_LARGE', { detail: `Got ${announcedBytes}.` });
  const upload = await lookup.find();
  if (upload.listed && !listed) throw startedElsewhere();
  return upload;
}

/** Makes the refusal of bytes for a listed upload at another door. */
export function startedElsewhere(): Refusal {
  return new Refusal('INVALID_UPLOAD_TOKEN', {
    message:
      'Another protocol started this upload. Send its parts there. Here it can only be read, completed and aborted.',
  });
}

function maxBytesOfPart(listed: PartOfListed | undefined): number {
  return listed ? maxListedPartBytes : maxPartBytes;
}

/** Returns the most bytes that all parts together may have. */
export function maxBytesOf({ resolved }: ChunkedUpload): number {
  return Math.min(maxChunkedUploadBytes, resolved.cap?.maxBytes ?? Infinity);
}

/** Marks the upload active when a part begins, because the bytes of a part that begins in time may take long. */
async function keepOpen(
  { metadata }: Deps,
  { id, accountId, activeAt }: ChunkedUpload,
  begunAt: number,
): Promise<void> {
  // A part of 32 MiB takes less than `longestPartMs`, so most parts need no write here.
  if (begunAt - activeAt < longestPartMs) return;
  await metadata.atomically((tx) => tx.chunkedUploads.keepOpen(id, begunAt), { account: accountId });
}

/** Makes the refusal of parts that are too large together. */
export function uploadTooLarge({ resolved }: ChunkedUpload): Refusal {
  const isCapped = resolved.cap !== null && resolved.cap.maxBytes < maxChunkedUploadBytes;
  return isCapped
    ? capExceeded(resolved.cap)
    : new Refusal('FILE_TOO_LARGE', { message: 'The parts of one file may have at most 10 GiB together.' });
}

async function store(
  deps: Deps,
  { caller, part, body, checksumSha256, signal, listed, yielding }: PutPart,
  upload: ChunkedUpload,
  { leftBytes, replacedBytes }: { readonly leftBytes: number; readonly replacedBytes: number },
): Promise<NewPart> {
  const maxBytes = Math.min(maxBytesOfPart(listed), leftBytes);
  const following = deps.hashes.follow(upload.id, part);
  const incoming = {
    account: caller.account,
    source: body.bytes,
    announcedBytes: body.announcedBytes,
    maxBytes,
    tooLarge: () => (maxBytes < maxBytesOfPart(listed) ? uploadTooLarge(upload) : new Refusal('CHUNK_TOO_LARGE')),
    replacedBytes,
    yielding,
    freedAtCommit: () => freedForPart(deps, upload, (body.announcedBytes ?? maxBytes) - replacedBytes),
    // Usually only the last part of a file is small. If thousands are, their rows would take megabytes, which are slow
    // to list and to remove.
    mayBeInline: part === 1,
    wantsSha256: checksumSha256 !== undefined,
    runningHash: following?.hash,
    signal,
  };
  const { stored, sequence } = await storeContent(deps, incoming, {
    check(received) {
      if (received.sizeBytes === 0 && !listed) throw new Refusal('EMPTY_CHUNK');
      requireSha256(checksumSha256, received);
    },
    async write(tx, { blob, md5 }) {
      const checksum = listed?.checksum();
      const stored = { part, blob: { ...blob, ...(checksum && { checksum }) }, md5 };
      return { stored, sequence: await writePart(tx, await requireStillOpen(tx, senderOf(caller), upload.id), stored) };
    },
  });
  if (following) following.keep(sequence);
  else deps.hashes.drop(upload.id, part);
  return stored;
}

/** Checks the sender and the upload again, because both may have ended while the bytes arrived. Returns the upload. */
export async function requireStillOpen(
  tx: Transaction<'accounts' | 'apiKeys' | 'chunkedUploads'>,
  sender: BytesSender,
  uploadId: string,
): Promise<ChunkedUpload> {
  await sender.requireStill(tx);
  const upload = await tx.chunkedUploads.find(uploadId);
  stateAfter(upload, 'part', tx.now);
  return upload!;
}

/** Writes the row of a part and returns its sequence. */
export async function writePart(
  tx: Transaction<'accounts' | 'chunkedUploads' | 'objects' | 'rules'>,
  upload: ChunkedUpload,
  stored: NewPart,
): Promise<number> {
  const { id, accountId } = upload;
  const { sizeBytes } = stored.blob;
  const replacedBytes = (await tx.chunkedUploads.part(id, stored.part))?.blob.sizeBytes ?? 0;
  await tx.accounts.unreserve(accountId, replacedBytes);
  const account = await tx.accounts.find(accountId);
  if (!account) throw quotaExceeded(account, sizeBytes);
  const reserve = (quotaBytes: number) => tx.accounts.reserve(accountId, sizeBytes, quotaBytes);
  const storedBytes = upload.storedBytes - replacedBytes + sizeBytes;
  if (!(await reserve(sizeBytes > replacedBytes ? quotaBytesOf(account) : Number.MAX_SAFE_INTEGER))) {
    const mostBytes = await quotaOfPart(tx, account, { ...upload, storedBytes }, tx.now);
    if (!(await reserve(mostBytes))) throw quotaExceeded(account, sizeBytes, mostBytes);
  }
  const sequence = await tx.chunkedUploads.putPart(id, stored, tx.now, maxBytesOf(upload));
  if (sequence === undefined) throw uploadTooLarge(upload);
  return sequence;
}
