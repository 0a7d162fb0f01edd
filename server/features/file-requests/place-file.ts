import { isClosed } from '#server/domain/account/closed-account.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { expiresAtMs } from '#server/domain/duration.ts';
import { markOf, suffixOfForeignKey, withSuffix } from '#server/features/files/key.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import { storeObject, type NewObject } from '#server/features/files/store-object.ts';
import type { FileTables } from '#server/features/files/table.ts';
import { isAtLeast } from '#server/domain/plan.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { beyondPlan } from '#server/features/rules/rule.ts';
import { isFull, type FileRequest } from './file-request.ts';
import { recordReceived, recordRequestEvent } from './request-event.ts';
import type { Sender, SentFile } from './sender.ts';
import { freeName, senderFolder } from './sent-name.ts';
import type { VisitedRequest } from './visit-request.ts';

/** Somebody who is sending files. */
export interface Sending {
  readonly visited: VisitedRequest;
  /** When the form, or the upload, began. */
  readonly begunAt: number;
  /** Keyed hash of the secret that the sender keeps. */
  readonly senderHash: string;
  /** As the sender gave it. Null if none was requested. */
  readonly senderName: string | null;
  readonly actor: Actor;
  readonly signal: AbortSignal;
}

/** A file whose bytes have all arrived. */
interface Arrived {
  /** The request as it is now, without this file. There is space for it. */
  readonly request: FileRequest;
  readonly path: string;
  readonly content: Pick<NewObject, 'blobs' | 'crc32' | 'etag' | 'sha256' | 'sizeBytes'>;
}

/**
 * Writes the row of a file that has arrived, at an address that is free, and all that follows from it.
 *
 * @throws FILE_REQUEST_NOT_FOUND, FILE_REQUEST_CLOSED, STORAGE_QUOTA_EXCEEDED
 */
export async function placeFile(
  tx: Transaction<FileTables | 'fileRequests'>,
  ids: Ids,
  sending: Omit<Sending, 'begunAt' | 'signal'>,
  { request, path, content }: Arrived,
): Promise<{ readonly object: StoredObject; readonly file: SentFile }> {
  const { actor, visited } = sending;
  const account = await tx.accounts.find(request.accountId);
  if (!account || isClosed(account)) throw new Refusal('FILE_REQUEST_NOT_FOUND');
  // Senders may not do what the account itself may not.
  if (!isAtLeast(account.plan, 'hobby') || (visited.rule && beyondPlan(visited.rule, account.plan) !== undefined))
    throw new Refusal('FILE_REQUEST_CLOSED');
  const known = await tx.fileRequests.findSender(request.id, sending.senderHash);
  const sender = known
    ? await giveFolder(tx, ids, known, { request, sending })
    : await addSender(tx, ids, request, sending);
  const row = await chooseRow(tx, ids, visited, { request, sender, path });
  const { object } = await storeObject(
    tx,
    ids,
    { account, existing: undefined },
    {
      ...row,
      ...content,
      activity: { type: 'object.uploaded', details: { file_request: request.id }, actor },
      origin: { fileRequestId: request.id },
    },
  );
  return { object, file: await settle(tx, { request, sender, path, object, isNewSender: !known }) };
}

async function addSender(
  tx: Transaction<'fileRequests'>,
  ids: Pick<Ids, 'nameHash'>,
  { id: requestId, hasSenderFolders }: FileRequest,
  { senderHash: hash, senderName: name }: Pick<Sending, 'senderHash' | 'senderName'>,
): Promise<Sender> {
  const folder = hasSenderFolders ? await freeFolder(tx, ids, requestId, name) : null;
  const sender: Sender = { requestId, hash, name, folder, createdAt: tx.now, refused: [] };
  await tx.fileRequests.addSender(sender);
  return sender;
}

/** Gives a folder to a sender who sent files before the owner requested names. */
async function giveFolder(
  tx: Transaction<'fileRequests'>,
  ids: Pick<Ids, 'nameHash'>,
  known: Sender,
  { request, sending }: { readonly request: FileRequest; readonly sending: Pick<Sending, 'senderName'> },
): Promise<Sender> {
  const { senderName: name } = sending;
  if (!request.hasSenderFolders || known.folder !== null || name === null) return known;
  const sender = { ...known, name, folder: await freeFolder(tx, ids, request.id, name) };
  await tx.fileRequests.nameSender(sender);
  return sender;
}

/** Returns the name of a folder that no sender of the request has. */
function freeFolder(
  tx: Transaction<'fileRequests'>,
  ids: Pick<Ids, 'nameHash'>,
  requestId: string,
  name: string | null,
): Promise<string> {
  return freeName(
    senderFolder(name ?? ''),
    (one) => tx.fileRequests.hasFolder(requestId, one),
    () => ids.nameHash(),
  );
}

/** Returns the columns of the file's row that do not follow from its bytes, at an address that no file has. */
async function chooseRow(
  tx: Transaction<'objects'>,
  ids: Pick<Ids, 'nameHash'>,
  { rule }: VisitedRequest,
  { request, sender, path }: { readonly request: FileRequest; readonly sender: Sender; readonly path: string },
): Promise<Omit<NewObject, 'activity' | 'blobs' | 'crc32' | 'etag' | 'event' | 'sha256' | 'sizeBytes'>> {
  const { accountId, prefix } = request;
  const folder = sender.folder === null ? prefix : `${prefix}/${sender.folder}`;
  const expire = rule?.expire ?? null;
  const fileNamed = (name: string) => {
    const key = `${folder}/${name}`;
    return withSuffix({ key, suffix: suffixOfForeignKey(key) }, { mark: markOf(expire) });
  };
  const name = await freeName(
    path,
    async (one) => (await tx.objects.find({ accountId, space: 'private', key: fileNamed(one).key })) !== undefined,
    () => ids.nameHash(),
  );
  return {
    accountId,
    space: 'private',
    ...fileNamed(name),
    expiresAt: expire && expiresAtMs(expire, tx.now),
    cacheControl: rule?.cacheControl ?? null,
    disposition: null,
    // With its number, or archives of the folder would number files of one name in another order than their keys.
    originalName: name.slice(name.lastIndexOf('/') + 1),
    metadata: {},
    clientProperties: null,
    mayReplace: false,
  };
}

/** Counts the file, and tells of it. */
async function settle(
  tx: Transaction<'events' | 'fileRequests'>,
  {
    request,
    sender,
    path,
    object,
    isNewSender,
  }: {
    readonly request: FileRequest;
    readonly sender: Sender;
    readonly path: string;
    readonly object: StoredObject;
    readonly isNewSender: boolean;
  },
): Promise<SentFile> {
  const { sizeBytes, sha256 } = object;
  const senders = isNewSender ? 1 : 0;
  await tx.fileRequests.count(request.id, { bytes: sizeBytes, senders });
  const counted = {
    ...request,
    files: request.files + 1,
    bytes: request.bytes + sizeBytes,
    senders: request.senders + senders,
  };
  const file: SentFile = {
    requestId: request.id,
    senderHash: sender.hash,
    number: counted.files,
    name: path,
    sizeBytes,
    sha256,
    receivedAt: tx.now,
  };
  await tx.fileRequests.addFile(file);
  await recordReceived(tx, counted, { object, sender, name: path });
  if (isFull(counted) && !isFull(request)) await recordRequestEvent(tx, 'file_request.full', counted);
  return file;
}
