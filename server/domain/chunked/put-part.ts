import type { Caller } from '../access/caller.ts';
import { requireSender } from '../access/require-sender.ts';
import { quotaExceeded, requireFit } from '../account/room.ts';
import type { PartChecksum } from '../checksums/algorithms.ts';
import { chunkedUploadIdleMs, maxChunkedUploadBytes, maxListedPartBytes, maxPartBytes } from '../limits.ts';
import { requireSha256, storeContent } from '../objects/store-content.ts';
import { uploadFailed } from '../objects/upload-failed.ts';
import { capExceeded } from '../objects/upload-plan.ts';
import { quotaBytesOf } from '../plan.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata, Transaction } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { stateAfter, type ChunkedUpload, type NewPart } from './chunked-upload.ts';
import { findChunkedUpload } from './find-chunked-upload.ts';
import { parseUploadHandle } from './handle.ts';
import type { RunningHashes } from './running-hash.ts';

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
  /** Of a part of a listed upload. */
  readonly listed?: PartOfListed;
}

/** A part of a listed upload, which may be larger than others, and empty. */
export interface PartOfListed {
  /** Its upload, which has been found already. */
  readonly upload: ChunkedUpload;
  /** The checksum of the bytes, of the algorithm that the upload names, once they have ended. */
  checksum(): PartChecksum | undefined;
}

/**
 * Stores one part, in place of an earlier one of its number. Resolves only once it would survive a power cut. A part
 * that is refused or breaks off leaves the earlier one in force.
 *
 * @throws INVALID_UPLOAD_TOKEN, CHUNK_TOO_LARGE, EMPTY_CHUNK, UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED, FILE_TOO_LARGE,
 *   STORAGE_QUOTA_EXCEEDED, CHECKSUM_MISMATCH, UPLOAD_FAILED, ACCESS_DENIED when the key has ended while the bytes came
 */
export async function putPart(deps: Deps, command: PutPart): Promise<NewPart> {
  const { caller, handle, part, body, listed } = command;
  try {
    if (!listed) parseUploadHandle(deps.secrets, caller.account.id, handle);
    refuseSize(command);
    const upload = listed?.upload ?? (await findOwnUpload(deps, caller, handle));
    const begunAt = deps.clock.now();
    stateAfter(upload, 'part', begunAt);
    const replacedBytes = (await deps.metadata.read.chunkedUploads.part(upload.id, part))?.blob.sizeBytes ?? 0;
    // Before the body is read; the bytes are held while they flow.
    requireFit(caller.account, (body.announcedBytes ?? 1) - replacedBytes);
    const leftBytes = maxBytesOf(upload) - upload.storedBytes + replacedBytes;
    if ((body.announcedBytes ?? (listed ? 0 : 1)) > leftBytes) throw uploadTooLarge(upload);
    await keepOpen(deps, upload, begunAt);
    return await store(deps, command, upload, { leftBytes, replacedBytes });
  } catch (error) {
    throw uploadFailed(error);
  }
}

/** Before the body is read. */
function refuseSize({ body: { announcedBytes }, listed }: PutPart): void {
  if (announcedBytes === 0 && !listed) throw new Refusal('EMPTY_CHUNK');
  if (announcedBytes !== undefined && announcedBytes > maxBytesOfPart(listed))
    throw new Refusal('CHUNK_TOO_LARGE', { detail: `Got ${announcedBytes}.` });
}

function maxBytesOfPart(listed: PartOfListed | undefined): number {
  return listed ? maxListedPartBytes : maxPartBytes;
}

/** Parts of listed uploads are sent in a way of their own. */
async function findOwnUpload(deps: Deps, caller: Caller, handle: string): Promise<ChunkedUpload> {
  const upload = await findChunkedUpload(deps, caller, handle);
  if (!upload.listed) return upload;
  throw new Refusal('INVALID_UPLOAD_TOKEN', {
    message:
      'This upload was not started here: send its parts where it was started. Here it can be looked at, completed and aborted.',
  });
}

/** What all parts together may take. */
function maxBytesOf({ plan }: ChunkedUpload): number {
  return Math.min(maxChunkedUploadBytes, plan.cap?.maxBytes ?? Infinity);
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
    ? capExceeded(plan.cap)
    : new Refusal('FILE_TOO_LARGE', { message: 'The parts of one file take at most 10 GiB together.' });
}

async function store(
  deps: Deps,
  { caller, part, body, checksumSha256, signal, listed }: PutPart,
  upload: ChunkedUpload,
  { leftBytes, replacedBytes }: { readonly leftBytes: number; readonly replacedBytes: number },
): Promise<NewPart> {
  const maxBytes = Math.min(maxBytesOfPart(listed), leftBytes);
  const following = deps.hashes.follow(upload.id, part);
  const incoming = {
    account: caller.account,
    source: body.bytes,
    estimatedBytes: body.announcedBytes,
    maxBytes,
    tooLarge: () => (maxBytes < maxBytesOfPart(listed) ? uploadTooLarge(upload) : new Refusal('CHUNK_TOO_LARGE')),
    replacedBytes,
    // Only the last part of a file is small. Thousands that are would make rows of megabytes, which take long to list
    // and to remove.
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
      return { stored, sequence: await write(tx, caller, upload.id, stored) };
    },
  });
  if (following) following.keep(sequence);
  else deps.hashes.drop(upload.id, part);
  return stored;
}

/** Answers the sequence under which the part is stored. The upload may have been closed while the bytes came. */
async function write(
  tx: Transaction<'accounts' | 'apiKeys' | 'chunkedUploads'>,
  caller: Caller,
  uploadId: string,
  stored: NewPart,
): Promise<number> {
  await requireSender(tx, caller);
  const upload = await tx.chunkedUploads.find(uploadId);
  stateAfter(upload, 'part', tx.now);
  const { accountId } = upload!;
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
