import { createHash, type Hash } from 'node:crypto';

import type { BlobStore } from '../ports/blobs.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata, Writes } from '../ports/metadata.ts';
import { maxInlineBytes } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import type { Account } from '../account/account.ts';
import type { BlobReference } from './contents-table.ts';
import { QuotaHold } from './quota-hold.ts';

/** What taking bytes in takes. */
export interface ReceiveDeps {
  readonly metadata: Metadata<'accounts' | 'reservations'>;
  readonly blobs: Pick<BlobStore, 'put'>;
  readonly ids: Ids;
}

export interface Incoming {
  readonly account: Account;
  /** A chunk holds until the next is asked for. */
  readonly source: AsyncIterable<Uint8Array>;
  /** The size that the headers announce, when they do. */
  readonly estimatedBytes: number | undefined;
  /** Where the announced size may be too large: what it is at least. */
  readonly leastBytes?: number | undefined;
  readonly maxBytes: number;
  /** The refusal of more bytes; FILE_TOO_LARGE in the contract's words when left out. */
  readonly tooLarge?: () => Refusal;
  /**
   * Bytes that count against the quota already and that these will replace: only what goes beyond them is held, as far
   * as there is room for both on the disk.
   */
  readonly replacedBytes?: number | undefined;
  /** `false` keeps bytes out of the row, however few they are. */
  readonly mayBeInline?: boolean;
  /** `false` leaves out the SHA-256, which takes time; it is made unless told. */
  readonly wantsSha256?: boolean;
  /** A hash of more than this content, to be fed with these bytes as well. */
  readonly runningHash?: Hash | undefined;
  readonly signal: AbortSignal;
}

/** Bytes that have arrived and are durable (or small enough to go into the row), but that no row names yet. */
export interface ReceivedContent {
  readonly blob: BlobReference;
  readonly sizeBytes: number;
  /** Null when nobody wanted it. */
  readonly sha256: string | null;
  readonly md5: string;
  /** Undefined for inline bytes: these are checked against the quota where they are written. */
  readonly reservationId: string | undefined;
}

/** One pass over the bytes: hashes, counts, and enforces the limits while they flow. */
class Meter {
  readonly #sha256: Hash | undefined;
  readonly #md5: Hash = createHash('md5');
  readonly #running: Hash | undefined;
  readonly #incoming: Incoming;
  sizeBytes = 0;

  constructor(incoming: Incoming) {
    this.#incoming = incoming;
    this.#running = incoming.runningHash;
    if (incoming.wantsSha256 !== false) this.#sha256 = createHash('sha256');
  }

  /** @throws FILE_TOO_LARGE, or what `tooLarge` makes of it */
  add(chunk: Uint8Array): void {
    const { maxBytes, tooLarge = () => new Refusal('FILE_TOO_LARGE') } = this.#incoming;
    this.sizeBytes += chunk.length;
    if (this.sizeBytes > maxBytes) throw tooLarge();
    this.#sha256?.update(chunk);
    this.#running?.update(chunk);
    this.#md5.update(chunk);
  }

  digests(): { sha256: string | null; md5: string } {
    return { sha256: this.#sha256?.digest('hex') ?? null, md5: this.#md5.digest('hex') };
  }
}

/**
 * Takes a file's bytes in. Up to 16 KiB stay in memory and go into the database with the row; larger files flow into a
 * blob, and quota is held for them. Whoever calls it either names the bytes in a row or discards them: `storeContent()`
 * does one or the other.
 *
 * @throws FILE_TOO_LARGE, or what `tooLarge` makes of it; STORAGE_QUOTA_EXCEEDED
 */
export async function receiveContent(deps: ReceiveDeps, incoming: Incoming): Promise<ReceivedContent> {
  const meter = new Meter(incoming);
  const chunks = incoming.source[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  while (meter.sizeBytes <= (incoming.mayBeInline === false ? 0 : maxInlineBytes)) {
    const { done, value } = await chunks.next();
    if (done) {
      const inline = Buffer.concat(head);
      const blob = { blobId: deps.ids.opaqueId(), sizeBytes: inline.length, inline };
      return { blob, sizeBytes: inline.length, ...meter.digests(), reservationId: undefined };
    }
    meter.add(value);
    head.push(Uint8Array.from(value)); // copied, because the source may use its chunk again
  }
  return receiveBlob(deps, incoming, meter, head, chunks);
}

async function receiveBlob(
  deps: ReceiveDeps,
  incoming: Incoming,
  meter: Meter,
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): Promise<ReceivedContent> {
  const hold = new QuotaHold(deps, incoming);

  async function* flow(): AsyncGenerator<Uint8Array> {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      meter.add(next.value);
      await hold.cover(meter.sizeBytes);
      yield next.value;
    }
    await hold.complete(meter.sizeBytes);
  }

  const { blobId, reservationId } = hold;
  try {
    await hold.begin(meter.sizeBytes);
    const { estimatedBytes } = incoming;
    await deps.blobs.put(
      blobId,
      flow(),
      incoming.signal,
      estimatedBytes === undefined ? undefined : Math.min(estimatedBytes, incoming.maxBytes),
    );
  } catch (error) {
    if (hold.isBegun) await giveBack(deps.metadata, reservationId, blobId);
    throw error;
  }
  const { sizeBytes } = meter;
  return { blob: { blobId, sizeBytes, inline: null }, sizeBytes, ...meter.digests(), reservationId };
}

/** Gives up bytes that were received: the quota is free again, and the blob is left to be removed. Never rejects. */
export async function discardContent(
  { metadata }: { readonly metadata: Writes<'reservations'> },
  { reservationId, blob }: ReceivedContent,
): Promise<void> {
  if (reservationId !== undefined) await giveBack(metadata, reservationId, blob.blobId);
}

/**
 * While the metadata store cannot be written, the next try comes after so long, each time twice as long, up to the
 * last.
 */
const firstPauseMs = 1_000;
const lastPauseMs = 5 * 60_000;

/**
 * Resolves after the first try. What failed the upload may fail this too (a full disk, a lock), and the error that
 * matters is the upload's. What is still held when the process ends is given back at the next start.
 */
async function giveBack(
  metadata: Writes<'reservations'>,
  reservationId: string,
  blobId: string,
  pauseMs = firstPauseMs,
): Promise<void> {
  try {
    await metadata.atomically(async (tx) => {
      await tx.reservations.release(reservationId);
      // A put that failed leaves nothing behind, if its disk lets it.
      await tx.reservations.doom(blobId);
    });
  } catch {
    setTimeout(
      () => void giveBack(metadata, reservationId, blobId, Math.min(2 * pauseMs, lastPauseMs)),
      pauseMs,
    ).unref();
  }
}
