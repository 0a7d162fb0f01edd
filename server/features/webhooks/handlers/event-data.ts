import type {
  EventBudgetData,
  EventDeployData,
  EventFileData,
  EventFileRequestData,
  EventKeyData,
  EventPushData,
  EventQuotaData,
  EventShareData,
  EventTokenData,
  EventUploadData,
  Webhooks2,
} from '#generated/types.ts';
import type { EventDetails, FileDetails, FileOrigin, ShareDetails } from '#server/domain/events/event-details.ts';
import type { StoredEvent } from '#server/domain/events/event.ts';
import type { EventType } from '#server/domain/events/event-type.ts';
import { given } from '#server/handlers/given.ts';
import { timestamp, timestampOrNull } from '#server/handlers/wire.ts';

/** The details of an event in the form that the contract's webhook of its type declares. */
type EventData<Type extends EventType> = NonNullable<Extract<Webhooks2, { key: Type }>['body']['data']>;

/**
 * The wire forms of what events say. Each function has its return type written down, so that a field that the contract
 * does not declare does not compile.
 */
const dataOf: { readonly [Type in EventType]: (details: EventDetails<Type>) => EventData<Type> } = {
  'object.created': fileData,
  'object.replaced': fileData,
  'object.updated': fileData,
  'object.moved': fileData,
  'object.visibility_changed': fileData,
  'object.expiry_changed': fileData,
  'object.deleted': fileData,
  'object.expired': fileData,
  'object.restored': fileData,
  'object.purged': fileData,
  'upload.started': uploadData,
  'upload.completed': uploadData,
  'upload.aborted': uploadData,
  'share.created': shareData,
  'share.updated': shareData,
  'share.visited': shareData,
  'share.downloaded': shareData,
  'share.spent': shareData,
  'share.ended': shareData,
  'file_request.created': fileRequestData,
  'file_request.updated': fileRequestData,
  'file_request.received': fileRequestData,
  'file_request.full': fileRequestData,
  'file_request.ended': fileRequestData,
  'upload_token.used_up': ({ uploadToken: { id, keyId, maxUses, expiresAt } }): EventTokenData => ({
    upload_token: { id, key_id: keyId, max_uses: maxUses, expires_at: timestamp(expiresAt) },
  }),
  'quota.reached': ({ percent, usedBytes, quotaBytes }): EventQuotaData => ({
    percent,
    used_bytes: usedBytes,
    quota_bytes: quotaBytes,
  }),
  'ai.budget_reached': ({ percent, budget, limit, used, startsAt, resetsAt }): EventBudgetData => ({
    percent,
    budget,
    limit,
    used,
    starts_at: timestamp(startsAt),
    resets_at: timestamp(resetsAt),
  }),
  'key.created': keyData,
  'key.updated': keyData,
  'key.revoked': keyData,
  'deploy.queued': deployData,
  'deploy.started': deployData,
  'deploy.ended': deployData,
  'deploy.filtered': ({ push: { appId, branch, commit, message, reason } }): EventPushData => ({
    push: { app_id: appId, branch, commit, message, reason },
  }),
  'webhook.test': ({ webhook }) => ({ webhook }),
};

/** Returns what an event says, in the form that clients get. */
export function eventData<Type extends EventType>({
  type,
  data,
}: Extract<StoredEvent, { type: Type }>): EventData<Type> {
  return (dataOf[type as Type] as (details: unknown) => EventData<Type>)(data);
}

function fileData({
  object,
  auth,
  from,
  source,
  isReplaced,
  changed,
  isUndone,
  ...origin
}: FileDetails): EventFileData {
  const { id, sizeBytes, etag, sha256, contentType, isPrivate, createdAt, expiresAt, originalName, metadata } = object;
  return {
    object: {
      id,
      size: sizeBytes,
      etag,
      sha256,
      content_type: contentType,
      private: isPrivate,
      created_at: timestamp(createdAt),
      expires_at: timestampOrNull(expiresAt),
      original_name: originalName,
      metadata,
    },
    auth,
    ...given<Pick<EventFileData, 'from' | 'source' | 'replaced' | 'changed' | 'undone' | 'file_request'>>({
      from,
      source,
      replaced: isReplaced,
      changed: changed && [...changed],
      undone: isUndone,
    }),
    ...tokenData(origin),
    ...given<Pick<EventFileData, 'file_request'>>({
      file_request: origin.fileRequestId === undefined ? undefined : { id: origin.fileRequestId },
    }),
  };
}

function tokenData({
  uploadTokenId,
  callbackMetadata,
}: FileOrigin): Pick<EventFileData & EventUploadData, 'upload_token' | 'callback_metadata'> {
  return given<Pick<EventFileData, 'upload_token' | 'callback_metadata'>>({
    upload_token: uploadTokenId === undefined ? undefined : { id: uploadTokenId },
    callback_metadata: callbackMetadata,
  });
}

function uploadData({ object, auth, sizeBytes, parts, ...origin }: EventDetails<'upload.started'>): EventUploadData {
  return {
    object: { id: object.id },
    size: sizeBytes,
    ...given<Pick<EventUploadData, 'parts'>>({ parts }),
    auth,
    ...tokenData(origin),
  };
}

function shareData({ object, share, reason, isUndone, auth }: ShareDetails): EventShareData {
  const { createdAt, expiresAt, maxDownloads, remainingDownloads } = share;
  return {
    object: { id: object.id },
    share: {
      created_at: timestamp(createdAt),
      expires_at: timestamp(expiresAt),
      max_downloads: maxDownloads,
      remaining_downloads: remainingDownloads,
    },
    ...given<Pick<EventShareData, 'reason' | 'undone' | 'auth'>>({ reason, undone: isUndone, auth }),
  };
}

function fileRequestData({
  fileRequest,
  object,
  sender,
  name,
  reason,
  auth,
}: EventDetails<'file_request.created'>): EventFileRequestData {
  const { id, title, prefix, state, files, bytes, senders, maxFiles, maxBytes, deadlineAt } = fileRequest;
  return {
    file_request: {
      ...{ id, title, prefix, state, files, bytes, senders },
      max_files: maxFiles,
      max_bytes: maxBytes,
      deadline: timestampOrNull(deadlineAt),
    },
    ...given<Pick<EventFileRequestData, 'object' | 'sender' | 'name' | 'reason' | 'auth'>>({
      object: object && { id: object.id, size: object.sizeBytes, sha256: object.sha256 },
      sender: sender && { name: sender.name, folder: sender.folder },
      name,
      reason,
      auth,
    }),
  };
}

function keyData({ key: { id, name }, auth, isRegenerated }: EventDetails<'key.created'>): EventKeyData {
  return { key: { id, name }, auth, ...given<Pick<EventKeyData, 'regenerated'>>({ regenerated: isRegenerated }) };
}

function deployData({ deploy }: EventDetails<'deploy.queued'>): EventDeployData {
  const { id, appId, state, branch, commit, message, tries } = deploy;
  return { deploy: { id, app_id: appId, state, branch, commit, message, tries } };
}
