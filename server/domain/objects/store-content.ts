import { MetadataUnavailable, type Metadata, type TableName, type Transaction } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import type { NewObject } from './store-object.ts';
import {
  discardContent,
  receiveContent,
  type Incoming,
  type ReceivedContent,
  type ReceiveDeps,
} from './receive-content.ts';

type OwnTables = 'accounts' | 'reservations';

interface Deps<Names extends TableName> extends Omit<ReceiveDeps, 'metadata'> {
  readonly metadata: Metadata<Names | OwnTables>;
}

/** How bytes that have arrived become part of something. */
interface Storing<Names extends TableName, T> {
  /** Refuses what has come, before it is written. */
  check?(received: ReceivedContent): Promise<void> | void;
  /** Names the bytes in a row. The quota that was held for them has been released. */
  write(tx: Transaction<Names | OwnTables>, received: ReceivedContent): Promise<T>;
  /** Whether `write` has named them; it has unless told. */
  isNamed?(written: T): boolean;
}

/**
 * Takes a file's bytes in and commits them, or discards them: the one way in for all doors. Resolves only once they
 * would survive a power cut.
 *
 * @throws what {@link receiveContent}, `check` and `write` do; nothing is kept then
 */
export async function storeContent<Names extends TableName, T>(
  deps: Deps<Names>,
  incoming: Incoming,
  { check, write, isNamed = () => true }: Storing<Names, T>,
): Promise<T> {
  const received = await receiveContent(deps, incoming);
  try {
    await check?.(received);
    // A client that has gone away gets no answer, so nothing may be kept for it.
    incoming.signal.throwIfAborted();
    const written = await deps.metadata.atomically(async (tx) => {
      await release(tx, received);
      return write(tx, received);
    });
    if (!isNamed(written)) await discardContent(deps, received);
    return written;
  } catch (error) {
    const discarded = discardContent(deps, received);
    // A database that does not answer would keep the client waiting a second time.
    if (!(error instanceof MetadataUnavailable)) await discarded;
    throw error;
  }
}

/**
 * A server that starts gives up whatever it finds under way, also what a command brings in: a row must not name it
 * then.
 */
async function release(
  { reservations }: Transaction<'reservations'>,
  { reservationId }: ReceivedContent,
): Promise<void> {
  if (reservationId === undefined || (await reservations.release(reservationId))) return;
  throw new Error('A server that started meanwhile has given this file up; import it again.');
}

/** The columns of a file's row that follow from its bytes. */
export function rowOf({
  blob,
  sizeBytes,
  md5,
  sha256,
}: ReceivedContent): Pick<NewObject, 'blobs' | 'sizeBytes' | 'etag' | 'sha256'> {
  return { blobs: [blob], sizeBytes, etag: md5, sha256 };
}

/** @param announced the SHA-256 that the client says the bytes have @throws CHECKSUM_MISMATCH */
export function requireSha256(announced: string | undefined, { sha256 }: ReceivedContent): void {
  if (announced !== undefined && announced !== sha256)
    throw new Refusal('CHECKSUM_MISMATCH', { detail: `Announced ${announced}, got ${sha256}.` });
}
