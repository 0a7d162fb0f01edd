import type { Caller } from '../access/caller.ts';
import { requireSender } from '../access/require-sender.ts';
import { quotaExceeded } from '../account/quota-exceeded.ts';
import { fitsQuota } from '../account/room.ts';
import { chunkedUploadIdleMs, maxChunkedUploadBytes, maxPartBytes } from '../limits.ts';
import { discardContent, receiveContent, type ReceivedContent } from '../objects/receive-content.ts';
import { uploadFailed } from '../objects/upload-failed.ts';
import { beyond } from '../objects/upload-plan.ts';
import { quotaBytesOf } from '../plan.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import { MetadataUnavailable, type Metadata, type Transaction } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { maxS3PutBytes } from '../s3/limits.ts';
import type { PartChecksum } from '../s3/s3-properties.ts';
import { stateAfter, type ChunkedUpload, type NewPart } from './chunked-upload.ts';
import { findChunkedUpload } from './find-chunked-upload.ts';
import { parseUploadHandle } from './handle.ts';
import type { FollowingHash, RunningHashes } from './running-hash.ts';

interface Deps {
  readonly metadata: Metadata<'accounts' | 'apiKeys' | 'chunkedUploads' | 'reservations'>;
  readonly blobs: Pick<BlobStore, 'put'>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'verify'>;
  readonly hashes: RunningHashes;
}

/** Longer than a part of 32 MiB takes at the slowest pace at which its connection is kept, which is nine hours. */
const longestPartMs = chunkedUploadIdleMs / 2;

/** Bytes on their way in, as they are. */
export interface IncomingBytes {
  /** Undefined when nothing says how many they are. */
  readonly announcedBytes: number | undefined;
  /** A chunk holds until the next is asked for. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface PutPart {
  readonly caller: Caller;
  /** The `upload` string. */
  readonly handle: string;
  readonly part: number;
  readonly checksumSha256: string | undefined;
  readonly body: IncomingBytes;
  readonly signal: AbortSignal;
  /** Of a part that comes over S3. */
  readonly s3?: S3Part;
}

/** S3 takes larger parts, and empty ones. */
export interface S3Part {
  /** Its upload, which was found at the gateway and begun there. */
  readonly upload: ChunkedUpload;
  /** The checksum of the bytes, of the algorithm that the upload names, once they have ended. */
  checksum(): PartChecksum | undefined;
}

/**
 * Stores one part, in place of an earlier one of its number. Resolves only once it would survive a power cut. A part that
 * is refused or breaks off leaves the earlier one in force.
 *
 * @throws INVALID_UPLOAD_TOKEN, CHUNK_TOO_LARGE, EMPTY_CHUNK, UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED, FILE_TOO_LARGE,
 *   STORAGE_QUOTA_EXCEEDED, CHECKSUM_MISMATCH, UPLOAD_FAILED, ACCESS_DENIED when the key has ended while the bytes came
 */
export async function putPart(deps: Deps, command: PutPart): Promise<NewPart> {
  const { caller, handle, part, body, s3 } = command;
  try {
    if (!s3) parseUploadHandle(deps.secrets, caller.account.id, handle);
    refuseSize(command);
    const upload = s3?.upload ?? (await findRestUpload(deps, caller, handle));
    const begunAt = deps.clock.now();
    stateAfter(upload, 'part', begunAt);
    const replacedBytes = (await deps.metadata.read.chunkedUploads.part(upload.id, part))?.blob.sizeBytes ?? 0;
    refuseUnlessFits(caller, body, replacedBytes);
    refuseBeyondCap(upload, body.announcedBytes ?? (s3 ? 0 : 1), replacedBytes);
    await keepOpen(deps, upload, begunAt);
    const following = deps.hashes.follow(upload.id, part);
    const received = await receive(deps, command, upload, replacedBytes, following);
    return await commit(deps, command, upload, received, following);
  } catch (error) {
    throw uploadFailed(error);
  }
}

/** Before the body is read. */
function refuseSize({ body: { announcedBytes }, s3 }: PutPart): void {
  if (announcedBytes === 0 && !s3) throw new Refusal('EMPTY_CHUNK');
  if (announcedBytes !== undefined && announcedBytes > maxBytesOfPart(s3))
    throw new Refusal('CHUNK_TOO_LARGE', { detail: `Got ${announcedBytes}.` });
}

function maxBytesOfPart(s3: S3Part | undefined): number {
  return s3 ? maxS3PutBytes : maxPartBytes;
}

/** Parts come through the door at which their upload was begun: each has rules of its own for them. */
async function findRestUpload(deps: Deps, caller: Caller, handle: string): Promise<ChunkedUpload> {
  const upload = await findChunkedUpload(deps, caller, handle);
  if (!upload.s3) return upload;
  throw new Refusal('INVALID_UPLOAD_TOKEN', {
    message: 'This upload was begun over S3: send its parts there. Here it can be looked at, completed and aborted.',
  });
}

/** Before the body is read; the bytes are held while they flow. What adds nothing fits also where the quota shrank. */
function refuseUnlessFits({ account }: Caller, { announcedBytes = 1 }: IncomingBytes, replacedBytes: number): void {
  const addedBytes = announcedBytes - replacedBytes;
  if (addedBytes > 0 && !fitsQuota(account, addedBytes)) throw quotaExceeded(account, addedBytes);
}

/** What all parts together may take. */
function maxBytesOf({ plan }: ChunkedUpload): number {
  return Math.min(maxChunkedUploadBytes, plan.cap?.maxBytes ?? Infinity);
}

function leftBytesOf(upload: ChunkedUpload, replacedBytes: number): number {
  return maxBytesOf(upload) - upload.storedBytes + replacedBytes;
}

function refuseBeyondCap(upload: ChunkedUpload, leastBytes: number, replacedBytes: number): void {
  if (leastBytes > leftBytesOf(upload, replacedBytes)) throw uploadTooLarge(upload);
}

/** A part counts from its beginning: one that begins in time is not too late when its bytes take long. */
async function keepOpen({ metadata }: Deps, { id, activeAt }: ChunkedUpload, begunAt: number): Promise<void> {
  // No part takes so long, and most need no write here.
  if (begunAt - activeAt < longestPartMs) return;
  await metadata.atomically((tx) => tx.chunkedUploads.keepOpen(id, begunAt));
}

/** The refusal of an upload whose parts have grown beyond that. */
function uploadTooLarge({ plan }: ChunkedUpload): Refusal {
  const isCapped = plan.cap !== null && plan.cap.maxBytes < maxChunkedUploadBytes;
  return isCapped
    ? beyond(plan.cap)
    : new Refusal('FILE_TOO_LARGE', { message: 'The parts of one file take at most 10 GiB together.' });
}

async function receive(
  deps: Deps,
  command: PutPart,
  upload: ChunkedUpload,
  replacedBytes: number,
  following: FollowingHash | undefined,
): Promise<ReceivedContent> {
  const { caller, body, checksumSha256, signal } = command;
  const leftBytes = leftBytesOf(upload, replacedBytes);
  try {
    return await receiveContent(deps, {
      account: caller.account,
      source: body.bytes,
      estimatedBytes: body.announcedBytes,
      maxBytes: Math.min(maxBytesOfPart(command.s3), leftBytes),
      replacedBytes,
      // Only the last part of a file is small. Thousands that are would make rows of megabytes, which take long to list and to remove.
      mayBeInline: command.part === 1,
      wantsSha256: checksumSha256 !== undefined,
      runningHash: following?.hash,
      signal,
    });
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'FILE_TOO_LARGE')) throw error;
    throw leftBytes < maxBytesOfPart(command.s3) ? uploadTooLarge(upload) : new Refusal('CHUNK_TOO_LARGE');
  }
}

async function commit(
  deps: Deps,
  command: PutPart,
  upload: ChunkedUpload,
  received: ReceivedContent,
  following: FollowingHash | undefined,
): Promise<NewPart> {
  const { part, checksumSha256, signal, s3 } = command;
  const checksum = s3?.checksum();
  const stored = { part, blob: { ...received.blob, ...(checksum && { checksum }) }, md5: received.md5 };
  try {
    if (received.sizeBytes === 0 && !s3) throw new Refusal('EMPTY_CHUNK');
    if (checksumSha256 !== undefined && checksumSha256 !== received.sha256)
      throw new Refusal('CHECKSUM_MISMATCH', { detail: `Announced ${checksumSha256}, got ${received.sha256}.` });
    // A client that has gone away gets no answer, so nothing may be changed for it.
    signal.throwIfAborted();
    const sequence = await deps.metadata.atomically((tx) => write(tx, command.caller, upload.id, stored, received));
    if (following) following.keep(sequence);
    else deps.hashes.drop(upload.id, part);
    return stored;
  } catch (error) {
    const discarded = discardContent(deps, received);
    // A database that does not answer would keep the client waiting a second time.
    if (!(error instanceof MetadataUnavailable)) await discarded;
    throw error;
  }
}

/** Answers the sequence under which the part is stored. The upload may have been closed while the bytes came. */
async function write(
  tx: Transaction<'accounts' | 'apiKeys' | 'chunkedUploads' | 'reservations'>,
  caller: Caller,
  uploadId: string,
  stored: NewPart,
  { reservationId }: ReceivedContent,
): Promise<number> {
  await requireSender(tx, caller);
  const upload = await tx.chunkedUploads.find(uploadId);
  stateAfter(upload, 'part', tx.now);
  const { accountId } = upload!;
  if (reservationId !== undefined) await tx.reservations.release(reservationId);
  const replaced = await tx.chunkedUploads.part(uploadId, stored.part);
  const replacedBytes = replaced?.blob.sizeBytes ?? 0;
  await tx.accounts.giveBack(accountId, replacedBytes);
  const account = await tx.accounts.find(accountId);
  const quotaBytes =
    account && (stored.blob.sizeBytes > replacedBytes ? quotaBytesOf(account) : Number.MAX_SAFE_INTEGER);
  if (quotaBytes === undefined || !(await tx.accounts.hold(accountId, stored.blob.sizeBytes, quotaBytes)))
    throw quotaExceeded(account, stored.blob.sizeBytes);
  const sequence = await tx.chunkedUploads.putPart(uploadId, stored, tx.now, maxBytesOf(upload!));
  if (sequence === undefined) throw uploadTooLarge(upload!);
  return sequence;
}
