import { rowOf, storeContent } from '#server/features/files/upload/store-content.ts';
import type { FileTables } from '#server/features/files/table.ts';
import { uploadFailed } from '#server/features/files/upload/upload-failed.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { maxFileBytesOf, requireType, tooLarge } from './accepted-files.ts';
import { forSender } from './for-sender.ts';
import { SpaceReservation } from './reserve-space.ts';
import { placeFile, type Sending } from './place-file.ts';
import type { SentFile } from './sender.ts';
import { sentNameRule, sentPath } from './sent-name.ts';

type OwnTables = FileTables | 'fileRequests' | 'reservations';

interface ReceiveFileDeps {
  readonly metadata: Metadata<OwnTables>;
  readonly blobs: Pick<BlobStore, 'put' | 'sealInline'>;
  readonly ids: Ids;
}

/** A file that is being sent. */
interface IncomingSentFile {
  readonly filename: string;
  /** The bytes. At their end they throw if the body was cut off. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Stores a file that was sent to a request. Resolves when the file survives a power cut. A name that is taken gets
 * ` (2)`.
 *
 * @throws INVALID_FILENAME, BLOCKED_FILE_TYPE, FILE_TYPE_NOT_ALLOWED, FILE_TOO_LARGE
 * @throws FILE_REQUEST_FULL when a limit of the request or the quota of the account is reached
 * @throws FILE_REQUEST_NOT_FOUND, FILE_REQUEST_CLOSED, FILE_REQUEST_EXPIRED, UPLOAD_FAILED, and what the bytes throw
 */
export async function receiveFile(deps: ReceiveFileDeps, sending: Sending, file: IncomingSentFile): Promise<SentFile> {
  const { visited, begunAt, signal } = sending;
  const path = sentPath(file.filename);
  if (path === undefined) throw new Refusal('INVALID_FILENAME', { message: sentNameRule });
  requireType(visited, path);
  const reservation = await SpaceReservation.begin(deps, visited.request, begunAt);
  const maxBytes = maxFileBytesOf(visited);
  try {
    return await storeContent<OwnTables, SentFile>(
      deps,
      {
        account: visited.account,
        source: reservation.counting(file.bytes),
        announcedBytes: undefined,
        maxBytes,
        tooLarge: () => tooLarge(maxBytes),
        signal,
      },
      {
        async write(tx, received) {
          const request = await reservation.spend(tx, received.sizeBytes);
          return (await placeFile(tx, deps.ids, sending, { request, path, content: rowOf(received) })).file;
        },
      },
    );
  } catch (error) {
    await reservation.release();
    throw uploadFailed(forSender(error));
  }
}
