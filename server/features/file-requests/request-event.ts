import type { Requester } from '#server/domain/access/requester.ts';
import type { ActivityAuth } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import { keyHolder, recordAudit } from '#server/domain/audit/record-audit.ts';
import type { EventType } from '#server/domain/events/event-type.ts';
import { formatObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { stateOf, type FileRequest, type FileRequestState } from './file-request.ts';

/** Why a request has ended. */
type EndReason = 'closed' | 'expired' | 'deleted';

/** What an event says about a file request. The secret in its address stays out of it, because it opens the page. */
interface FileRequestDetails {
  readonly fileRequest: Pick<
    FileRequest,
    'id' | 'title' | 'files' | 'bytes' | 'senders' | 'maxFiles' | 'maxBytes' | 'deadlineAt'
  > & { readonly prefix: string; readonly state: FileRequestState };
  /** The file that has arrived. */
  readonly object?: { readonly id: string; readonly sizeBytes: number; readonly sha256: string | null };
  readonly sender?: { readonly name: string | null; readonly folder: string | null };
  /** The path of the file in the form. */
  readonly name?: string;
  readonly reason?: EndReason;
  readonly auth?: ActivityAuth;
}

declare module '#server/domain/events/event-details.ts' {
  interface DetailsBySubject {
    readonly file_request: FileRequestDetails;
  }
}

/** Adds an event about a file request. */
export async function recordRequestEvent(
  tx: Transaction<'events'>,
  type: Extract<EventType, `file_request.${string}`>,
  request: FileRequest,
  { key = null, ...more }: Omit<FileRequestDetails, 'fileRequest'> & { readonly key?: string | null } = {},
): Promise<void> {
  const { accountId, id, title, prefix, files, bytes, senders, maxFiles, maxBytes, deadlineAt } = request;
  const state = stateOf(request, tx.now);
  const fileRequest = { id, title, prefix, state, files, bytes, senders, maxFiles, maxBytes, deadlineAt };
  await tx.events.add({ accountId, type, key, data: { fileRequest, ...more } }, tx.now);
}

/** Adds the event of a file that has arrived. */
export async function recordReceived(
  tx: Transaction<'events'>,
  request: FileRequest,
  {
    object,
    sender,
    name,
  }: {
    readonly object: ObjectAddress & { readonly sizeBytes: number; readonly sha256: string | null };
    readonly sender: { readonly name: string | null; readonly folder: string | null };
    readonly name: string;
  },
): Promise<void> {
  const file = { id: formatObjectId(object), sizeBytes: object.sizeBytes, sha256: object.sha256 };
  const by = { name: sender.name, folder: sender.folder };
  await recordRequestEvent(tx, 'file_request.received', request, { key: object.key, object: file, sender: by, name });
}

/** Adds the event of an end, unless it was told since the request was opened. */
export async function recordRequestEnd(
  tx: Transaction<'events' | 'fileRequests'>,
  request: FileRequest,
  reason: EndReason,
  more: Pick<FileRequestDetails, 'auth'> = {},
): Promise<boolean> {
  const isNew = await tx.fileRequests.noteEnd(request.id, true);
  if (isNew) await recordRequestEvent(tx, 'file_request.ended', request, { reason, ...more });
  return isNew;
}

type RequestChange = 'file_request.created' | 'file_request.updated' | 'file_request.deleted';

/** What the activity and the audit log say of a change. */
const aboutOf = (type: RequestChange, request: FileRequest, now: number) => ({
  prefix: request.prefix,
  ...(type === 'file_request.updated' && { state: stateOf(request, now) }),
});

/**
 * Records what a key did with a request, in the activity of the account and as an event. {@link auditRequestChange}
 * follows.
 */
export async function recordRequestChange(
  tx: Transaction<'activity' | 'events' | 'fileRequests'>,
  type: RequestChange,
  request: FileRequest,
  { accountId, actor }: Requester,
): Promise<void> {
  const details = { file_request: request.id, ...aboutOf(type, request, tx.now) };
  await recordActivity(tx, { accountId, type, object: null, details, actor });
  if (type === 'file_request.deleted') await recordRequestEnd(tx, request, 'deleted', { auth: actor.auth });
  else await recordRequestEvent(tx, type, request, { auth: actor.auth });
}

/** Records it in the audit log. Call it last, as {@link recordAudit}. */
export async function auditRequestChange(
  tx: Transaction<'audit'>,
  type: RequestChange,
  request: FileRequest,
  { accountId, keyId, actor }: Requester,
): Promise<void> {
  const about = aboutOf(type, request, tx.now);
  await recordAudit(tx, {
    ...{ action: type, by: keyHolder(keyId, actor), accountId, subject: request.id },
    details: type === 'file_request.deleted' ? about : { ...about, password: request.passwordHash !== null },
  });
}
