import {
  MetadataFailed,
  MetadataUnavailable,
  type Metadata,
  type TableName,
  type Transaction,
} from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import {
  discardContent,
  receiveContent,
  type Incoming,
  type ReceivedContent,
  type ReceiveDeps,
} from './receive-content.ts';
import { withSpace, type GivingWay } from '../give-way.ts';
import type { NewObject } from '../store-object.ts';

type OwnTables = GivingWay | 'reservations';

interface Deps<Names extends TableName> extends Omit<ReceiveDeps, 'metadata'> {
  readonly metadata: Metadata<Names | OwnTables>;
}

/** The steps that make received bytes part of a file or an upload. */
interface Storing<Names extends TableName, T> {
  /** Throws to reject the bytes, before the row is written. */
  check?(received: ReceivedContent): Promise<void> | void;
  /** Names the bytes in a row. The quota that was reserved for them is released by then. */
  write(tx: Transaction<Names | OwnTables>, received: ReceivedContent): Promise<T>;
  /** Whether `write` has named them. Default: it always has. */
  isNamed?(written: T): boolean;
}

/**
 * Receives a file's bytes and commits or discards them. All doors use it. Resolves once the bytes would survive a power
 * cut.
 *
 * @throws what {@link receiveContent}, `check` and `write` throw, with nothing kept
 */
export async function storeContent<Names extends TableName, T>(
  deps: Deps<Names>,
  incoming: Incoming,
  { check, write, isNamed = () => true }: Storing<Names, T>,
): Promise<T> {
  const received = await receiveContent(deps, incoming);
  try {
    await check?.(received);
    // A client that has gone away gets no response, so nothing may be kept for it.
    incoming.signal.throwIfAborted();
    const written = await withSpace(deps, incoming.yielding, (makeSpace) =>
      deps.metadata.atomically(
        async (tx) => {
          await release(tx, received);
          await makeSpace(tx);
          return write(tx, received);
        },
        { account: incoming.account.id },
      ),
    );
    if (!isNamed(written)) await discardContent(deps, incoming.account.id, received);
    return written;
  } catch (error) {
    const discarded = discardContent(deps, incoming.account.id, received);
    // If the database cannot be reached, waiting for it again would delay the response.
    if (!(error instanceof MetadataFailed)) await discarded;
    throw error;
  }
}

/**
 * Releases the reservation of the bytes. A starting server releases all reservations, also those of a running command,
 * and other servers release those of one that did not reach the database for some seconds. Then no row may name the
 * bytes.
 *
 * @throws {MetadataUnavailable} because the file can be stored again
 */
async function release(
  { reservations }: Transaction<'reservations'>,
  { reservationId }: ReceivedContent,
): Promise<void> {
  if (reservationId === undefined || (await reservations.release(reservationId))) return;
  throw new MetadataUnavailable('Another server has given this file up meanwhile. Store it again.', undefined);
}

/** The columns of a file that follow from its bytes. */
type ContentRow = Pick<NewObject, 'blobs' | 'sizeBytes' | 'etag' | 'sha256' | 'crc32'>;

/** Returns the columns of a file's row that follow from its bytes. */
export function rowOf({ blob, sizeBytes, md5: etag, sha256 }: ReceivedContent): ContentRow {
  return { blobs: [blob], sizeBytes, etag, sha256, crc32: blob.crc32 };
}

/**
 * Checks the SHA-256 of received bytes.
 *
 * @param announced the SHA-256 that the client sent
 * @throws CHECKSUM_MISMATCH
 */
export function requireSha256(announced: string | undefined, { sha256 }: ReceivedContent): void {
  if (announced !== undefined && announced !== sha256)
    throw new Refusal('CHECKSUM_MISMATCH', { detail: `Announced ${announced}, got ${sha256}.` });
}
