import { systemActor, type Actor } from '#server/domain/activity/activity.ts';
import { closeAborted } from '#server/features/uploads/abort-chunked-upload.ts';
import type { NewChunkedUpload } from '#server/features/uploads/table.ts';
import { quotaExceeded } from '#server/domain/account/quota.ts';
import { maxUploadsOfAddress, maxUploadsOfRequest, maxUploadsOfSender } from './limits.ts';
import { suffixOfForeignKey } from '#server/features/files/key.ts';
import { uploadFailed } from '#server/features/files/upload/upload-failed.ts';
import { quotaBytesOf } from '#server/domain/plan.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { holdsPlace, type AnnouncedUpload } from './announced-upload.ts';
import { readSpaceLeft, fileRequestFull, requireGoing } from './reserve-space.ts';
import { maxFileBytesOf, requireType, tooLarge } from './accepted-files.ts';
import { forSender } from './for-sender.ts';
import type { Sending } from './place-file.ts';
import { sentPath } from './sent-name.ts';
import type { FileRequest } from './file-request.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'activity' | 'chunkedUploads' | 'events' | 'fileRequests'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

/** A file that is about to be sent. */
interface AnnouncedFile {
  readonly filename: string;
  readonly sizeBytes: number;
}

/** A place becomes free at an unknown time, when another upload ends. This pause between retries is short enough. */
const retryAfterSeconds = 30;

/**
 * Opens an upload of one file to a request. Its row reserves a place of the request and the announced bytes: for ten
 * minutes, which begin again whenever bytes arrive.
 *
 * @throws INVALID_FILENAME, BLOCKED_FILE_TYPE, FILE_TYPE_NOT_ALLOWED, FILE_TOO_LARGE
 * @throws FILE_REQUEST_FULL when a limit of the request or the quota of the account leaves no space
 * @throws TOO_MANY_OPEN_UPLOADS, FILE_REQUEST_NOT_FOUND, FILE_REQUEST_CLOSED, FILE_REQUEST_EXPIRED, UPLOAD_FAILED
 */
export async function startSentUpload(
  { metadata, ids }: Deps,
  sending: Omit<Sending, 'signal'>,
  file: AnnouncedFile,
): Promise<NewChunkedUpload> {
  const { visited, begunAt } = sending;
  const path = acceptedPath(sending, file);
  const id = ids.opaqueId();
  try {
    return await metadata.atomically(
      async (tx) => {
        const request = await requireGoing(tx, visited.request.id, begunAt);
        await requirePlace(tx, request, sending);
        await requireSpace(tx, request, file.sizeBytes);
        const upload = newUpload(id, request, { path, sizeBytes: file.sizeBytes, startedAt: tx.now });
        await tx.chunkedUploads.openSent(upload);
        const { senderHash, senderName, actor } = sending;
        const announcement = { senderHash, senderName, senderAddress: actor.sourceIp, placeFreedAt: null };
        await tx.fileRequests.announce(id, announcement);
        return upload;
      },
      { account: visited.account.id },
    );
  } catch (error) {
    throw uploadFailed(forSender(error));
  }
}

function acceptedPath({ visited }: Pick<Sending, 'visited'>, { filename, sizeBytes }: AnnouncedFile): string {
  const path = sentPath(filename);
  if (path === undefined) throw new Refusal('INVALID_FILENAME');
  requireType(visited, path);
  const maxBytes = maxFileBytesOf(visited);
  if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
  return path;
}

/**
 * Checks that one more upload may begin. Uploads whose place has lapsed make way: those without bytes at once, the
 * others when there are too many.
 *
 * @throws TOO_MANY_OPEN_UPLOADS
 */
async function requirePlace(
  tx: Transaction<'accounts' | 'activity' | 'chunkedUploads' | 'events' | 'fileRequests'>,
  { id }: FileRequest,
  { senderHash, actor }: Pick<Sending, 'senderHash'> & { readonly actor: Pick<Actor, 'sourceIp'> },
): Promise<void> {
  const { holding = [], lapsed = [] } = Object.groupBy(await tx.fileRequests.openUploads(id), (upload) =>
    holdsPlace(upload, tx.now) ? 'holding' : 'lapsed',
  );
  const own = holding.filter(({ announcement }) => announcement.senderHash === senderHash);
  if (own.length >= maxUploadsOfSender)
    throw tooMany(`You have ${own.length} unfinished files here. Finish or give up one of them, then send this one.`);
  const near = holding.filter(({ announcement }) => announcement.senderAddress === actor.sourceIp);
  if (near.length >= maxUploadsOfAddress)
    throw tooMany(`${near.length} files are being sent from your network at the moment. Try again later.`);
  if (holding.length >= maxUploadsOfRequest)
    throw tooMany('Too many files are being sent to this request at the moment. Try again later.');
  const { length } = lapsed.filter(({ storedBytes }) => storedBytes > 0);
  const tooManyOpen = Math.max(0, holding.length + length + 1 - maxUploadsOfRequest);
  const longestIdle = lapsed.toSorted((a, b) => a.activeAt - b.activeAt);
  const ended = [
    ...longestIdle.filter(({ storedBytes }) => storedBytes === 0),
    ...longestIdle.filter(({ storedBytes }) => storedBytes > 0).slice(0, tooManyOpen),
  ];
  for (const upload of ended) await closeAborted(tx, upload, systemActor);
}

/**
 * Lets an upload that goes on hold its place again, if it has lapsed.
 *
 * @throws FILE_REQUEST_FULL when others have taken its space
 * @throws FILE_REQUEST_NOT_FOUND, FILE_REQUEST_CLOSED, FILE_REQUEST_EXPIRED
 */
export async function holdPlaceAgain(
  { metadata }: Pick<Deps, 'metadata'>,
  { id, accountId }: Pick<AnnouncedUpload, 'id' | 'accountId'>,
): Promise<void> {
  try {
    await metadata.atomically(
      async (tx) => {
        const upload = await tx.fileRequests.findUpload(id);
        if (upload?.state !== 'open' || holdsPlace(upload, tx.now)) return;
        const request = await requireGoing(tx, upload.sentTo, upload.startedAt);
        const { files, bytes } = await readSpaceLeft(tx, request, id);
        if (files === 0 || (bytes !== null && bytes < upload.declaredBytes!)) throw fileRequestFull();
        await tx.chunkedUploads.keepOpen(id, tx.now);
        await tx.fileRequests.holdPlace(id);
      },
      { account: accountId },
    );
  } catch (error) {
    throw uploadFailed(forSender(error));
  }
}

function tooMany(message: string): Refusal {
  return new Refusal('TOO_MANY_OPEN_UPLOADS', { message, retryAfterSeconds });
}

/** @throws FILE_REQUEST_FULL, STORAGE_QUOTA_EXCEEDED */
async function requireSpace(
  tx: Transaction<'accounts' | 'fileRequests'>,
  request: FileRequest,
  sizeBytes: number,
): Promise<void> {
  const { files, bytes } = await readSpaceLeft(tx, request);
  if (files === 0 || (bytes !== null && bytes < sizeBytes)) throw fileRequestFull();
  const account = await tx.accounts.find(request.accountId);
  if (!account || account.usedBytes + account.reservedBytes + sizeBytes > quotaBytesOf(account))
    throw quotaExceeded(account, sizeBytes);
}

/**
 * The row needs an address. The file gets its own when all bytes are there, because others may have that name by then.
 */
function newUpload(
  id: string,
  { id: requestId, accountId, prefix }: FileRequest,
  { path, sizeBytes, startedAt }: { readonly path: string; readonly sizeBytes: number; readonly startedAt: number },
): NewChunkedUpload {
  const key = `${prefix}/${path}`;
  return {
    id,
    accountId,
    tokenId: null,
    resolved: {
      address: { accountId, space: 'private', key },
      suffix: suffixOfForeignKey(key),
      expire: null,
      mayReplace: false,
      disposition: null,
      cacheControl: null,
      metadata: {},
      cap: null,
    },
    declaredBytes: sizeBytes,
    listed: null,
    serial: null,
    sentTo: requestId,
    originalName: path,
    startedAt,
  };
}
