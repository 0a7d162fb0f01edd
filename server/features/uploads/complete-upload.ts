import type { Checksum } from '#server/domain/checksums/algorithms.ts';
import { combineCrc32s } from '#server/domain/checksums/combine-crcs.ts';
import { wholeChecksum } from '#server/domain/checksums/whole-checksum.ts';
import { maxHashedAtOnceBytes } from './limits.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { BlobReference } from '#server/domain/contents/table.ts';
import { readContent } from '#server/domain/contents/read-content.ts';
import type { NewObject, PlacedObject } from '#server/features/files/store-object.ts';
import type { FileTables } from '#server/features/files/table.ts';
import { completionFailed } from '#server/features/files/upload/upload-failed.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { stateAfter, type ChunkedUpload, type StoredPart, type UploadOutcome } from './chunked-upload.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import { allParts, blobOf, bytesOf, cameInOrder, checkParts, etagOf } from './parts.ts';
import type { RunningHashCache } from './running-hash.ts';

export type CompletingTables = FileTables | 'apiKeys' | 'chunkedUploads' | 'uploadTokens';

export interface CompleteDeps {
  readonly metadata: Metadata<CompletingTables>;
  readonly blobs: Pick<BlobStore, 'open' | 'openInline'>;
  readonly ids: Pick<Ids, 'nameHash' | 'orderedId'>;
  readonly clock: Clock;
  readonly hashes: RunningHashCache;
  /** Called when a file is stored without its SHA-256, which a job then computes. */
  onUnhashed(): void;
}

/** The size and checksum of the file that the parts make. */
export interface WholeFile {
  readonly sizeBytes: number;
  readonly checksum?: Checksum | undefined;
}

/** The choices of a completion that lists its parts. Each method throws to reject the completion. */
export interface PartChoice {
  /** Returns the parts that the file will have. The others are dropped. */
  choose(stored: readonly StoredPart[]): readonly StoredPart[];
  /** Compares the file with the client's claims about it, even if the upload was completed before. */
  requireWhole(whole: WholeFile): void;
  /** Checks the conditions of the write, in the transaction that writes. */
  requireTarget(tx: Transaction<'objects'>, address: ObjectAddress): Promise<unknown>;
}

/** The choices of every completion. */
export interface Choices {
  readonly upload: UploadLookup;
  readonly checksumSha256: string | undefined;
  /** `false` leaves the SHA-256 of a large file to a job, unless it is known. Default `true`. */
  readonly isHashAnswered?: boolean;
  /** Given by a completion that lists its parts. Without it the file has all parts, numbered without a gap. */
  readonly choice?: PartChoice;
}

/** A completion of any upload, also of one to a file request. */
interface Completing extends Choices {
  /**
   * Runs `work` in a transaction. `work` closes the upload, after `place` has written the row of the file. Before that,
   * the sender is checked again: reading the bytes may have taken minutes.
   */
  commit(work: CompletingWork): Promise<UploadOutcome | undefined>;
}

/** Returns undefined if the upload has changed. */
type CompletingWork = (
  tx: Transaction<CompletingTables>,
  place: (ready: ReadyUpload) => Promise<PlacedObject>,
) => Promise<UploadOutcome | undefined>;

/** An upload whose bytes are about to become a file. Their quota is released. */
export interface ReadyUpload {
  readonly upload: ChunkedUpload;
  readonly content: Pick<NewObject, 'blobs' | 'crc32' | 'etag' | 'sha256' | 'sizeBytes'>;
  readonly checksum: Checksum | undefined;
}

export interface CompletedChunkedUpload {
  readonly upload: ChunkedUpload;
  readonly outcome: UploadOutcome;
}

/**
 * Makes a file of an upload's parts, without copying their bytes. `commit` chooses its place. A repeated completion
 * returns the same for 24 hours. A rejected one leaves the upload open.
 *
 * @throws INVALID_UPLOAD_TOKEN, UPLOAD_NOT_FOUND, NO_CHUNKS_UPLOADED, INVALID_CHUNK_PART, CHUNK_TOO_SMALL,
 *   FILE_TOO_SMALL, SIZE_MISMATCH, CHECKSUM_MISMATCH, STORAGE_QUOTA_EXCEEDED, UPLOAD_FAILED, and what `commit` throws
 */
export async function completeUpload(deps: CompleteDeps, command: Completing): Promise<CompletedChunkedUpload> {
  try {
    for (let upload = await command.upload.find(); ; upload = await command.upload.findAgain()) {
      stateAfter(upload, 'complete', deps.clock.now());
      if (upload.serial?.isPartial) throw isPartial();
      // The parts are read after the revision, so that the transaction notices parts that change in between.
      const outcome = upload.outcome ? answeredBefore(upload.outcome, command) : await complete(deps, command, upload);
      if (outcome) return { upload, outcome };
    }
  } catch (error) {
    throw completionFailed(error);
  }
}

function isPartial(): Refusal {
  return new Refusal('INVALID_UPLOAD_TOKEN', {
    message: 'This is a partial upload of tus. Name it in the Upload-Concat of the upload that it is a part of.',
  });
}

/**
 * Returns the outcome of the first completion. Its SHA-256 is null if a job had yet to read the file, and is then not
 * compared.
 *
 * @throws CHECKSUM_MISMATCH
 */
function answeredBefore(outcome: UploadOutcome, { checksumSha256, choice }: Choices): UploadOutcome {
  choice?.requireWhole(outcome);
  if (checksumSha256 === undefined || outcome.sha256 === null || checksumSha256 === outcome.sha256) return outcome;
  throw new Refusal('CHECKSUM_MISMATCH', {
    message:
      'The upload is complete, and the stored file has another SHA-256 than this one. Compare the file, or ' +
      'upload it again.',
  });
}

/** The file that a completion makes of an upload. */
interface Whole {
  /** The parts that the file will have. */
  readonly parts: readonly StoredPart[];
  readonly checksum: Checksum | undefined;
  readonly sha256: string | null;
  readonly crc32: number;
}

/** Returns undefined if the upload was closed or its parts changed meanwhile. */
async function complete(
  deps: CompleteDeps,
  command: Completing,
  upload: ChunkedUpload,
): Promise<UploadOutcome | undefined> {
  let whole: Whole;
  try {
    whole = await wholeOf(deps, command, upload);
  } catch (error) {
    // The error may be about parts that were replaced, or that another completion has taken.
    if (await isClosedOrChanged(deps, upload)) return undefined;
    throw error;
  }
  if (command.checksumSha256 !== undefined && command.checksumSha256 !== whole.sha256) {
    throw new Refusal('CHECKSUM_MISMATCH', {
      message:
        'All parts together have another SHA-256 than announced. Send the wrong part again, then complete the upload.',
    });
  }
  const outcome = await command.commit((tx, place) => write(tx, place, upload, whole));
  if (outcome) deps.hashes.forget(upload.id);
  if (outcome?.sha256 === null) deps.onUnhashed();
  return outcome;
}

async function wholeOf(
  deps: CompleteDeps,
  { checksumSha256, choice, isHashAnswered = choice === undefined }: Choices,
  upload: ChunkedUpload,
): Promise<Whole> {
  const stored = await allParts(deps.metadata.read.chunkedUploads, upload.id);
  const parts = choice ? choice.choose(stored) : checkParts(stored, !upload.listed && !upload.sentTo);
  requireDeclaredSize(upload, bytesOf(parts));
  const checksum = await checksumOf(upload, parts);
  choice?.requireWhole({ sizeBytes: bytesOf(parts), checksum });
  const use = { isAwaited: checksumSha256 !== undefined, isAnswered: isHashAnswered };
  return {
    parts,
    checksum,
    sha256: await hashOf(deps, upload, parts, use),
    crc32: await combineCrc32s(parts.map(({ blob }) => blob)),
  };
}

/** Combines the checksums of the parts. Returns undefined if the upload was started without one. */
async function checksumOf({ listed }: ChunkedUpload, parts: readonly StoredPart[]): Promise<Checksum | undefined> {
  if (!listed?.checksum) return undefined;
  const stretches = parts.map(({ blob: { sizeBytes, checksum } }) => ({ sizeBytes, value: checksum!.value }));
  return wholeChecksum(listed.checksum.algorithm, listed.checksum.type, stretches);
}

/** @throws SIZE_MISMATCH */
function requireDeclaredSize({ declaredBytes }: ChunkedUpload, sizeBytes: number): void {
  if (declaredBytes === null || declaredBytes === sizeBytes) return;
  const message =
    `All parts together have ${sizeBytes} bytes, but the upload was started with size=${declaredBytes}. It stays ` +
    'open. Send the missing or wrong parts again, then complete it.';
  throw new Refusal('SIZE_MISMATCH', { message });
}

async function isClosedOrChanged({ metadata }: CompleteDeps, { id, revision }: ChunkedUpload): Promise<boolean> {
  const current = await metadata.read.chunkedUploads.find(id);
  return current?.state !== 'open' || current.revision !== revision;
}

/**
 * The client's use of the SHA-256: it sends one to compare, or gets it in the response. With listed parts it does
 * neither.
 */
interface HashUse {
  readonly isAwaited: boolean;
  readonly isAnswered: boolean;
}

/**
 * Returns the SHA-256, or null if a job is to compute it. A job computes the unknown hash of a large file if the client
 * does not compare it. No job is needed if the response contains the hash and the parts came in order.
 */
async function hashOf(
  { metadata, blobs, hashes }: CompleteDeps,
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

/**
 * Writes the file. Returns undefined if the revision is another one: parts have changed, or another completion has
 * taken them.
 */
async function write(
  tx: Transaction<CompletingTables>,
  place: (ready: ReadyUpload) => Promise<PlacedObject>,
  upload: ChunkedUpload,
  { parts, checksum, sha256, crc32 }: Whole,
): Promise<UploadOutcome | undefined> {
  const { id, revision, accountId } = upload;
  const current = await tx.chunkedUploads.find(id);
  stateAfter(current, 'complete', tx.now);
  if (current!.revision !== revision) return undefined;
  await tx.accounts.unreserve(accountId, current!.storedBytes);
  const blobs: BlobReference[] = [];
  for (const part of parts) blobs.push(await blobOf(tx.chunkedUploads, id, part));
  const content = { blobs, sizeBytes: bytesOf(parts), etag: etagOf(parts), sha256, crc32 };
  const { object, isReplaced } = await place({ upload, content, checksum });
  const { sizeBytes, expiresAt, etag, versionId, contentId } = object;
  const facts = { sizeBytes, parts: parts.length, sha256, expiresAt, etag, versionId, isReplaced };
  const outcome = { ...facts, ...(checksum && { checksum }) };
  await tx.chunkedUploads.complete(id, { contentId, outcome }, tx.now);
  return outcome;
}
