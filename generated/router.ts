// Made from openapi/ by `npm run generate`. Never edit it by hand.

import type { Readable } from 'node:stream';

import { Router, type RequestHandler } from 'express';

import type { OperationId } from './policies.ts';
import type * as types from './types.ts';

/** Bytes that HTTP serves whole, in part or not at all, as the conditions and the range of the request say. */
export interface Representation {
  readonly sizeBytes: number;
  /** A strong entity tag, without its quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly lastModifiedMs: number;
  readonly headers: ReplyHeaders;
  open(range: { readonly start: number; readonly end: number } | undefined): Promise<Readable>;
  /** Ends the answer midway, by closing the connection. */
  readonly stop?: AbortSignal;
}

/** What is not JSON: text, a page, or the bytes of a file. */
export type Content = string | Uint8Array | Representation;

export type ReplyHeaders = Readonly<Record<string, string>>;

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: ReplyHeaders;
}

/** Brings everything around a handler: authentication, limits, validation, rendering. */
export type Handle<Context> = (
  operationId: OperationId,
  handler: (input: unknown, context: Context) => Promise<Reply>,
) => RequestHandler | RequestHandler[];

export type ListObjectsReply =
  | { status: 200; body: types.ListObjectsResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.ListObjectsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListObjectsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListObjectsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListObjectsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListObjectsErrors[500]; headers?: ReplyHeaders };

export type UploadObjectReply =
  | { status: 200; body: types.UploadObjectResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.UploadObjectErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.UploadObjectErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.UploadObjectErrors[403]; headers?: ReplyHeaders }
  | { status: 409; body: types.UploadObjectErrors[409]; headers?: ReplyHeaders }
  | { status: 413; body: types.UploadObjectErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.UploadObjectErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.UploadObjectErrors[500]; headers?: ReplyHeaders }
  | { status: 507; body: types.UploadObjectErrors[507]; headers?: ReplyHeaders };

export type DeleteObjectsReply =
  | { status: 200; body: types.DeleteObjectsResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.DeleteObjectsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.DeleteObjectsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteObjectsErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteObjectsErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.DeleteObjectsErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteObjectsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteObjectsErrors[500]; headers?: ReplyHeaders };

export type UpdateObjectsReply =
  | { status: 200; body: types.UpdateObjectsResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.UpdateObjectsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.UpdateObjectsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.UpdateObjectsErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.UpdateObjectsErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.UpdateObjectsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.UpdateObjectsErrors[500]; headers?: ReplyHeaders };

export type GetObjectInfoReply =
  | { status: 200; body: types.GetObjectInfoResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.GetObjectInfoErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetObjectInfoErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetObjectInfoErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetObjectInfoErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetObjectInfoErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetObjectInfoErrors[500]; headers?: ReplyHeaders };

export type CopyObjectReply =
  | { status: 200; body: types.CopyObjectResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.CopyObjectErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CopyObjectErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CopyObjectErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.CopyObjectErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.CopyObjectErrors[409]; headers?: ReplyHeaders }
  | { status: 413; body: types.CopyObjectErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CopyObjectErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CopyObjectErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CopyObjectErrors[503]; headers?: ReplyHeaders };

export type GetDownloadLinkReply =
  | { status: 200; body: types.GetDownloadLinkResponses[200]; headers?: ReplyHeaders }
  | { status: 302; body?: undefined; headers?: ReplyHeaders }
  | { status: 400; body: types.GetDownloadLinkErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetDownloadLinkErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetDownloadLinkErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetDownloadLinkErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetDownloadLinkErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetDownloadLinkErrors[500]; headers?: ReplyHeaders };

export interface ObjectsHandlers<Context> {
  listObjects(input: { query: NonNullable<types.ListObjectsData['query']> }, context: Context): Promise<ListObjectsReply>;
  uploadObject(input: { query: NonNullable<types.UploadObjectData['query']> }, context: Context): Promise<UploadObjectReply>;
  deleteObjects(input: { body: NonNullable<types.DeleteObjectsData['body']> }, context: Context): Promise<DeleteObjectsReply>;
  updateObjects(input: { body: NonNullable<types.UpdateObjectsData['body']> }, context: Context): Promise<UpdateObjectsReply>;
  getObjectInfo(input: { query: NonNullable<types.GetObjectInfoData['query']> }, context: Context): Promise<GetObjectInfoReply>;
  copyObject(input: { body: NonNullable<types.CopyObjectData['body']> }, context: Context): Promise<CopyObjectReply>;
  getDownloadLink(input: { query: NonNullable<types.GetDownloadLinkData['query']> }, context: Context): Promise<GetDownloadLinkReply>;
}

export function objectsRouter<Context>(handlers: ObjectsHandlers<Context>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/v1/objects', handle('listObjects', (input, context) => handlers.listObjects(input as Parameters<typeof handlers.listObjects>[0], context)));
  router.post('/v1/objects', handle('uploadObject', (input, context) => handlers.uploadObject(input as Parameters<typeof handlers.uploadObject>[0], context)));
  router.delete('/v1/objects', handle('deleteObjects', (input, context) => handlers.deleteObjects(input as Parameters<typeof handlers.deleteObjects>[0], context)));
  router.patch('/v1/objects', handle('updateObjects', (input, context) => handlers.updateObjects(input as Parameters<typeof handlers.updateObjects>[0], context)));
  router.get('/v1/objects/info', handle('getObjectInfo', (input, context) => handlers.getObjectInfo(input as Parameters<typeof handlers.getObjectInfo>[0], context)));
  router.post('/v1/objects/copy', handle('copyObject', (input, context) => handlers.copyObject(input as Parameters<typeof handlers.copyObject>[0], context)));
  router.get('/v1/objects/download', handle('getDownloadLink', (input, context) => handlers.getDownloadLink(input as Parameters<typeof handlers.getDownloadLink>[0], context)));
  return router;
}

export type GetChunkedUploadReply =
  | { status: 200; body: types.GetChunkedUploadResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.GetChunkedUploadErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetChunkedUploadErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetChunkedUploadErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetChunkedUploadErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetChunkedUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetChunkedUploadErrors[500]; headers?: ReplyHeaders };

export type PutChunkedPartReply =
  | { status: 200; body: types.PutChunkedPartResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.PutChunkedPartErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.PutChunkedPartErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.PutChunkedPartErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.PutChunkedPartErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.PutChunkedPartErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.PutChunkedPartErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.PutChunkedPartErrors[500]; headers?: ReplyHeaders }
  | { status: 507; body: types.PutChunkedPartErrors[507]; headers?: ReplyHeaders };

export type StartChunkedUploadReply =
  | { status: 200; body: types.StartChunkedUploadResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.StartChunkedUploadErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.StartChunkedUploadErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.StartChunkedUploadErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.StartChunkedUploadErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.StartChunkedUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.StartChunkedUploadErrors[500]; headers?: ReplyHeaders }
  | { status: 507; body: types.StartChunkedUploadErrors[507]; headers?: ReplyHeaders };

export type AbortChunkedUploadReply =
  | { status: 200; body: types.AbortChunkedUploadResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.AbortChunkedUploadErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.AbortChunkedUploadErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.AbortChunkedUploadErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.AbortChunkedUploadErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.AbortChunkedUploadErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.AbortChunkedUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.AbortChunkedUploadErrors[500]; headers?: ReplyHeaders };

export type CompleteChunkedUploadReply =
  | { status: 200; body: types.CompleteChunkedUploadResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.CompleteChunkedUploadErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CompleteChunkedUploadErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CompleteChunkedUploadErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.CompleteChunkedUploadErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.CompleteChunkedUploadErrors[409]; headers?: ReplyHeaders }
  | { status: 413; body: types.CompleteChunkedUploadErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CompleteChunkedUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CompleteChunkedUploadErrors[500]; headers?: ReplyHeaders };

export type ListChunkedUploadsReply =
  | { status: 200; body: types.ListChunkedUploadsResponses[200]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListChunkedUploadsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListChunkedUploadsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListChunkedUploadsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListChunkedUploadsErrors[500]; headers?: ReplyHeaders };

export interface ChunkedHandlers<Context> {
  getChunkedUpload(input: { query: NonNullable<types.GetChunkedUploadData['query']> }, context: Context): Promise<GetChunkedUploadReply>;
  putChunkedPart(input: { query: NonNullable<types.PutChunkedPartData['query']> }, context: Context): Promise<PutChunkedPartReply>;
  startChunkedUpload(input: { query: NonNullable<types.StartChunkedUploadData['query']> }, context: Context): Promise<StartChunkedUploadReply>;
  abortChunkedUpload(input: { body: NonNullable<types.AbortChunkedUploadData['body']> }, context: Context): Promise<AbortChunkedUploadReply>;
  completeChunkedUpload(input: { body: NonNullable<types.CompleteChunkedUploadData['body']> }, context: Context): Promise<CompleteChunkedUploadReply>;
  listChunkedUploads(input: Record<never, never>, context: Context): Promise<ListChunkedUploadsReply>;
}

export function chunkedRouter<Context>(handlers: ChunkedHandlers<Context>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/v1/objects/chunked', handle('getChunkedUpload', (input, context) => handlers.getChunkedUpload(input as Parameters<typeof handlers.getChunkedUpload>[0], context)));
  router.put('/v1/objects/chunked', handle('putChunkedPart', (input, context) => handlers.putChunkedPart(input as Parameters<typeof handlers.putChunkedPart>[0], context)));
  router.post('/v1/objects/chunked', handle('startChunkedUpload', (input, context) => handlers.startChunkedUpload(input as Parameters<typeof handlers.startChunkedUpload>[0], context)));
  router.delete('/v1/objects/chunked', handle('abortChunkedUpload', (input, context) => handlers.abortChunkedUpload(input as Parameters<typeof handlers.abortChunkedUpload>[0], context)));
  router.patch('/v1/objects/chunked', handle('completeChunkedUpload', (input, context) => handlers.completeChunkedUpload(input as Parameters<typeof handlers.completeChunkedUpload>[0], context)));
  router.get('/v1/objects/chunked/open', handle('listChunkedUploads', (input, context) => handlers.listChunkedUploads(input as Parameters<typeof handlers.listChunkedUploads>[0], context)));
  return router;
}

export type CreateUploadTokenReply =
  | { status: 200; body: types.CreateUploadTokenResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateUploadTokenErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateUploadTokenErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateUploadTokenErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateUploadTokenErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateUploadTokenErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateUploadTokenErrors[500]; headers?: ReplyHeaders };

export interface UploadTokensHandlers<Context> {
  createUploadToken(input: { body: NonNullable<types.CreateUploadTokenData['body']> }, context: Context): Promise<CreateUploadTokenReply>;
}

export function uploadTokensRouter<Context>(handlers: UploadTokensHandlers<Context>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.post('/v1/upload-tokens', handle('createUploadToken', (input, context) => handlers.createUploadToken(input as Parameters<typeof handlers.createUploadToken>[0], context)));
  return router;
}

export type ListSharesReply =
  | { status: 200; body: types.ListSharesResponses[200]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListSharesErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListSharesErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListSharesErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListSharesErrors[500]; headers?: ReplyHeaders };

export type CreateShareReply =
  | { status: 201; body: types.CreateShareResponses[201]; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateShareErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateShareErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateShareErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.CreateShareErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.CreateShareErrors[409]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateShareErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateShareErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateShareErrors[500]; headers?: ReplyHeaders };

export type DeleteShareReply =
  | { status: 200; body: types.DeleteShareResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.DeleteShareErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.DeleteShareErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteShareErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteShareErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.DeleteShareErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteShareErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteShareErrors[500]; headers?: ReplyHeaders };

export interface SharesHandlers<Context> {
  listShares(input: Record<never, never>, context: Context): Promise<ListSharesReply>;
  createShare(input: { body: NonNullable<types.CreateShareData['body']> }, context: Context): Promise<CreateShareReply>;
  deleteShare(input: { body: NonNullable<types.DeleteShareData['body']> }, context: Context): Promise<DeleteShareReply>;
}

export function sharesRouter<Context>(handlers: SharesHandlers<Context>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/v1/shares', handle('listShares', (input, context) => handlers.listShares(input as Parameters<typeof handlers.listShares>[0], context)));
  router.post('/v1/shares', handle('createShare', (input, context) => handlers.createShare(input as Parameters<typeof handlers.createShare>[0], context)));
  router.delete('/v1/shares', handle('deleteShare', (input, context) => handlers.deleteShare(input as Parameters<typeof handlers.deleteShare>[0], context)));
  return router;
}

export type GetS3CredentialsReply =
  | { status: 200; body: types.GetS3CredentialsResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.GetS3CredentialsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetS3CredentialsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetS3CredentialsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetS3CredentialsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetS3CredentialsErrors[500]; headers?: ReplyHeaders };

export interface S3Handlers<Context> {
  getS3Credentials(input: Record<never, never>, context: Context): Promise<GetS3CredentialsReply>;
}

export function s3Router<Context>(handlers: S3Handlers<Context>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/v1/s3/credentials', handle('getS3Credentials', (input, context) => handlers.getS3Credentials(input as Parameters<typeof handlers.getS3Credentials>[0], context)));
  return router;
}

export type GetSettingsReply =
  | { status: 200; body: types.GetSettingsResponses[200]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetSettingsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetSettingsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetSettingsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetSettingsErrors[500]; headers?: ReplyHeaders };

export type ReplaceSettingsReply =
  | { status: 200; body: types.ReplaceSettingsResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.ReplaceSettingsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ReplaceSettingsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ReplaceSettingsErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.ReplaceSettingsErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.ReplaceSettingsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ReplaceSettingsErrors[500]; headers?: ReplyHeaders };

export type GetStatsReply =
  | { status: 200; body: types.GetStatsResponses[200]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetStatsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetStatsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetStatsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetStatsErrors[500]; headers?: ReplyHeaders };

export type ListKeysReply =
  | { status: 200; body: types.ListKeysResponses[200]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListKeysErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListKeysErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListKeysErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListKeysErrors[500]; headers?: ReplyHeaders };

export type CreateKeyReply =
  | { status: 200; body: types.CreateKeyResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateKeyErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateKeyErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateKeyErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateKeyErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateKeyErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateKeyErrors[500]; headers?: ReplyHeaders };

export type RevokeKeyReply =
  | { status: 200; body: types.RevokeKeyResponses[200]; headers?: ReplyHeaders }
  | { status: 401; body: types.RevokeKeyErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.RevokeKeyErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.RevokeKeyErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.RevokeKeyErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RevokeKeyErrors[500]; headers?: ReplyHeaders };

export type RegenerateKeyReply =
  | { status: 200; body: types.RegenerateKeyResponses[200]; headers?: ReplyHeaders }
  | { status: 401; body: types.RegenerateKeyErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.RegenerateKeyErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.RegenerateKeyErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.RegenerateKeyErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RegenerateKeyErrors[500]; headers?: ReplyHeaders };

export type ListActivityReply =
  | { status: 200; body: types.ListActivityResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.ListActivityErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListActivityErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListActivityErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListActivityErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListActivityErrors[500]; headers?: ReplyHeaders };

export interface AccountHandlers<Context> {
  getSettings(input: Record<never, never>, context: Context): Promise<GetSettingsReply>;
  replaceSettings(input: { body: NonNullable<types.ReplaceSettingsData['body']> }, context: Context): Promise<ReplaceSettingsReply>;
  getStats(input: Record<never, never>, context: Context): Promise<GetStatsReply>;
  listKeys(input: Record<never, never>, context: Context): Promise<ListKeysReply>;
  createKey(input: { body: NonNullable<types.CreateKeyData['body']> }, context: Context): Promise<CreateKeyReply>;
  revokeKey(input: { path: types.RevokeKeyData['path']; query: NonNullable<types.RevokeKeyData['query']> }, context: Context): Promise<RevokeKeyReply>;
  regenerateKey(input: { path: types.RegenerateKeyData['path']; query: NonNullable<types.RegenerateKeyData['query']> }, context: Context): Promise<RegenerateKeyReply>;
  listActivity(input: { query: NonNullable<types.ListActivityData['query']> }, context: Context): Promise<ListActivityReply>;
}

export function accountRouter<Context>(handlers: AccountHandlers<Context>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/v1/account/settings', handle('getSettings', (input, context) => handlers.getSettings(input as Parameters<typeof handlers.getSettings>[0], context)));
  router.put('/v1/account/settings', handle('replaceSettings', (input, context) => handlers.replaceSettings(input as Parameters<typeof handlers.replaceSettings>[0], context)));
  router.get('/v1/account/stats', handle('getStats', (input, context) => handlers.getStats(input as Parameters<typeof handlers.getStats>[0], context)));
  router.get('/v1/account/keys', handle('listKeys', (input, context) => handlers.listKeys(input as Parameters<typeof handlers.listKeys>[0], context)));
  router.post('/v1/account/keys', handle('createKey', (input, context) => handlers.createKey(input as Parameters<typeof handlers.createKey>[0], context)));
  router.get('/v1/account/activity', handle('listActivity', (input, context) => handlers.listActivity(input as Parameters<typeof handlers.listActivity>[0], context)));
  router.delete('/v1/account/keys/:id', handle('revokeKey', (input, context) => handlers.revokeKey(input as Parameters<typeof handlers.revokeKey>[0], context)));
  router.post('/v1/account/keys/:id/regenerate', handle('regenerateKey', (input, context) => handlers.regenerateKey(input as Parameters<typeof handlers.regenerateKey>[0], context)));
  return router;
}

export type CreateChatCompletionReply =
  | { status: 200; body: types.CreateChatCompletionResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateChatCompletionErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateChatCompletionErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateChatCompletionErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateChatCompletionErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateChatCompletionErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateChatCompletionErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateChatCompletionErrors[503]; headers?: ReplyHeaders };

export type ListModelsReply =
  | { status: 200; body: types.ListModelsResponses[200]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListModelsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListModelsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListModelsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListModelsErrors[500]; headers?: ReplyHeaders };

export type GetChatUsageReply =
  | { status: 200; body: types.GetChatUsageResponses[200]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetChatUsageErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetChatUsageErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetChatUsageErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetChatUsageErrors[500]; headers?: ReplyHeaders };

export interface ChatHandlers<Context> {
  createChatCompletion(input: { body: NonNullable<types.CreateChatCompletionData['body']> }, context: Context): Promise<CreateChatCompletionReply>;
  listModels(input: Record<never, never>, context: Context): Promise<ListModelsReply>;
  getChatUsage(input: Record<never, never>, context: Context): Promise<GetChatUsageReply>;
}

export function chatRouter<Context>(handlers: ChatHandlers<Context>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/v2/ai/models', handle('listModels', (input, context) => handlers.listModels(input as Parameters<typeof handlers.listModels>[0], context)));
  router.get('/v2/ai/usage', handle('getChatUsage', (input, context) => handlers.getChatUsage(input as Parameters<typeof handlers.getChatUsage>[0], context)));
  router.post('/v2/ai/chat/completions', handle('createChatCompletion', (input, context) => handlers.createChatCompletion(input as Parameters<typeof handlers.createChatCompletion>[0], context)));
  return router;
}

export type SetGitWebhookReply =
  | { status: 200; body: types.SetGitWebhookResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.SetGitWebhookErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.SetGitWebhookErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.SetGitWebhookErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.SetGitWebhookErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.SetGitWebhookErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.SetGitWebhookErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.SetGitWebhookErrors[500]; headers?: ReplyHeaders };

export type GetCurrentDeploymentReply =
  | { status: 200; body: types.GetCurrentDeploymentResponses[200]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetCurrentDeploymentErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetCurrentDeploymentErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetCurrentDeploymentErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetCurrentDeploymentErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetCurrentDeploymentErrors[500]; headers?: ReplyHeaders };

export type ListDeploymentsReply =
  | { status: 200; body: types.ListDeploymentsResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.ListDeploymentsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListDeploymentsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListDeploymentsErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.ListDeploymentsErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListDeploymentsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListDeploymentsErrors[500]; headers?: ReplyHeaders };

export type GetNetworkErrorsReply =
  | { status: 200; body: types.GetNetworkErrorsResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.GetNetworkErrorsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetNetworkErrorsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetNetworkErrorsErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetNetworkErrorsErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetNetworkErrorsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetNetworkErrorsErrors[500]; headers?: ReplyHeaders };

export type ReceiveGitPushReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 202; body: Content; headers?: ReplyHeaders }
  | { status: 400; body: Content; headers?: ReplyHeaders }
  | { status: 401; body: Content; headers?: ReplyHeaders }
  | { status: 404; body: Content; headers?: ReplyHeaders }
  | { status: 413; body: Content; headers?: ReplyHeaders }
  | { status: 429; body: types.ReceiveGitPushErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: Content; headers?: ReplyHeaders }
  | { status: 503; body: Content; headers?: ReplyHeaders };

export interface AppsHandlers<Context> {
  setGitWebhook(input: { path: types.SetGitWebhookData['path']; query: NonNullable<types.SetGitWebhookData['query']>; body: NonNullable<types.SetGitWebhookData['body']> }, context: Context): Promise<SetGitWebhookReply>;
  getCurrentDeployment(input: { path: types.GetCurrentDeploymentData['path']; query: NonNullable<types.GetCurrentDeploymentData['query']> }, context: Context): Promise<GetCurrentDeploymentReply>;
  listDeployments(input: { path: types.ListDeploymentsData['path']; query: NonNullable<types.ListDeploymentsData['query']> }, context: Context): Promise<ListDeploymentsReply>;
  getNetworkErrors(input: { path: types.GetNetworkErrorsData['path']; query: NonNullable<types.GetNetworkErrorsData['query']> }, context: Context): Promise<GetNetworkErrorsReply>;
  receiveGitPush(input: { path: types.ReceiveGitPushData['path']; body: NonNullable<types.ReceiveGitPushData['body']> }, context: Context): Promise<ReceiveGitPushReply>;
}

export function appsRouter<Context>(handlers: AppsHandlers<Context>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.post('/v2/git/webhook/:webhook', handle('receiveGitPush', (input, context) => handlers.receiveGitPush(input as Parameters<typeof handlers.receiveGitPush>[0], context)));
  router.get('/v2/apps/:app_id/deployments', handle('listDeployments', (input, context) => handlers.listDeployments(input as Parameters<typeof handlers.listDeployments>[0], context)));
  router.post('/v2/apps/:app_id/deploy/webhook', handle('setGitWebhook', (input, context) => handlers.setGitWebhook(input as Parameters<typeof handlers.setGitWebhook>[0], context)));
  router.get('/v2/apps/:app_id/deployments/current', handle('getCurrentDeployment', (input, context) => handlers.getCurrentDeployment(input as Parameters<typeof handlers.getCurrentDeployment>[0], context)));
  router.get('/v2/apps/:app_id/network/errors', handle('getNetworkErrors', (input, context) => handlers.getNetworkErrors(input as Parameters<typeof handlers.getNetworkErrors>[0], context)));
  return router;
}

export type RequestDeviceCodeReply =
  | { status: 200; body: types.RequestDeviceCodeResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.RequestDeviceCodeErrors[400]; headers?: ReplyHeaders }
  | { status: 413; body: types.RequestDeviceCodeErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.RequestDeviceCodeErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RequestDeviceCodeErrors[500]; headers?: ReplyHeaders };

export type ShowActivationPageReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 429; body: types.ShowActivationPageErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ShowActivationPageErrors[500]; headers?: ReplyHeaders };

export type SubmitActivationReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 303; body?: undefined; headers?: ReplyHeaders }
  | { status: 400; body: types.SubmitActivationErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.SubmitActivationErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.SubmitActivationErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.SubmitActivationErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.SubmitActivationErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.SubmitActivationErrors[500]; headers?: ReplyHeaders };

export type PollDeviceTokenReply =
  | { status: 200; body: types.PollDeviceTokenResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.PollDeviceTokenErrors[400]; headers?: ReplyHeaders }
  | { status: 413; body: types.PollDeviceTokenErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.PollDeviceTokenErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.PollDeviceTokenErrors[500]; headers?: ReplyHeaders };

export interface DeviceHandlers<Context> {
  requestDeviceCode(input: { body: NonNullable<types.RequestDeviceCodeData['body']> }, context: Context): Promise<RequestDeviceCodeReply>;
  showActivationPage(input: { query: NonNullable<types.ShowActivationPageData['query']> }, context: Context): Promise<ShowActivationPageReply>;
  submitActivation(input: { body: NonNullable<types.SubmitActivationData['body']> }, context: Context): Promise<SubmitActivationReply>;
  pollDeviceToken(input: { body: NonNullable<types.PollDeviceTokenData['body']> }, context: Context): Promise<PollDeviceTokenReply>;
}

export function deviceRouter<Context>(handlers: DeviceHandlers<Context>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/activate', handle('showActivationPage', (input, context) => handlers.showActivationPage(input as Parameters<typeof handlers.showActivationPage>[0], context)));
  router.post('/activate', handle('submitActivation', (input, context) => handlers.submitActivation(input as Parameters<typeof handlers.submitActivation>[0], context)));
  router.post('/v2/auth/device', handle('requestDeviceCode', (input, context) => handlers.requestDeviceCode(input as Parameters<typeof handlers.requestDeviceCode>[0], context)));
  router.post('/v2/auth/device/token', handle('pollDeviceToken', (input, context) => handlers.pollDeviceToken(input as Parameters<typeof handlers.pollDeviceToken>[0], context)));
  return router;
}

export type OpenDownloadLinkReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 206; body: Content; headers?: ReplyHeaders }
  | { status: 304; body?: undefined; headers?: ReplyHeaders }
  | { status: 404; body: Content; headers?: ReplyHeaders }
  | { status: 412; body: Content; headers?: ReplyHeaders }
  | { status: 416; body: Content; headers?: ReplyHeaders }
  | { status: 429; body: Content; headers?: ReplyHeaders }
  | { status: 500; body: Content; headers?: ReplyHeaders }
  | { status: 503; body: Content; headers?: ReplyHeaders };

export type OpenShareReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 206; body: Content; headers?: ReplyHeaders }
  | { status: 302; body?: undefined; headers?: ReplyHeaders }
  | { status: 304; body?: undefined; headers?: ReplyHeaders }
  | { status: 401; body: types.OpenShareErrors[401]; headers?: ReplyHeaders }
  | { status: 404; body: types.OpenShareErrors[404]; headers?: ReplyHeaders }
  | { status: 410; body: types.OpenShareErrors[410]; headers?: ReplyHeaders }
  | { status: 412; body: Content; headers?: ReplyHeaders }
  | { status: 416; body: Content; headers?: ReplyHeaders }
  | { status: 429; body: types.OpenShareErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.OpenShareErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.OpenShareErrors[503]; headers?: ReplyHeaders };

export type SubmitSharePasswordReply =
  | { status: 303; body?: undefined; headers?: ReplyHeaders }
  | { status: 401; body: types.SubmitSharePasswordErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.SubmitSharePasswordErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.SubmitSharePasswordErrors[404]; headers?: ReplyHeaders }
  | { status: 410; body: types.SubmitSharePasswordErrors[410]; headers?: ReplyHeaders }
  | { status: 413; body: types.SubmitSharePasswordErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.SubmitSharePasswordErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.SubmitSharePasswordErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.SubmitSharePasswordErrors[503]; headers?: ReplyHeaders };

export interface DeliveryHandlers<Context> {
  openDownloadLink(input: { path: types.OpenDownloadLinkData['path']; query: NonNullable<types.OpenDownloadLinkData['query']> }, context: Context): Promise<OpenDownloadLinkReply>;
  openShare(input: { path: types.OpenShareData['path']; query: NonNullable<types.OpenShareData['query']> }, context: Context): Promise<OpenShareReply>;
  submitSharePassword(input: { path: types.SubmitSharePasswordData['path']; query: NonNullable<types.SubmitSharePasswordData['query']>; body: NonNullable<types.SubmitSharePasswordData['body']> }, context: Context): Promise<SubmitSharePasswordReply>;
}

export function deliveryRouter<Context>(handlers: DeliveryHandlers<Context>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/d/:token', handle('openDownloadLink', (input, context) => handlers.openDownloadLink(input as Parameters<typeof handlers.openDownloadLink>[0], context)));
  router.get('/s/:share_id', handle('openShare', (input, context) => handlers.openShare(input as Parameters<typeof handlers.openShare>[0], context)));
  router.post('/s/:share_id', handle('submitSharePassword', (input, context) => handlers.submitSharePassword(input as Parameters<typeof handlers.submitSharePassword>[0], context)));
  return router;
}

export type GetLivenessReply =
  | { status: 200; body: types.GetLivenessResponses[200]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetLivenessErrors[500]; headers?: ReplyHeaders };

export type GetReadinessReply =
  | { status: 200; body: types.GetReadinessResponses[200]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetReadinessErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetReadinessErrors[503]; headers?: ReplyHeaders };

export type GetMetricsReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 500; body: types.GetMetricsErrors[500]; headers?: ReplyHeaders };

export interface OperationsHandlers<Context> {
  getLiveness(input: Record<never, never>, context: Context): Promise<GetLivenessReply>;
  getReadiness(input: Record<never, never>, context: Context): Promise<GetReadinessReply>;
  getMetrics(input: Record<never, never>, context: Context): Promise<GetMetricsReply>;
}

export function operationsRouter<Context>(handlers: OperationsHandlers<Context>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/livez', handle('getLiveness', (input, context) => handlers.getLiveness(input as Parameters<typeof handlers.getLiveness>[0], context)));
  router.get('/readyz', handle('getReadiness', (input, context) => handlers.getReadiness(input as Parameters<typeof handlers.getReadiness>[0], context)));
  router.get('/metrics', handle('getMetrics', (input, context) => handlers.getMetrics(input as Parameters<typeof handlers.getMetrics>[0], context)));
  return router;
}
