import type { BytesSender } from '#server/domain/access/require-sender.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import type { ChunkedUpload } from '#server/features/uploads/chunked-upload.ts';
import { completeUpload, type CompleteDeps, type ReadyUpload } from '#server/features/uploads/complete-upload.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import type { PlacedObject } from '#server/features/files/store-object.ts';
import type { FileTables } from '#server/features/files/table.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata, Reads, Transaction } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { isUnfinished } from '#server/features/uploads/finish-upload.ts';
import { serialState, type SerialState } from '#server/features/uploads/serial-state.ts';
import type { AnnouncedUpload, Announcement } from './announced-upload.ts';
import { spaceLeftOf } from './file-request.ts';
import { announcedNow, fileRequestFull, requireGoing } from './reserve-space.ts';
import { forSender } from './for-sender.ts';
import { placeFile } from './place-file.ts';
import { matchSender } from './sender.ts';
import type { VisitedRequest } from './visit-request.ts';

interface LookupDeps {
  readonly metadata: Reads<'fileRequests'>;
  readonly secrets: Pick<Secrets, 'finders'>;
}

/** Names an upload to a request: the sender's secret, and the id that its start returned. */
interface SentUploadName {
  readonly requestId: string;
  readonly secret: string | undefined;
  readonly uploadId: string;
}

/** An upload of a sender. */
export interface SentUploadLookup extends UploadLookup {
  find(): Promise<AnnouncedUpload>;
  findAgain(): Promise<AnnouncedUpload>;
}

/** Finds uploads of one sender to one request. All others look missing, with UPLOAD_NOT_FOUND. */
export function sentUploadLookup({ metadata, secrets }: LookupDeps, name: SentUploadName): SentUploadLookup {
  const { requestId, secret, uploadId } = name;
  async function findAgain(): Promise<AnnouncedUpload> {
    const upload = await metadata.read.fileRequests.findUpload(uploadId);
    if (upload?.sentTo !== requestId || !matchSender(secrets, { requestId, ...upload.announcement }, secret))
      throw new Refusal('UPLOAD_NOT_FOUND');
    return upload;
  }
  return { handle: uploadId, id: () => uploadId, find: findAgain, findAgain };
}

/**
 * Returns the sender of an upload's bytes. It may send them as long as the request takes the upload. Bytes that arrive
 * while the request is being closed may still be stored. They become no file, because that is checked in its
 * transaction.
 */
export function sentBytesSender(
  { metadata, clock }: { readonly metadata: Reads<'fileRequests'>; readonly clock: Clock },
  { request: { id }, account }: Pick<VisitedRequest, 'request' | 'account'>,
  { startedAt }: Pick<ChunkedUpload, 'startedAt'>,
): BytesSender {
  const { fileRequests } = metadata.read;
  return {
    account,
    requireBefore: () => requireGoing({ fileRequests, now: clock.now() }, id, startedAt),
    requireStill: () => Promise.resolve(),
  };
}

interface FinishDeps extends Omit<CompleteDeps, 'ids' | 'metadata'> {
  readonly metadata: Metadata<FileTables | 'apiKeys' | 'chunkedUploads' | 'fileRequests' | 'uploadTokens'>;
  readonly ids: Ids;
}

/** Who sends an upload, and to which request. */
interface SentBy {
  readonly visited: VisitedRequest;
  readonly announcement: Pick<Announcement, 'senderHash' | 'senderName'>;
  readonly actor: Actor;
}

/**
 * Makes a file of an upload whose bytes have all come, as those of a form become files. Returns the state as it is for
 * an upload that misses bytes, or has become a file.
 *
 * @throws FILE_REQUEST_FULL if its owner has lowered a limit, or the quota of the account is reached
 * @throws FILE_REQUEST_NOT_FOUND, FILE_REQUEST_CLOSED, FILE_REQUEST_EXPIRED, UPLOAD_NOT_FOUND, UPLOAD_FAILED
 */
export async function finishSent(
  deps: FinishDeps,
  { lookup, ...by }: SentBy & { readonly lookup: UploadLookup },
  state: SerialState,
): Promise<SerialState> {
  if (!isUnfinished(state)) return state;
  try {
    await completeUpload(deps, {
      upload: lookup,
      checksumSha256: undefined,
      commit: (work) =>
        deps.metadata.atomically((tx) => work(tx, (ready) => placeSent(tx, deps.ids, by, ready)), {
          account: by.visited.account.id,
        }),
    });
  } catch (error) {
    throw forSender(error);
  }
  return serialState(deps, lookup);
}

async function placeSent(
  tx: Transaction<FileTables | 'fileRequests'>,
  ids: Ids,
  { visited, announcement: { senderHash, senderName }, actor }: SentBy,
  { upload, content }: ReadyUpload,
): Promise<PlacedObject> {
  const request = await requireGoing(tx, visited.request.id, upload.startedAt);
  const { bytes, files } = spaceLeftOf(request, await announcedNow(tx, request.id, upload.id));
  if (files === 0 || (bytes !== null && bytes < content.sizeBytes)) throw fileRequestFull();
  const sending = { visited, senderHash, senderName, actor };
  const { object } = await placeFile(tx, ids, sending, { request, path: upload.originalName!, content });
  return { object, isReplaced: false };
}
