import { createHash, type Hash } from 'node:crypto';

import type { BlobStore } from '../ports/blobs.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata } from '../ports/metadata.ts';
import { maxInlineBytes } from '../limits.ts';
import { quotaBytesOf } from '../plan.ts';
import { Refusal } from '../refusal.ts';
import type { Account } from '../account/account.ts';
import type { BlobReference } from './contents-table.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically' | 'read'>;
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
  /** Bytes that count against the quota already and that these will replace: only what goes beyond them is held. */
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

/** When nothing announced the size, the quota is looked at again each time so many bytes have come. */
const stepBytes = 8 * 1024 * 1024;

/** One pass over the bytes: hashes, counts, and enforces the limits while they flow. */
class Meter {
  readonly #sha256: Hash | undefined;
  readonly #md5: Hash = createHash('md5');
  readonly #running: Hash | undefined;
  readonly #maxBytes: number;
  sizeBytes = 0;

  constructor({ maxBytes, wantsSha256 = true, runningHash }: Incoming) {
    this.#maxBytes = maxBytes;
    this.#running = runningHash;
    if (wantsSha256) this.#sha256 = createHash('sha256');
  }

  /** @throws FILE_TOO_LARGE */
  add(chunk: Uint8Array): void {
    this.sizeBytes += chunk.length;
    if (this.sizeBytes > this.#maxBytes) throw new Refusal('FILE_TOO_LARGE');
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
 * blob, and quota is held for them. Whoever calls it either commits the result with `settle`, or calls `discard`.
 *
 * @throws FILE_TOO_LARGE, STORAGE_QUOTA_EXCEEDED
 */
export async function receiveContent(deps: Deps, incoming: Incoming): Promise<ReceivedContent> {
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
  deps: Deps,
  incoming: Incoming,
  meter: Meter,
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): Promise<ReceivedContent> {
  const hold = new QuotaHold(deps, incoming);
  await hold.begin(meter.sizeBytes);

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
    await deps.blobs.put(blobId, flow(), incoming.signal);
  } catch (error) {
    await giveBack(deps.metadata, reservationId, blobId);
    throw error;
  }
  const { sizeBytes } = meter;
  return { blob: { blobId, sizeBytes, inline: null }, sizeBytes, ...meter.digests(), reservationId };
}

/**
 * The quota of one upload under way, in a reservation that names its blob. What is announced is held at once. What is
 * not is held when all of it is there: held piece by piece, parallel uploads would keep each other out of room that
 * none of them fills in the end. Until then it is refused as soon as it can no longer fit.
 */
class QuotaHold {
  readonly reservationId: string;
  readonly blobId: string;
  readonly #deps: Deps;
  readonly #incoming: Incoming;
  readonly #quotaBytes: number;
  /** Of the content, so many bytes are held or counted already. */
  #coveredBytes = 0;
  #checkedBytes = 0;

  constructor(deps: Deps, incoming: Incoming) {
    this.#deps = deps;
    this.#incoming = incoming;
    this.#quotaBytes = quotaBytesOf(incoming.account);
    this.reservationId = deps.ids.opaqueId();
    this.blobId = deps.ids.opaqueId();
  }

  /** @throws STORAGE_QUOTA_EXCEEDED */
  async begin(arrivedBytes: number): Promise<void> {
    const { estimatedBytes, leastBytes = estimatedBytes } = this.#incoming;
    const announcedBytes = estimatedBytes === undefined ? 0 : Math.max(Math.min(estimatedBytes, this.#incoming.maxBytes), arrivedBytes);
    if (announcedBytes > 0 && (await this.#hold(announcedBytes))) return;
    await this.#refuseUnlessFits(Math.max(leastBytes ?? 0, arrivedBytes));
    if (!(await this.#hold(0))) throw new Refusal('STORAGE_QUOTA_EXCEEDED');
  }

  /** @throws STORAGE_QUOTA_EXCEEDED */
  async cover(arrivedBytes: number): Promise<void> {
    if (arrivedBytes <= this.#coveredBytes) return;
    // A little more than was announced.
    if (this.#coveredBytes > 0) return this.complete(arrivedBytes);
    if (arrivedBytes >= this.#checkedBytes + stepBytes) await this.#refuseUnlessFits(arrivedBytes);
  }

  /** @throws STORAGE_QUOTA_EXCEEDED */
  async complete(sizeBytes: number): Promise<void> {
    const byBytes = this.#added(sizeBytes) - this.#added(this.#coveredBytes);
    if (byBytes > 0) {
      const { metadata } = this.#deps;
      if (!(await metadata.atomically((tx) => tx.reservations.extend(this.reservationId, byBytes, this.#quotaBytes)))) throw new Refusal('STORAGE_QUOTA_EXCEEDED');
    }
    this.#coveredBytes = Math.max(sizeBytes, this.#coveredBytes);
  }

  /** What a content of this size adds to what counts already. */
  #added(sizeBytes: number): number {
    return Math.max(0, sizeBytes - (this.#incoming.replacedBytes ?? 0));
  }

  async #hold(sizeBytes: number): Promise<boolean> {
    const addedBytes = this.#added(sizeBytes);
    const reservation = { id: this.reservationId, accountId: this.#incoming.account.id, sizeBytes: addedBytes, blobId: this.blobId };
    // What adds nothing fits also where the quota has shrunk below what is stored.
    const quotaBytes = addedBytes > 0 ? this.#quotaBytes : Number.MAX_SAFE_INTEGER;
    const isHeld = await this.#deps.metadata.atomically((tx) => tx.reservations.hold(reservation, quotaBytes));
    if (isHeld) this.#coveredBytes = sizeBytes;
    return isHeld;
  }

  async #refuseUnlessFits(sizeBytes: number): Promise<void> {
    this.#checkedBytes = sizeBytes;
    if (this.#added(sizeBytes) === 0) return;
    const account = await this.#deps.metadata.read.accounts.find(this.#incoming.account.id);
    if (!account || account.usedBytes + account.reservedBytes + this.#added(sizeBytes) > this.#quotaBytes) throw new Refusal('STORAGE_QUOTA_EXCEEDED');
  }
}

/** Gives up bytes that were received: the quota is free again, and the blob is left to be removed. Never rejects. */
export async function discardContent({ metadata }: { readonly metadata: Pick<Metadata, 'atomically'> }, { reservationId, blob }: ReceivedContent): Promise<void> {
  if (reservationId !== undefined) await giveBack(metadata, reservationId, blob.blobId);
}

/** While the metadata store cannot be written, the next try comes after so long, each time twice as long, up to the last. */
const firstPauseMs = 1_000;
const lastPauseMs = 5 * 60_000;

/**
 * Resolves after the first try. What failed the upload may fail this too (a full disk, a lock), and the error that
 * matters is the upload's. What is still held when the process ends is given back at the next start.
 */
async function giveBack(metadata: Pick<Metadata, 'atomically'>, reservationId: string, blobId: string, pauseMs = firstPauseMs): Promise<void> {
  try {
    await metadata.atomically(async (tx) => {
      await tx.reservations.release(reservationId);
      // A put that failed leaves nothing behind, if its disk lets it.
      await tx.reservations.doom(blobId);
    });
  } catch {
    setTimeout(() => void giveBack(metadata, reservationId, blobId, Math.min(2 * pauseMs, lastPauseMs)), pauseMs).unref();
  }
}
