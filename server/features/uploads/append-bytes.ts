import { createHash, timingSafeEqual } from 'node:crypto';

import type { BodyChecksum } from '#server/domain/checksums/body-checksum.ts';
import type { BytesSender } from '#server/domain/access/require-sender.ts';
import { stateAfter, type ChunkedUpload, type NewPart } from './chunked-upload.ts';
import { parsePartNumber } from './part-number.ts';
import type { IncomingBytes } from '#server/domain/incoming-bytes.ts';
import { maxBytesOf, requireStillOpen, uploadTooLarge, writePart, type PartTables } from './put-part.ts';
import { requirePartFit, freedForPart } from './quota-of-parts.ts';
import type { RunningHashCache } from './running-hash.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import { maxPartBytes } from '#server/domain/limits.ts';
import { cutAfterMs, cutPartBytes, maxParts } from './limits.ts';
import type { Yielding } from '#server/features/files/give-way.ts';
import { storeContent } from '#server/features/files/upload/store-content.ts';
import { uploadFailed } from '#server/features/files/upload/upload-failed.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { CutSource } from './cut-source.ts';
import { mergeSmallParts } from './merge-small-parts.ts';
import { serialState, type SerialState } from './serial-state.ts';
import type { UploadTurn } from './upload-turns.ts';
import { requireOpen, requireWriter, Writing } from './writing.ts';

interface AppendDeps {
  readonly metadata: Metadata<PartTables | 'reservations'>;
  readonly blobs: Pick<BlobStore, 'open' | 'openInline' | 'put' | 'sealInline'>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly hashes: RunningHashCache;
  /** Called with the size of each part that was stored. */
  noteStored(sizeBytes: number): void;
}

interface AppendBytes {
  readonly sender: BytesSender;
  readonly upload: UploadLookup;
  /** Where the bytes begin. */
  readonly offsetBytes: number;
  /** The size of the whole file, if this request says it. */
  readonly declaredBytes: number | undefined;
  readonly checksum: BodyChecksum | undefined;
  readonly body: IncomingBytes;
  /** Undefined if nothing gives way to the bytes. */
  readonly yielding?: Yielding | undefined;
  /** Called when a body without an announced length reaches beyond the announced size, before it is refused. */
  onOverrun?(): Promise<void>;
  /** Called when further bytes are durable, with the new offset. */
  onProgress?(offsetBytes: number): void;
}

/**
 * Appends bytes at the end of an upload and returns its state. The server cuts them into parts. All that has arrived is
 * stored, also when the body breaks off, and then its error is thrown. With a checksum, all bytes are stored or none.
 *
 * @param turn the caller has it, and ends it
 * @throws UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED, UPLOAD_COMPLETED, UPLOAD_IS_FINAL, UPLOAD_OFFSET_MISMATCH,
 *   SIZE_MISMATCH, FILE_TOO_LARGE, CHUNK_TOO_LARGE, STORAGE_QUOTA_EXCEEDED, UPLOAD_CHECKSUM_MISMATCH, UPLOAD_BUSY,
 *   UPLOAD_FAILED
 */
export async function appendBytes(deps: AppendDeps, command: AppendBytes, turn: UploadTurn): Promise<SerialState> {
  try {
    const before = await serialState(deps, command.upload, 'part');
    requireOpen(before.upload, deps.clock.now());
    const limit = checkAnnounced(command, before);
    const { sender, body, yielding } = command;
    const { upload } = before;
    await requirePartFit(deps, sender.account, { upload, addedBytes: body.announcedBytes ?? 1, yielding });
    const writing = await begin(deps, command, before);
    if (command.body.announcedBytes !== 0)
      await receive(deps, command, { turn, writing, limit, upload: before.upload });
    return await serialState(deps, command.upload);
  } catch (error) {
    // Only a client that has closed half of its connection reads this.
    if (error instanceof Refusal && error.code === 'EMPTY_CHUNK') throw brokenOff();
    throw uploadFailed(error);
  }
}

function brokenOff(): Refusal {
  return new Refusal('UPLOAD_BUSY', {
    message:
      'The body ended before it was whole, and what had arrived is stored. Ask for the offset, then go on there.',
  });
}

/**
 * Checks what is known before the first byte. Returns the limit that the bytes have to keep.
 *
 * @throws UPLOAD_OFFSET_MISMATCH, SIZE_MISMATCH, FILE_TOO_LARGE, CHUNK_TOO_LARGE
 */
function checkAnnounced(command: AppendBytes, { upload, offsetBytes }: SerialState): Limit {
  const { declaredBytes = upload.declaredBytes, body, checksum } = command;
  if (command.offsetBytes !== offsetBytes) throw new Refusal('UPLOAD_OFFSET_MISMATCH', { offsetBytes });
  if (upload.declaredBytes !== null && declaredBytes !== upload.declaredBytes)
    throw otherSize(`The upload has ${upload.declaredBytes} bytes, and this request says ${declaredBytes}.`);
  const mostBytes = maxBytesOf(upload);
  const announcedBytes = body.announcedBytes ?? 0;
  if (declaredBytes !== null && declaredBytes < offsetBytes + announcedBytes)
    throw otherSize(`The file has ${declaredBytes} bytes, and this request reaches ${offsetBytes + announcedBytes}.`);
  if ((declaredBytes ?? offsetBytes + announcedBytes) > mostBytes) throw uploadTooLarge(upload);
  if (checksum && announcedBytes > maxPartBytes) throw checkedTooLarge();
  return declaredBytes === null
    ? { bytes: mostBytes, isDeclared: false, refusal: () => uploadTooLarge(upload) }
    : {
        bytes: declaredBytes,
        isDeclared: true,
        refusal: () => otherSize(`The file has ${declaredBytes} bytes, and this request has more.`),
      };
}

/** The largest size that the file may have, and what a request with more bytes is told. */
interface Limit {
  readonly bytes: number;
  /** Whether the client has announced this size itself. */
  readonly isDeclared: boolean;
  refusal(): Refusal;
}

function otherSize(detail: string): Refusal {
  return new Refusal('SIZE_MISMATCH', { message: `${detail} Send exactly what was announced.` });
}

function checkedTooLarge(): Refusal {
  return new Refusal('CHUNK_TOO_LARGE', {
    message: `A body with Upload-Checksum has at most ${maxPartBytes} bytes (32 MiB). Send smaller pieces.`,
  });
}

/**
 * Makes this request the upload's writer. Parts behind a gap are dropped, because the bytes go on at the gap.
 *
 * @throws UPLOAD_BUSY if the upload has changed
 */
async function begin(
  { metadata, ids }: AppendDeps,
  { declaredBytes, body }: AppendBytes,
  { upload, parts, hasGap }: SerialState,
): Promise<Writing> {
  const writer = ids.opaqueId();
  const revision = await metadata.atomically(
    async (tx) => {
      const current = await tx.chunkedUploads.find(upload.id);
      stateAfter(current, 'part', tx.now);
      if (current!.revision !== upload.revision) throw new Refusal('UPLOAD_BUSY');
      await tx.chunkedUploads.setWriter(upload.id, writer);
      if (declaredBytes !== undefined && upload.declaredBytes === null)
        await tx.chunkedUploads.declareSize(upload.id, declaredBytes);
      if (parts.some(({ isCut }) => !isCut)) await tx.chunkedUploads.markCut(upload.id, parts.length);
      if (!hasGap) {
        // Empty requests keep no upload open.
        if (body.announcedBytes !== 0) await tx.chunkedUploads.keepOpen(upload.id, tx.now);
        return upload.revision;
      }
      const kept = parts.reduce((sum, { blob }) => sum + blob.sizeBytes, 0);
      await tx.accounts.unreserve(upload.accountId, current!.storedBytes - kept);
      return tx.chunkedUploads.replaceParts(upload.id, { first: parts.length + 1, last: maxParts }, undefined, tx.now);
    },
    { account: upload.accountId },
  );
  return new Writing(upload.id, writer, parts, revision);
}

interface Receiving {
  readonly turn: UploadTurn;
  readonly writing: Writing;
  readonly limit: Limit;
  /** As it was when the request began. */
  readonly upload: ChunkedUpload;
}

async function receive(deps: AppendDeps, command: AppendBytes, receiving: Receiving): Promise<void> {
  const { turn, writing, limit } = receiving;
  const source = new CutSource(command.body.bytes, turn.stop, deps.clock);
  await mergeSmallParts(deps, command.sender.account, writing);
  while (await source.hasMore()) {
    if (writing.offsetBytes >= limit.bytes) {
      if (limit.isDeclared) await command.onOverrun?.();
      throw limit.refusal();
    }
    const { blob } = await storePiece(deps, command, receiving, source);
    deps.noteStored(blob.sizeBytes);
    await mergeSmallParts(deps, command.sender.account, writing);
    command.onProgress?.(writing.offsetBytes);
  }
  if (source.failure) throw source.failure.error;
}

async function storePiece(
  deps: AppendDeps,
  { sender, body, checksum, offsetBytes, yielding }: AppendBytes,
  { writing, limit, upload }: Receiving,
  source: CutSource,
): Promise<NewPart> {
  const part = parsePartNumber(writing.parts.length + 1, maxParts);
  if (part === undefined)
    throw new Refusal('FILE_TOO_LARGE', { message: `A file may have at most ${maxParts} parts. Start a new upload.` });
  const maxBytes = Math.min(checksum ? maxPartBytes : cutPartBytes, limit.bytes - writing.offsetBytes);
  const announcedBytes = body.announcedBytes && body.announcedBytes - (writing.offsetBytes - offsetBytes);
  const hash = checksum && createHash(checksum.algorithm);
  const following = deps.hashes.follow(writing.uploadId, part);
  const piece = source.piece({ maxBytes, maxMs: checksum ? Infinity : cutAfterMs });
  const incoming = {
    account: sender.account,
    source: hash ? hashing(piece, hash) : piece,
    // The piece ends early if the connection breaks.
    announcedBytes: announcedBytes && Math.min(announcedBytes, maxBytes),
    leastBytes: 1,
    maxBytes,
    yielding,
    freedAtCommit: () => freedForPart(deps, upload, announcedBytes ? Math.min(announcedBytes, maxBytes) : maxBytes),
    mayBeInline: true,
    wantsSha256: false,
    runningHash: following?.hash,
    signal: new AbortController().signal,
  };
  const stored = await storeContent(deps, incoming, {
    async check() {
      await sender.requireBefore?.();
      if (!checksum) return;
      if (await source.hasMore()) throw checkedTooLarge();
      if (source.failure) throw source.failure.error;
      const value = hash!.digest();
      if (value.length !== checksum.value.length || !timingSafeEqual(value, checksum.value))
        throw new Refusal('UPLOAD_CHECKSUM_MISMATCH');
    },
    async write(tx, { blob, md5 }) {
      const fresh = { part, blob, md5, isCut: true as const };
      const current = await requireStillOpen(tx, sender, writing.uploadId);
      requireWriter(current, writing);
      return { ...fresh, sequence: await writePart(tx, current, fresh) };
    },
  });
  writing.replace(part, stored);
  if (following) following.keep(stored.sequence);
  else deps.hashes.drop(writing.uploadId, part);
  return stored;
}

async function* hashing(
  source: AsyncIterable<Uint8Array>,
  hash: { update(bytes: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}
