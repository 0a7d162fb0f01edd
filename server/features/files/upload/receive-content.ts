import { hash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import type { BlobHashes, BlobStore } from '#server/domain/ports/blobs.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata, Writes } from '#server/domain/ports/metadata.ts';
import { quotaBytesOf } from '#server/domain/plan.ts';
import { maxInlineBytes } from '#server/domain/limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { ReceivedBlob } from '#server/domain/contents/table.ts';
import { yieldingBytes, type GivingWay, type Yielding } from '../give-way.ts';
import { QuotaReservation, type QuotaRequest } from './quota-reservation.ts';

/** The ports that receiving bytes needs. */
export interface ReceiveDeps {
  readonly metadata: Metadata<GivingWay | 'reservations'>;
  readonly blobs: Pick<BlobStore, 'put' | 'sealInline'>;
  readonly ids: Ids;
}

export interface Incoming extends QuotaRequest {
  /** Undefined if nothing gives way to these bytes. */
  readonly yielding?: Yielding | undefined;
  /** A chunk is valid until the next one is requested. */
  readonly source: AsyncIterable<Uint8Array>;
  /** Returns the refusal of more bytes than `maxBytes`. Default: FILE_TOO_LARGE with the contract's message. */
  readonly tooLarge?: () => Refusal;
  /** `false` keeps bytes out of the row, however few they are. */
  readonly mayBeInline?: boolean;
  /** `false` saves the time that the SHA-256 takes. */
  readonly wantsSha256?: boolean;
  /** A hash of more than this content, which is fed with these bytes too. */
  readonly runningHash?: Hash | undefined;
  readonly signal: AbortSignal;
}

/** Bytes that have arrived and that no row names yet. They are durable, or few enough to go into the row. */
export interface ReceivedContent {
  readonly blob: ReceivedBlob;
  readonly sizeBytes: number;
  /** Null if it was not wanted. */
  readonly sha256: string | null;
  /** In hex: the file's ETag. */
  readonly md5: string;
  /** Undefined for inline bytes, which are checked against the quota when they are written. */
  readonly reservationId: string | undefined;
}

/** Counts the bytes, enforces their limit, and computes their CRC-32. */
class Meter {
  readonly incoming: Incoming;
  sizeBytes = 0;
  crc32 = 0;

  constructor(incoming: Incoming) {
    this.incoming = incoming;
  }

  /**
   * Adds a chunk to the size.
   *
   * @throws FILE_TOO_LARGE, or the refusal of `tooLarge`
   */
  count(chunk: Uint8Array): void {
    const { maxBytes, tooLarge = () => new Refusal('FILE_TOO_LARGE') } = this.incoming;
    this.sizeBytes += chunk.length;
    if (this.sizeBytes > maxBytes) throw tooLarge();
    this.crc32 = crc32(chunk, this.crc32);
  }
}

/** Hashes few bytes, which is faster at once than in steps. */
function digestsOf(bytes: Uint8Array, { wantsSha256, runningHash }: Incoming): BlobHashes {
  runningHash?.update(bytes);
  return { sha256: wantsSha256 === false ? null : hash('sha256', bytes, 'hex'), md5: hash('md5', bytes, 'hex') };
}

/**
 * Receives a file's bytes. Up to 16 KiB stay in memory and go into the database with the row. Larger files flow into a
 * blob, and quota is reserved for them. The caller then names the bytes in a row or discards them, as `storeContent()`
 * does.
 *
 * @throws FILE_TOO_LARGE, or the refusal of `tooLarge`
 * @throws STORAGE_QUOTA_EXCEEDED
 */
export async function receiveContent(deps: ReceiveDeps, incoming: Incoming): Promise<ReceivedContent> {
  const meter = new Meter(incoming);
  const chunks = incoming.source[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  while (meter.sizeBytes <= (incoming.mayBeInline === false ? 0 : maxInlineBytes)) {
    const { done, value } = await chunks.next();
    if (done) {
      const bytes = Buffer.concat(head);
      const [blobId, sizeBytes] = [deps.ids.blobId(), bytes.length];
      const inline = deps.blobs.sealInline?.(blobId, bytes) ?? bytes;
      const blob = { blobId, sizeBytes, inline, crc32: meter.crc32 };
      return { blob, sizeBytes, ...digestsOf(bytes, incoming), reservationId: undefined };
    }
    meter.count(value);
    head.push(new Uint8Array(value)); // copied, because the source may reuse its chunk
  }
  return receiveBlob(deps, meter, head, chunks);
}

/** What other uploads of the account may reserve while one looks at what gives way to it. */
const reservedByOthersBytes = 512 * 1024 ** 2;

/** Counts what gives way to the bytes among what their commit will free. Only the commit purges it. */
function withYielding({ metadata: { read } }: ReceiveDeps, incoming: Incoming): QuotaRequest {
  const { yielding, maxBytes, freedAtCommit } = incoming;
  if (!yielding) return incoming;
  return {
    ...incoming,
    async freedAtCommit() {
      const [freed, account] = await Promise.all([freedAtCommit?.(), read.accounts.find(incoming.account.id)]);
      const { usedBytes, reservedBytes } = account ?? incoming.account;
      const quotaBytes = quotaBytesOf(incoming.account);
      const beyondBytes = Math.max(0, usedBytes + reservedBytes - quotaBytes);
      const bytes = await yieldingBytes(read, yielding, maxBytes + beyondBytes + reservedByOthersBytes);
      return { ...freed, quotaBytes: Math.max(freed?.quotaBytes ?? 0, quotaBytes) + bytes };
    },
  };
}

async function receiveBlob(
  deps: ReceiveDeps,
  meter: Meter,
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): Promise<ReceivedContent> {
  const { incoming } = meter;
  const quota = new QuotaReservation(deps, withYielding(deps, incoming));
  const { announcedBytes, maxBytes, runningHash, signal, wantsSha256 = true } = incoming;

  async function* flow(): AsyncGenerator<Uint8Array> {
    for (const chunk of head) {
      runningHash?.update(chunk);
      yield chunk;
    }
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      meter.count(next.value);
      runningHash?.update(next.value);
      await quota.count(meter.sizeBytes);
      yield next.value;
    }
    await quota.complete(meter.sizeBytes);
  }

  const { blobId, reservationId } = quota;
  let hashes: BlobHashes;
  try {
    await quota.begin(meter.sizeBytes);
    hashes = await deps.blobs.put(blobId, flow(), {
      signal,
      announcedBytes: announcedBytes === undefined ? undefined : Math.min(announcedBytes, maxBytes),
      wantsSha256,
      isExact: incoming.leastBytes === undefined,
    });
  } catch (error) {
    if (quota.isBegun) await releaseAndMark(deps.metadata, incoming.account.id, { reservationId, blobId });
    throw error;
  }
  const { sizeBytes } = meter;
  const blob = { blobId, sizeBytes, inline: null, crc32: meter.crc32 };
  return { blob, sizeBytes, ...hashes, reservationId };
}

/** Discards received bytes: frees their quota, and marks their blob for removal. Never rejects. */
export async function discardContent(
  { metadata }: { readonly metadata: Writes<'reservations'> },
  accountId: string,
  { reservationId, blob }: ReceivedContent,
): Promise<void> {
  if (reservationId !== undefined) await releaseAndMark(metadata, accountId, { reservationId, blobId: blob.blobId });
}

/** The backoff while the metadata store cannot be written. It doubles from the first pause up to the last. */
const firstPauseMs = 1_000;
const lastPauseMs = 5 * 60_000;

/**
 * Frees the quota and marks the blob for deletion, and retries in the background. Resolves after the first try. The
 * cause that failed the upload (a full disk, a lock) may fail this too, and the upload's error is the one that matters.
 * The next start of the server frees the quota that is still reserved.
 */
async function releaseAndMark(
  metadata: Writes<'reservations'>,
  accountId: string,
  unnamed: { readonly reservationId: string; readonly blobId: string },
  pauseMs = firstPauseMs,
): Promise<void> {
  try {
    await metadata.atomically(
      async (tx) => {
        await tx.reservations.release(unnamed.reservationId);
        // A failed put removes its bytes itself, if its disk lets it.
        await tx.reservations.markForDeletion(unnamed.blobId);
      },
      { account: accountId },
    );
  } catch {
    setTimeout(
      () => void releaseAndMark(metadata, accountId, unnamed, Math.min(2 * pauseMs, lastPauseMs)),
      pauseMs,
    ).unref();
  }
}
