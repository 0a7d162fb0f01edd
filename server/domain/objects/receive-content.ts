import { createHash, type Hash } from 'node:crypto';

import type { BlobStore } from '../ports/blobs.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata } from '../ports/metadata.ts';
import { maxInlineBytes, maxUploadBytes } from '../limits.ts';
import { quotaBytesOf } from '../plan.ts';
import { Refusal } from '../refusal.ts';
import type { Account } from '../account/account.ts';
import type { BlobReference } from './contents-table.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
  readonly blobs: Pick<BlobStore, 'put'>;
  readonly ids: Ids;
}

export interface Incoming {
  readonly account: Account;
  readonly source: AsyncIterable<Uint8Array>;
  /** The size that the headers announce, when they do. */
  readonly estimatedBytes: number | undefined;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Bytes that have arrived and are durable (or small enough to go into the row), but that no row names yet. */
export interface ReceivedContent {
  readonly blob: BlobReference;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly md5: string;
  /** Undefined for inline bytes: these are checked against the quota where they are written. */
  readonly reservationId: string | undefined;
}

/** Reservations grow in steps of this many bytes when nothing announced the size. */
const stepBytes = 8 * 1024 * 1024;

/** One pass over the bytes: hashes, counts, and enforces the limits while they flow. */
class Meter {
  readonly #sha256: Hash = createHash('sha256');
  readonly #md5: Hash = createHash('md5');
  readonly #maxBytes: number;
  sizeBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws FILE_TOO_LARGE */
  add(chunk: Uint8Array): void {
    this.sizeBytes += chunk.length;
    if (this.sizeBytes > this.#maxBytes) throw new Refusal('FILE_TOO_LARGE');
    this.#sha256.update(chunk);
    this.#md5.update(chunk);
  }

  digests(): { sha256: string; md5: string } {
    return { sha256: this.#sha256.digest('hex'), md5: this.#md5.digest('hex') };
  }
}

/**
 * Takes a file's bytes in. Up to 16 KiB stay in memory and go into the database with the row; larger files flow into a
 * blob while quota is held for them. Whoever calls it either commits the result with `settle`, or calls `discard`.
 *
 * @throws FILE_TOO_LARGE, STORAGE_QUOTA_EXCEEDED
 */
export async function receiveContent(deps: Deps, incoming: Incoming): Promise<ReceivedContent> {
  const meter = new Meter(incoming.maxBytes);
  const chunks = incoming.source[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  while (meter.sizeBytes <= maxInlineBytes) {
    const { done, value } = await chunks.next();
    if (done) {
      const inline = Buffer.concat(head);
      const blob = { blobId: deps.ids.opaqueId(), sizeBytes: inline.length, inline };
      return { blob, sizeBytes: inline.length, ...meter.digests(), reservationId: undefined };
    }
    meter.add(value);
    head.push(value);
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
  const { metadata, blobs, ids } = deps;
  const quotaBytes = quotaBytesOf(incoming.account);
  const reservationId = ids.opaqueId();
  const blobId = ids.opaqueId();
  const announced = Math.min(incoming.estimatedBytes ?? stepBytes, maxUploadBytes);
  let heldBytes = Math.max(announced, meter.sizeBytes);
  const held = await metadata.atomically((tx) =>
    tx.reservations.hold({ id: reservationId, accountId: incoming.account.id, sizeBytes: heldBytes, blobId }, quotaBytes),
  );
  if (!held) {
    // The announced size may be a little too large or a mere step: hold what has arrived and go on from there.
    const exact = incoming.estimatedBytes !== undefined;
    heldBytes = meter.sizeBytes;
    const heldLess =
      !exact &&
      (await metadata.atomically((tx) =>
        tx.reservations.hold({ id: reservationId, accountId: incoming.account.id, sizeBytes: heldBytes, blobId }, quotaBytes),
      ));
    if (!heldLess) throw new Refusal('STORAGE_QUOTA_EXCEEDED');
  }

  const extendTo = async (neededBytes: number): Promise<void> => {
    for (const byBytes of [Math.max(stepBytes, neededBytes - heldBytes), neededBytes - heldBytes]) {
      if (await metadata.atomically((tx) => tx.reservations.extend(reservationId, byBytes, quotaBytes))) {
        heldBytes += byBytes;
        return;
      }
    }
    throw new Refusal('STORAGE_QUOTA_EXCEEDED');
  };

  async function* flow(): AsyncGenerator<Uint8Array> {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      meter.add(next.value);
      if (meter.sizeBytes > heldBytes) await extendTo(meter.sizeBytes);
      yield next.value;
    }
  }

  try {
    await blobs.put(blobId, flow(), incoming.signal);
  } catch (error) {
    await metadata.atomically((tx) => tx.reservations.release(reservationId));
    throw error;
  }
  const { sizeBytes } = meter;
  return { blob: { blobId, sizeBytes, inline: null }, sizeBytes, ...meter.digests(), reservationId };
}

/** Gives up bytes that were received: the quota is free again, and the blob is left to be removed. */
export async function discardContent({ metadata }: Pick<Deps, 'metadata'>, received: ReceivedContent): Promise<void> {
  const { reservationId, blob } = received;
  if (reservationId === undefined) return;
  await metadata.atomically(async (tx) => {
    await tx.reservations.release(reservationId);
    await tx.reservations.doom(blob.blobId);
  });
}
