import type { EventData, EventType } from '../events/event.ts';
import { instant, recordEvent } from '../events/record-event.ts';
import { formatObjectId, type ObjectAddress } from '../object-id.ts';
import type { Transaction } from '../ports/metadata.ts';
import { stateOf, type FileRequest } from './file-request.ts';

/** Why a request has ended. */
type EndReason = 'closed' | 'expired' | 'deleted';

/** Adds an event about a file request. The secret in its address stays out of it, because it opens the page. */
export async function recordRequestEvent(
  tx: Transaction<'events'>,
  type: Extract<EventType, `file_request.${string}`>,
  request: FileRequest,
  more: EventData = {},
  file?: ObjectAddress,
): Promise<void> {
  const { id, title, prefix, files, bytes, senders, maxFiles, maxBytes, deadlineAt } = request;
  const told = {
    ...{ id, title, prefix, state: stateOf(request, tx.now), files, bytes, senders },
    ...{ max_files: maxFiles, max_bytes: maxBytes, deadline: deadlineAt === null ? null : instant(deadlineAt) },
  };
  await recordEvent(tx, request.accountId, type, { file_request: told, ...more }, file?.key ?? null);
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
  const file = { id: formatObjectId(object), size: object.sizeBytes, sha256: object.sha256 };
  const by = { name: sender.name, folder: sender.folder };
  await recordRequestEvent(tx, 'file_request.received', request, { object: file, sender: by, name }, object);
}

/** Adds the event of an end, unless it was told since the request was opened. */
export async function recordRequestEnd(
  tx: Transaction<'events' | 'fileRequests'>,
  request: FileRequest,
  reason: EndReason,
  more: EventData = {},
): Promise<boolean> {
  const isNew = await tx.fileRequests.noteEnd(request.id, true);
  if (isNew) await recordRequestEvent(tx, 'file_request.ended', request, { reason, ...more });
  return isNew;
}
