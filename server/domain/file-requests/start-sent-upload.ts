import type { NewChunkedUpload } from '../chunked/table.ts';
import { quotaExceeded } from '../account/quota.ts';
import { maxUploadsOfRequest, maxUploadsOfSender } from '../limits.ts';
import { suffixOfForeignKey } from '../objects/key.ts';
import { uploadFailed } from '../objects/upload-failed.ts';
import { quotaBytesOf } from '../plan.ts';
import type { Ids } from '../ports/ids.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { freeRoom, noRoom, requireGoing } from './hold-room.ts';
import { maxFileBytesOf, requireType, tooLarge } from './accepted-files.ts';
import { forSender } from './for-sender.ts';
import type { Sending } from './place-file.ts';
import { sentPath } from './sent-name.ts';
import type { FileRequest } from './file-request.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'chunkedUploads' | 'fileRequests'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

/** A file that is about to be sent. */
interface AnnouncedFile {
  readonly filename: string;
  readonly sizeBytes: number;
}

/** An upload that is finished or dropped frees a place, at an unknown time. Retrying after this time is often enough. */
const retryAfterSeconds = 30;

/**
 * Opens an upload of one file to a request. Its row holds a place of the request and the announced bytes, until it is
 * closed.
 *
 * @throws INVALID_FILENAME, BLOCKED_FILE_TYPE, FILE_TYPE_NOT_ALLOWED, FILE_TOO_LARGE
 * @throws FILE_REQUEST_FULL when a limit of the request or the quota of the account leaves no room
 * @throws TOO_MANY_OPEN_UPLOADS, FILE_REQUEST_NOT_FOUND, FILE_REQUEST_CLOSED, FILE_REQUEST_EXPIRED, UPLOAD_FAILED
 */
export async function startSentUpload(
  { metadata, ids }: Deps,
  sending: Omit<Sending, 'actor' | 'signal'>,
  file: AnnouncedFile,
): Promise<NewChunkedUpload> {
  const { visited, begunAt, senderHash } = sending;
  const path = acceptedPath(sending, file);
  const id = ids.opaqueId();
  try {
    return await metadata.atomically(
      async (tx) => {
        const request = await requireGoing(tx, visited.request.id, begunAt);
        await requirePlace(tx, request, senderHash);
        await requireRoom(tx, request, file.sizeBytes);
        const upload = newUpload(id, request, sending, { path, sizeBytes: file.sizeBytes, startedAt: tx.now });
        await tx.chunkedUploads.openSent(upload);
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

/** @throws TOO_MANY_OPEN_UPLOADS */
async function requirePlace(
  { chunkedUploads }: Transaction<'chunkedUploads'>,
  { id }: FileRequest,
  senderHash: string,
): Promise<void> {
  const open = await chunkedUploads.openSentTo(id);
  const own = open.filter(({ sentTo }) => sentTo!.senderHash === senderHash);
  if (own.length >= maxUploadsOfSender)
    throw tooMany(`You have ${own.length} unfinished files here. Finish or give up one of them, then send this one.`);
  if (open.length >= maxUploadsOfRequest)
    throw tooMany('Too many files are being sent to this request at the moment. Try again later.');
}

function tooMany(message: string): Refusal {
  return new Refusal('TOO_MANY_OPEN_UPLOADS', { message, retryAfterSeconds });
}

/** @throws FILE_REQUEST_FULL, STORAGE_QUOTA_EXCEEDED */
async function requireRoom(
  tx: Transaction<'accounts' | 'fileRequests'>,
  request: FileRequest,
  sizeBytes: number,
): Promise<void> {
  const { files, bytes } = await freeRoom(tx, request);
  if (files === 0 || (bytes !== null && bytes < sizeBytes)) throw noRoom();
  const account = await tx.accounts.find(request.accountId);
  if (!account || account.usedBytes + account.reservedBytes + sizeBytes > quotaBytesOf(account))
    throw quotaExceeded(account, sizeBytes);
}

/** The row needs an address. The file gets its own when all bytes are there, because others may have that name by then. */
function newUpload(
  id: string,
  { id: requestId, accountId, prefix }: FileRequest,
  { senderHash, senderName }: Pick<Sending, 'senderHash' | 'senderName'>,
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
    sentTo: { requestId, senderHash, senderName },
    originalName: path,
    startedAt,
  };
}
