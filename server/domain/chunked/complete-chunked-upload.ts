import type { Caller } from '../access/caller.ts';
import { requireSender } from '../access/require-sender.ts';
import type { Actor } from '../activity/activity.ts';
import type { Checksum } from '../checksums/algorithms.ts';
import { wholeChecksum } from '../checksums/whole-checksum.ts';
import { maxHashedAtOnceBytes } from '../limits.ts';
import type { BlobReference } from '../objects/contents-table.ts';
import { readContent } from '../objects/read-content.ts';
import { storeObject } from '../objects/store-object.ts';
import { uploadFailed } from '../objects/upload-failed.ts';
import { plannedRow } from '../objects/upload-plan.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata, Transaction } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { bytesOf, cameInOrder, checkParts, etagOf } from './check-parts.ts';
import { stateAfter, type ChunkedUpload, type StoredPart, type UploadOutcome } from './chunked-upload.ts';
import { findChunkedUpload } from './find-chunked-upload.ts';
import type { PartChoice } from './part-choice.ts';
import type { RunningHashes } from './running-hash.ts';
import { allParts, blobOf } from './stored-parts.ts';

interface Deps {
  readonly metadata: Metadata<'accounts' | 'activity' | 'apiKeys' | 'chunkedUploads' | 'contents' | 'objects'>;
  readonly blobs: Pick<BlobStore, 'open'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'verify'>;
  readonly hashes: RunningHashes;
  /** Told when there is a file whose SHA-256 is still to be computed. */
  onUnhashed(): void;
}

export interface CompleteChunkedUpload {
  readonly caller: Caller;
  /** The `upload` string. */
  readonly handle: string;
  readonly checksumSha256: string | undefined;
  readonly actor: Actor;
  /** Of a completion that lists its parts; without one the file has all of them, numbered without a gap. */
  readonly choice?: PartChoice;
}

export interface CompletedChunkedUpload {
  readonly upload: ChunkedUpload;
  readonly outcome: UploadOutcome;
}

/**
 * Makes the file of its parts, whose bytes stay where they are. Asked again it answers the same for 24 hours. What is
 * refused leaves the upload open.
 *
 * @throws INVALID_UPLOAD_TOKEN, UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED, NO_CHUNKS_UPLOADED, INVALID_CHUNK_PART,
 *   CHUNK_TOO_SMALL,
 *   FILE_TOO_SMALL, SIZE_MISMATCH, CHECKSUM_MISMATCH, OBJECT_ALREADY_EXISTS, STORAGE_QUOTA_EXCEEDED, UPLOAD_FAILED
 */
export async function completeChunkedUpload(
  deps: Deps,
  command: CompleteChunkedUpload,
): Promise<CompletedChunkedUpload> {
  try {
    for (;;) {
      const upload = await findChunkedUpload(deps, command.caller, command.handle);
      stateAfter(upload, 'complete', deps.clock.now());
      // Its parts are read after its revision, so that parts that change in between are noticed where the file is made.
      const outcome = upload.outcome ? answeredBefore(upload.outcome, command) : await complete(deps, command, upload);
      if (outcome) return { upload, outcome };
    }
  } catch (error) {
    throw uploadFailed(error);
  }
}

/**
 * A checksum can be compared with what was answered at first, and nothing was where the job had yet to read the file.
 */
function answeredBefore(outcome: UploadOutcome, { checksumSha256, choice }: CompleteChunkedUpload): UploadOutcome {
  choice?.requireWhole(outcome);
  if (checksumSha256 === undefined || outcome.sha256 === null || checksumSha256 === outcome.sha256) return outcome;
  throw new Refusal('CHECKSUM_MISMATCH', {
    message:
      'The upload is complete, and the file that it stored has another SHA-256. Look at the file, or upload it again.',
  });
}

/** Undefined when parts have changed meanwhile. */
async function complete(
  deps: Deps,
  command: CompleteChunkedUpload,
  upload: ChunkedUpload,
): Promise<UploadOutcome | undefined> {
  const { checksumSha256, choice } = command;
  const stored = await allParts(deps.metadata.read.chunkedUploads, upload.id);
  let parts: readonly StoredPart[];
  let checksum: Checksum | undefined;
  let sha256: string | null;
  try {
    parts = choice ? choice.choose(stored) : checkParts(stored, upload.listed === null);
    requireDeclaredSize(upload, bytesOf(parts));
    checksum = await checksumOf(upload, parts);
    choice?.requireWhole({ sizeBytes: bytesOf(parts), checksum });
    sha256 = await hashOf(deps, upload, parts, {
      isAwaited: checksumSha256 !== undefined,
      isAnswered: choice === undefined,
    });
  } catch (error) {
    // Of parts that were replaced, or that a completion beside this one has taken, nothing can be said.
    if (await isClosedOrChanged(deps, upload)) return undefined;
    throw error;
  }
  if (checksumSha256 !== undefined && checksumSha256 !== sha256) {
    throw new Refusal('CHECKSUM_MISMATCH', {
      message: 'The parts together have another SHA-256 than announced. Send the wrong part again, then complete.',
    });
  }
  const outcome = await deps.metadata.atomically((tx) => write(tx, deps, command, upload, { parts, checksum, sha256 }));
  if (outcome) deps.hashes.forget(upload.id);
  if (outcome?.sha256 === null) deps.onUnhashed();
  return outcome;
}

/** Of what each part has; undefined when the upload was started without one. */
async function checksumOf({ listed }: ChunkedUpload, parts: readonly StoredPart[]): Promise<Checksum | undefined> {
  if (!listed?.checksum) return undefined;
  const stretches = parts.map(({ blob: { sizeBytes, checksum } }) => ({ sizeBytes, value: checksum!.value }));
  return wholeChecksum(listed.checksum.algorithm, listed.checksum.type, stretches);
}

/** @throws SIZE_MISMATCH */
function requireDeclaredSize({ declaredBytes }: ChunkedUpload, sizeBytes: number): void {
  if (declaredBytes === null || declaredBytes === sizeBytes) return;
  const message = `The parts come to ${sizeBytes} bytes, and the upload was started with size=${declaredBytes}. It stays open: send the missing or wrong parts again, then complete it.`;
  throw new Refusal('SIZE_MISMATCH', { message });
}

async function isClosedOrChanged({ metadata }: Deps, { id, revision }: ChunkedUpload): Promise<boolean> {
  const current = await metadata.read.chunkedUploads.find(id);
  return current?.state !== 'open' || current.revision !== revision;
}

/**
 * Who looks at the SHA-256 of a completion: the client sends it, or is told it. Where the parts are listed it is
 * neither.
 */
interface HashUse {
  readonly isAwaited: boolean;
  readonly isAnswered: boolean;
}

/**
 * Null where it is left to a job: a large file whose parts came in another order, or whose client does not ask for it.
 */
async function hashOf(
  { metadata, blobs, hashes }: Deps,
  { id, revision }: ChunkedUpload,
  parts: readonly StoredPart[],
  { isAwaited, isAnswered }: HashUse,
): Promise<string | null> {
  const known = hashes.known(id, parts);
  if (known !== undefined) return known;
  if (!isAwaited && bytesOf(parts) > maxHashedAtOnceBytes && !(isAnswered && cameInOrder(parts))) return null;
  return hashes.of(id, revision, parts, async function* (part) {
    const blob = await blobOf(metadata.read.chunkedUploads, id, part);
    yield* await readContent({ blobs }, { id: blob.blobId, sizeBytes: blob.sizeBytes, blobs: [blob] });
  });
}

/** What a completion makes of an upload. */
interface Whole {
  /** Those of its parts that the file will have. */
  readonly parts: readonly StoredPart[];
  readonly checksum: Checksum | undefined;
  readonly sha256: string | null;
}

/**
 * Undefined when parts have changed since they were hashed, or another completion has taken them: that too is a
 * revision.
 */
async function write(
  tx: Transaction<'accounts' | 'activity' | 'apiKeys' | 'chunkedUploads' | 'contents' | 'objects'>,
  { ids }: Deps,
  { caller, actor, choice }: CompleteChunkedUpload,
  { id, revision, plan, listed, originalName }: ChunkedUpload,
  { parts, checksum, sha256 }: Whole,
): Promise<UploadOutcome | undefined> {
  // The bytes may have been read for minutes before.
  await requireSender(tx, caller);
  const current = await tx.chunkedUploads.find(id);
  stateAfter(current, 'complete', tx.now);
  if (current!.revision !== revision) return undefined;
  await choice?.requireTarget(tx, plan.address);
  await tx.accounts.giveBack(plan.address.accountId, current!.storedBytes);
  const blobs: BlobReference[] = [];
  for (const part of parts) blobs.push(await blobOf(tx.chunkedUploads, id, part));
  const { object } = await storeObject(tx, ids, {
    ...plannedRow(plan, tx.now),
    blobs,
    sizeBytes: bytesOf(parts),
    etag: etagOf(parts),
    sha256,
    originalName,
    clientProperties: listed && { ...listed.properties, ...(checksum && { checksum }) },
    activity: { type: 'chunked.completed', details: { parts: parts.length }, actor },
  });
  const outcome = {
    sizeBytes: object.sizeBytes,
    parts: parts.length,
    sha256,
    expiresAt: object.expiresAt,
    etag: object.etag,
    ...(checksum && { checksum }),
  };
  await tx.chunkedUploads.complete(id, { contentId: object.contentId, outcome }, tx.now);
  return outcome;
}
