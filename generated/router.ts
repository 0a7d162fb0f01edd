// Made from openapi/ by `npm run generate`. Never edit it by hand.

import { Router, type RequestHandler } from 'express';

import type { Operation } from '#server/http/operation.ts';
import type { Content, EventStream, Json, Reply, ReplyHeaders } from '#server/http/reply.ts';
import type { OperationId } from './policies.ts';
import type * as types from './types.ts';

/**
 * Brings everything around an operation: authentication, limits, validation, rendering. The server may find an
 * operation by its path without these routes: see server/doors/contract/direct-routes.ts.
 */
export type Handle<Context> = (
  operationId: OperationId,
  operation: Operation<never, Context, Reply>,
) => RequestHandler | RequestHandler[];

export type ListObjectsReply =
  | { status: 200; body: Json<types.ListObjectsResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ListObjectsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListObjectsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListObjectsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListObjectsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListObjectsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListObjectsErrors[503]; headers?: ReplyHeaders };

export type UploadObjectReply =
  | { status: 200; body: Json<types.UploadObjectResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.UploadObjectErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.UploadObjectErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.UploadObjectErrors[403]; headers?: ReplyHeaders }
  | { status: 409; body: types.UploadObjectErrors[409]; headers?: ReplyHeaders }
  | { status: 412; body: types.UploadObjectErrors[412]; headers?: ReplyHeaders }
  | { status: 413; body: types.UploadObjectErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.UploadObjectErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.UploadObjectErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.UploadObjectErrors[503]; headers?: ReplyHeaders }
  | { status: 507; body: types.UploadObjectErrors[507]; headers?: ReplyHeaders };

export type DeleteObjectsReply =
  | { status: 200; body: Json<types.DeleteObjectsResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.DeleteObjectsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.DeleteObjectsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteObjectsErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteObjectsErrors[404]; headers?: ReplyHeaders }
  | { status: 412; body: types.DeleteObjectsErrors[412]; headers?: ReplyHeaders }
  | { status: 413; body: types.DeleteObjectsErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteObjectsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteObjectsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.DeleteObjectsErrors[503]; headers?: ReplyHeaders };

export type UpdateObjectsReply =
  | { status: 200; body: Json<types.UpdateObjectsResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.UpdateObjectsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.UpdateObjectsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.UpdateObjectsErrors[403]; headers?: ReplyHeaders }
  | { status: 412; body: types.UpdateObjectsErrors[412]; headers?: ReplyHeaders }
  | { status: 413; body: types.UpdateObjectsErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.UpdateObjectsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.UpdateObjectsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.UpdateObjectsErrors[503]; headers?: ReplyHeaders };

export type GetObjectInfoReply =
  | { status: 200; body: Json<types.GetObjectInfoResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.GetObjectInfoErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetObjectInfoErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetObjectInfoErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetObjectInfoErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetObjectInfoErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetObjectInfoErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetObjectInfoErrors[503]; headers?: ReplyHeaders };

export type CopyObjectReply =
  | { status: 200; body: Json<types.CopyObjectResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.CopyObjectErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CopyObjectErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CopyObjectErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.CopyObjectErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.CopyObjectErrors[409]; headers?: ReplyHeaders }
  | { status: 412; body: types.CopyObjectErrors[412]; headers?: ReplyHeaders }
  | { status: 413; body: types.CopyObjectErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CopyObjectErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CopyObjectErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CopyObjectErrors[503]; headers?: ReplyHeaders };

export type GetDownloadLinkReply =
  | { status: 200; body: Json<types.GetDownloadLinkResponses[200]>; headers?: ReplyHeaders }
  | { status: 302; body?: undefined; headers?: ReplyHeaders }
  | { status: 400; body: types.GetDownloadLinkErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetDownloadLinkErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetDownloadLinkErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetDownloadLinkErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetDownloadLinkErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetDownloadLinkErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetDownloadLinkErrors[503]; headers?: ReplyHeaders };

export type ListReceiptKeysReply =
  | { status: 200; body: Json<types.ListReceiptKeysResponses[200]>; headers?: ReplyHeaders }
  | { status: 429; body: types.ListReceiptKeysErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListReceiptKeysErrors[500]; headers?: ReplyHeaders };

export type OpenDownloadLinkReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 206; body: Content; headers?: ReplyHeaders }
  | { status: 304; body?: undefined; headers?: ReplyHeaders }
  | { status: 307; body?: undefined; headers?: ReplyHeaders }
  | { status: 400; body: Content; headers?: ReplyHeaders }
  | { status: 403; body: Content; headers?: ReplyHeaders }
  | { status: 404; body: Content; headers?: ReplyHeaders }
  | { status: 412; body: Content; headers?: ReplyHeaders }
  | { status: 413; body: Content; headers?: ReplyHeaders }
  | { status: 415; body: Content; headers?: ReplyHeaders }
  | { status: 416; body: Content; headers?: ReplyHeaders }
  | { status: 422; body: Content; headers?: ReplyHeaders }
  | { status: 429; body: Content; headers?: ReplyHeaders }
  | { status: 500; body: Content; headers?: ReplyHeaders }
  | { status: 503; body: Content; headers?: ReplyHeaders };

export interface FilesHandlers<Context> {
  readonly listObjects: Operation<{ query: NonNullable<types.ListObjectsData['query']> }, Context, ListObjectsReply>;
  readonly uploadObject: Operation<{ query: NonNullable<types.UploadObjectData['query']> }, Context, UploadObjectReply>;
  readonly deleteObjects: Operation<{ query: NonNullable<types.DeleteObjectsData['query']>; body: NonNullable<types.DeleteObjectsData['body']> }, Context, DeleteObjectsReply>;
  readonly updateObjects: Operation<{ query: NonNullable<types.UpdateObjectsData['query']>; body: NonNullable<types.UpdateObjectsData['body']> }, Context, UpdateObjectsReply>;
  readonly getObjectInfo: Operation<{ query: NonNullable<types.GetObjectInfoData['query']> }, Context, GetObjectInfoReply>;
  readonly copyObject: Operation<{ query: NonNullable<types.CopyObjectData['query']>; body: NonNullable<types.CopyObjectData['body']> }, Context, CopyObjectReply>;
  readonly getDownloadLink: Operation<{ query: NonNullable<types.GetDownloadLinkData['query']> }, Context, GetDownloadLinkReply>;
  readonly listReceiptKeys: Operation<Record<never, never>, Context, ListReceiptKeysReply>;
  readonly openDownloadLink: Operation<{ path: types.OpenDownloadLinkData['path']; query: NonNullable<types.OpenDownloadLinkData['query']> }, Context, OpenDownloadLinkReply>;
}

export function filesRouter<Context>(handlers: Partial<FilesHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.listObjects) router.get('/v1/objects', handle('listObjects', handlers.listObjects));
  if (handlers.uploadObject) router.post('/v1/objects', handle('uploadObject', handlers.uploadObject));
  if (handlers.deleteObjects) router.delete('/v1/objects', handle('deleteObjects', handlers.deleteObjects));
  if (handlers.updateObjects) router.patch('/v1/objects', handle('updateObjects', handlers.updateObjects));
  if (handlers.getObjectInfo) router.get('/v1/objects/info', handle('getObjectInfo', handlers.getObjectInfo));
  if (handlers.copyObject) router.post('/v1/objects/copy', handle('copyObject', handlers.copyObject));
  if (handlers.getDownloadLink) router.get('/v1/objects/download', handle('getDownloadLink', handlers.getDownloadLink));
  if (handlers.listReceiptKeys) router.get('/v1/receipts/keys', handle('listReceiptKeys', handlers.listReceiptKeys));
  return router;
}

export function filesLinksRouter<Context>(handlers: Partial<FilesHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.openDownloadLink) router.get('/d/:token', handle('openDownloadLink', handlers.openDownloadLink));
  return router;
}

export type GetChunkedUploadReply =
  | { status: 200; body: Json<types.GetChunkedUploadResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.GetChunkedUploadErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetChunkedUploadErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetChunkedUploadErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetChunkedUploadErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetChunkedUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetChunkedUploadErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetChunkedUploadErrors[503]; headers?: ReplyHeaders };

export type PutChunkedPartReply =
  | { status: 200; body: Json<types.PutChunkedPartResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.PutChunkedPartErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.PutChunkedPartErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.PutChunkedPartErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.PutChunkedPartErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.PutChunkedPartErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.PutChunkedPartErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.PutChunkedPartErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.PutChunkedPartErrors[503]; headers?: ReplyHeaders }
  | { status: 507; body: types.PutChunkedPartErrors[507]; headers?: ReplyHeaders };

export type StartChunkedUploadReply =
  | { status: 200; body: Json<types.StartChunkedUploadResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.StartChunkedUploadErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.StartChunkedUploadErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.StartChunkedUploadErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.StartChunkedUploadErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.StartChunkedUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.StartChunkedUploadErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.StartChunkedUploadErrors[503]; headers?: ReplyHeaders }
  | { status: 507; body: types.StartChunkedUploadErrors[507]; headers?: ReplyHeaders };

export type AbortChunkedUploadReply =
  | { status: 200; body: Json<types.AbortChunkedUploadResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.AbortChunkedUploadErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.AbortChunkedUploadErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.AbortChunkedUploadErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.AbortChunkedUploadErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.AbortChunkedUploadErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.AbortChunkedUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.AbortChunkedUploadErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.AbortChunkedUploadErrors[503]; headers?: ReplyHeaders };

export type CompleteChunkedUploadReply =
  | { status: 200; body: Json<types.CompleteChunkedUploadResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.CompleteChunkedUploadErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CompleteChunkedUploadErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CompleteChunkedUploadErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.CompleteChunkedUploadErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.CompleteChunkedUploadErrors[409]; headers?: ReplyHeaders }
  | { status: 412; body: types.CompleteChunkedUploadErrors[412]; headers?: ReplyHeaders }
  | { status: 413; body: types.CompleteChunkedUploadErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CompleteChunkedUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CompleteChunkedUploadErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CompleteChunkedUploadErrors[503]; headers?: ReplyHeaders };

export type ListChunkedUploadsReply =
  | { status: 200; body: Json<types.ListChunkedUploadsResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ListChunkedUploadsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListChunkedUploadsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListChunkedUploadsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListChunkedUploadsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListChunkedUploadsErrors[503]; headers?: ReplyHeaders };

export type StartUploadReply =
  | { status: 200; body: Json<types.StartUploadResponses[200]>; headers?: ReplyHeaders }
  | { status: 201; body?: undefined; headers?: ReplyHeaders }
  | { status: 400; body: types.StartUploadErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.StartUploadErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.StartUploadErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.StartUploadErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.StartUploadErrors[409]; headers?: ReplyHeaders }
  | { status: 412; body: types.StartUploadErrors[412]; headers?: ReplyHeaders }
  | { status: 413; body: types.StartUploadErrors[413]; headers?: ReplyHeaders }
  | { status: 415; body: types.StartUploadErrors[415]; headers?: ReplyHeaders }
  | { status: 423; body: types.StartUploadErrors[423]; headers?: ReplyHeaders }
  | { status: 429; body: types.StartUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 460; body: types.StartUploadErrors[460]; headers?: ReplyHeaders }
  | { status: 500; body: types.StartUploadErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.StartUploadErrors[503]; headers?: ReplyHeaders }
  | { status: 507; body: types.StartUploadErrors[507]; headers?: ReplyHeaders };

export type GetUploadReply =
  | { status: 200; body: Json<types.GetUploadResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.GetUploadErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetUploadErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetUploadErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetUploadErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.GetUploadErrors[409]; headers?: ReplyHeaders }
  | { status: 412; body: types.GetUploadErrors[412]; headers?: ReplyHeaders }
  | { status: 423; body: types.GetUploadErrors[423]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetUploadErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetUploadErrors[503]; headers?: ReplyHeaders };

export type DeleteUploadReply =
  | { status: 204; body?: undefined; headers?: ReplyHeaders }
  | { status: 401; body: types.DeleteUploadErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteUploadErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteUploadErrors[404]; headers?: ReplyHeaders }
  | { status: 412; body: types.DeleteUploadErrors[412]; headers?: ReplyHeaders }
  | { status: 423; body: types.DeleteUploadErrors[423]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteUploadErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.DeleteUploadErrors[503]; headers?: ReplyHeaders };

export type PutUploadBytesReply =
  | { status: 200; body: Json<types.PutUploadBytesResponses[200]>; headers?: ReplyHeaders }
  | { status: 204; body?: undefined; headers?: ReplyHeaders }
  | { status: 400; body: types.PutUploadBytesErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.PutUploadBytesErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.PutUploadBytesErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.PutUploadBytesErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.PutUploadBytesErrors[409]; headers?: ReplyHeaders }
  | { status: 412; body: types.PutUploadBytesErrors[412]; headers?: ReplyHeaders }
  | { status: 413; body: types.PutUploadBytesErrors[413]; headers?: ReplyHeaders }
  | { status: 415; body: types.PutUploadBytesErrors[415]; headers?: ReplyHeaders }
  | { status: 423; body: types.PutUploadBytesErrors[423]; headers?: ReplyHeaders }
  | { status: 429; body: types.PutUploadBytesErrors[429]; headers?: ReplyHeaders }
  | { status: 460; body: types.PutUploadBytesErrors[460]; headers?: ReplyHeaders }
  | { status: 500; body: types.PutUploadBytesErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.PutUploadBytesErrors[503]; headers?: ReplyHeaders }
  | { status: 507; body: types.PutUploadBytesErrors[507]; headers?: ReplyHeaders };

export interface UploadsHandlers<Context> {
  readonly getChunkedUpload: Operation<{ query: NonNullable<types.GetChunkedUploadData['query']> }, Context, GetChunkedUploadReply>;
  readonly putChunkedPart: Operation<{ query: NonNullable<types.PutChunkedPartData['query']> }, Context, PutChunkedPartReply>;
  readonly startChunkedUpload: Operation<{ query: NonNullable<types.StartChunkedUploadData['query']> }, Context, StartChunkedUploadReply>;
  readonly abortChunkedUpload: Operation<{ body: NonNullable<types.AbortChunkedUploadData['body']> }, Context, AbortChunkedUploadReply>;
  readonly completeChunkedUpload: Operation<{ query: NonNullable<types.CompleteChunkedUploadData['query']>; body: NonNullable<types.CompleteChunkedUploadData['body']> }, Context, CompleteChunkedUploadReply>;
  readonly listChunkedUploads: Operation<Record<never, never>, Context, ListChunkedUploadsReply>;
  readonly startUpload: Operation<{ query: NonNullable<types.StartUploadData['query']> }, Context, StartUploadReply>;
  readonly getUpload: Operation<{ path: types.GetUploadData['path']; query: NonNullable<types.GetUploadData['query']> }, Context, GetUploadReply>;
  readonly deleteUpload: Operation<{ path: types.DeleteUploadData['path']; query: NonNullable<types.DeleteUploadData['query']> }, Context, DeleteUploadReply>;
  readonly putUploadBytes: Operation<{ path: types.PutUploadBytesData['path']; query: NonNullable<types.PutUploadBytesData['query']> }, Context, PutUploadBytesReply>;
}

export function uploadsRouter<Context>(handlers: Partial<UploadsHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.startUpload) router.post('/v1/uploads', handle('startUpload', handlers.startUpload));
  if (handlers.getChunkedUpload) router.get('/v1/objects/chunked', handle('getChunkedUpload', handlers.getChunkedUpload));
  if (handlers.putChunkedPart) router.put('/v1/objects/chunked', handle('putChunkedPart', handlers.putChunkedPart));
  if (handlers.startChunkedUpload) router.post('/v1/objects/chunked', handle('startChunkedUpload', handlers.startChunkedUpload));
  if (handlers.abortChunkedUpload) router.delete('/v1/objects/chunked', handle('abortChunkedUpload', handlers.abortChunkedUpload));
  if (handlers.completeChunkedUpload) router.patch('/v1/objects/chunked', handle('completeChunkedUpload', handlers.completeChunkedUpload));
  if (handlers.listChunkedUploads) router.get('/v1/objects/chunked/open', handle('listChunkedUploads', handlers.listChunkedUploads));
  if (handlers.getUpload) router.get('/v1/uploads/:upload', handle('getUpload', handlers.getUpload));
  if (handlers.deleteUpload) router.delete('/v1/uploads/:upload', handle('deleteUpload', handlers.deleteUpload));
  if (handlers.putUploadBytes) router.patch('/v1/uploads/:upload', handle('putUploadBytes', handlers.putUploadBytes));
  return router;
}

export type ListTrashReply =
  | { status: 200; body: Json<types.ListTrashResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ListTrashErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListTrashErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListTrashErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListTrashErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListTrashErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListTrashErrors[503]; headers?: ReplyHeaders };

export type DeleteTrashReply =
  | { status: 200; body: Json<types.DeleteTrashResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.DeleteTrashErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.DeleteTrashErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteTrashErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteTrashErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.DeleteTrashErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteTrashErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteTrashErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.DeleteTrashErrors[503]; headers?: ReplyHeaders };

export type RestoreTrashReply =
  | { status: 200; body: Json<types.RestoreTrashResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.RestoreTrashErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.RestoreTrashErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.RestoreTrashErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.RestoreTrashErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.RestoreTrashErrors[409]; headers?: ReplyHeaders }
  | { status: 412; body: types.RestoreTrashErrors[412]; headers?: ReplyHeaders }
  | { status: 413; body: types.RestoreTrashErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.RestoreTrashErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RestoreTrashErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.RestoreTrashErrors[503]; headers?: ReplyHeaders };

export interface TrashHandlers<Context> {
  readonly listTrash: Operation<{ query: NonNullable<types.ListTrashData['query']> }, Context, ListTrashReply>;
  readonly deleteTrash: Operation<{ query: NonNullable<types.DeleteTrashData['query']>; body: NonNullable<types.DeleteTrashData['body']> }, Context, DeleteTrashReply>;
  readonly restoreTrash: Operation<{ query: NonNullable<types.RestoreTrashData['query']>; body: NonNullable<types.RestoreTrashData['body']> }, Context, RestoreTrashReply>;
}

export function trashRouter<Context>(handlers: Partial<TrashHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.listTrash) router.get('/v1/trash', handle('listTrash', handlers.listTrash));
  if (handlers.deleteTrash) router.delete('/v1/trash', handle('deleteTrash', handlers.deleteTrash));
  if (handlers.restoreTrash) router.post('/v1/trash/restore', handle('restoreTrash', handlers.restoreTrash));
  return router;
}

export type ListFolderJobsReply =
  | { status: 200; body: Json<types.ListFolderJobsResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ListFolderJobsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListFolderJobsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListFolderJobsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListFolderJobsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListFolderJobsErrors[503]; headers?: ReplyHeaders };

export type StartFolderJobReply =
  | { status: 202; body: Json<types.StartFolderJobResponses[202]>; headers?: ReplyHeaders }
  | { status: 400; body: types.StartFolderJobErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.StartFolderJobErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.StartFolderJobErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.StartFolderJobErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.StartFolderJobErrors[409]; headers?: ReplyHeaders }
  | { status: 413; body: types.StartFolderJobErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.StartFolderJobErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.StartFolderJobErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.StartFolderJobErrors[503]; headers?: ReplyHeaders };

export type GetFolderJobReply =
  | { status: 200; body: Json<types.GetFolderJobResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetFolderJobErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetFolderJobErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetFolderJobErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetFolderJobErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetFolderJobErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetFolderJobErrors[503]; headers?: ReplyHeaders };

export type AbortFolderJobReply =
  | { status: 200; body: Json<types.AbortFolderJobResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.AbortFolderJobErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.AbortFolderJobErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.AbortFolderJobErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.AbortFolderJobErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.AbortFolderJobErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.AbortFolderJobErrors[503]; headers?: ReplyHeaders };

export interface FoldersHandlers<Context> {
  readonly listFolderJobs: Operation<Record<never, never>, Context, ListFolderJobsReply>;
  readonly startFolderJob: Operation<{ query: NonNullable<types.StartFolderJobData['query']>; body: NonNullable<types.StartFolderJobData['body']> }, Context, StartFolderJobReply>;
  readonly getFolderJob: Operation<{ path: types.GetFolderJobData['path']; query: NonNullable<types.GetFolderJobData['query']> }, Context, GetFolderJobReply>;
  readonly abortFolderJob: Operation<{ path: types.AbortFolderJobData['path']; query: NonNullable<types.AbortFolderJobData['query']> }, Context, AbortFolderJobReply>;
}

export function foldersRouter<Context>(handlers: Partial<FoldersHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.listFolderJobs) router.get('/v1/folders/jobs', handle('listFolderJobs', handlers.listFolderJobs));
  if (handlers.startFolderJob) router.post('/v1/folders/jobs', handle('startFolderJob', handlers.startFolderJob));
  if (handlers.getFolderJob) router.get('/v1/folders/jobs/:id', handle('getFolderJob', handlers.getFolderJob));
  if (handlers.abortFolderJob) router.post('/v1/folders/jobs/:id/cancel', handle('abortFolderJob', handlers.abortFolderJob));
  return router;
}

export type CreateUploadTokenReply =
  | { status: 200; body: Json<types.CreateUploadTokenResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateUploadTokenErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateUploadTokenErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateUploadTokenErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateUploadTokenErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateUploadTokenErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateUploadTokenErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateUploadTokenErrors[503]; headers?: ReplyHeaders };

export interface UploadTokensHandlers<Context> {
  readonly createUploadToken: Operation<{ body: NonNullable<types.CreateUploadTokenData['body']> }, Context, CreateUploadTokenReply>;
}

export function uploadTokensRouter<Context>(handlers: Partial<UploadTokensHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.createUploadToken) router.post('/v1/upload-tokens', handle('createUploadToken', handlers.createUploadToken));
  return router;
}

export type ListSharesReply =
  | { status: 200; body: Json<types.ListSharesResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ListSharesErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListSharesErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListSharesErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListSharesErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListSharesErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListSharesErrors[503]; headers?: ReplyHeaders };

export type CreateShareReply =
  | { status: 201; body: Json<types.CreateShareResponses[201]>; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateShareErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateShareErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateShareErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.CreateShareErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.CreateShareErrors[409]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateShareErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateShareErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateShareErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateShareErrors[503]; headers?: ReplyHeaders };

export type DeleteShareReply =
  | { status: 200; body: Json<types.DeleteShareResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.DeleteShareErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.DeleteShareErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteShareErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteShareErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.DeleteShareErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteShareErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteShareErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.DeleteShareErrors[503]; headers?: ReplyHeaders };

export type UpdateShareReply =
  | { status: 200; body: Json<types.UpdateShareResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.UpdateShareErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.UpdateShareErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.UpdateShareErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.UpdateShareErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.UpdateShareErrors[409]; headers?: ReplyHeaders }
  | { status: 413; body: types.UpdateShareErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.UpdateShareErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.UpdateShareErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.UpdateShareErrors[503]; headers?: ReplyHeaders };

export type ListShareFilesReply =
  | { status: 200; body: Json<types.ListShareFilesResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ListShareFilesErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListShareFilesErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListShareFilesErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.ListShareFilesErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.ListShareFilesErrors[409]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListShareFilesErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListShareFilesErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListShareFilesErrors[503]; headers?: ReplyHeaders };

export type OpenShareReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 206; body: Content; headers?: ReplyHeaders }
  | { status: 302; body?: undefined; headers?: ReplyHeaders }
  | { status: 304; body?: undefined; headers?: ReplyHeaders }
  | { status: 307; body?: undefined; headers?: ReplyHeaders }
  | { status: 400; body: types.OpenShareErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.OpenShareErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.OpenShareErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.OpenShareErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.OpenShareErrors[409]; headers?: ReplyHeaders }
  | { status: 410; body: types.OpenShareErrors[410]; headers?: ReplyHeaders }
  | { status: 412; body: Content; headers?: ReplyHeaders }
  | { status: 413; body: types.OpenShareErrors[413]; headers?: ReplyHeaders }
  | { status: 415; body: types.OpenShareErrors[415]; headers?: ReplyHeaders }
  | { status: 416; body: Content; headers?: ReplyHeaders }
  | { status: 422; body: types.OpenShareErrors[422]; headers?: ReplyHeaders }
  | { status: 429; body: types.OpenShareErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.OpenShareErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.OpenShareErrors[503]; headers?: ReplyHeaders };

export type SubmitSharePasswordReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 303; body?: undefined; headers?: ReplyHeaders }
  | { status: 400; body: types.SubmitSharePasswordErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.SubmitSharePasswordErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.SubmitSharePasswordErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.SubmitSharePasswordErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.SubmitSharePasswordErrors[409]; headers?: ReplyHeaders }
  | { status: 410; body: types.SubmitSharePasswordErrors[410]; headers?: ReplyHeaders }
  | { status: 413; body: types.SubmitSharePasswordErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.SubmitSharePasswordErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.SubmitSharePasswordErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.SubmitSharePasswordErrors[503]; headers?: ReplyHeaders };

export interface SharesHandlers<Context> {
  readonly listShares: Operation<{ query: NonNullable<types.ListSharesData['query']> }, Context, ListSharesReply>;
  readonly createShare: Operation<{ body: NonNullable<types.CreateShareData['body']> }, Context, CreateShareReply>;
  readonly deleteShare: Operation<{ body: NonNullable<types.DeleteShareData['body']> }, Context, DeleteShareReply>;
  readonly updateShare: Operation<{ body: NonNullable<types.UpdateShareData['body']> }, Context, UpdateShareReply>;
  readonly listShareFiles: Operation<{ query: NonNullable<types.ListShareFilesData['query']> }, Context, ListShareFilesReply>;
  readonly openShare: Operation<{ path: types.OpenShareData['path']; query: NonNullable<types.OpenShareData['query']> }, Context, OpenShareReply>;
  readonly submitSharePassword: Operation<{ path: types.SubmitSharePasswordData['path']; query: NonNullable<types.SubmitSharePasswordData['query']>; body: NonNullable<types.SubmitSharePasswordData['body']> }, Context, SubmitSharePasswordReply>;
}

export function sharesRouter<Context>(handlers: Partial<SharesHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.listShares) router.get('/v1/shares', handle('listShares', handlers.listShares));
  if (handlers.createShare) router.post('/v1/shares', handle('createShare', handlers.createShare));
  if (handlers.deleteShare) router.delete('/v1/shares', handle('deleteShare', handlers.deleteShare));
  if (handlers.updateShare) router.patch('/v1/shares', handle('updateShare', handlers.updateShare));
  if (handlers.listShareFiles) router.get('/v1/shares/files', handle('listShareFiles', handlers.listShareFiles));
  return router;
}

export function sharesLinksRouter<Context>(handlers: Partial<SharesHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.openShare) router.get('/s/:share_id', handle('openShare', handlers.openShare));
  if (handlers.submitSharePassword) router.post('/s/:share_id', handle('submitSharePassword', handlers.submitSharePassword));
  return router;
}

export type ListFileRequestsReply =
  | { status: 200; body: Json<types.ListFileRequestsResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ListFileRequestsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListFileRequestsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListFileRequestsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListFileRequestsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListFileRequestsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListFileRequestsErrors[503]; headers?: ReplyHeaders };

export type CreateFileRequestReply =
  | { status: 201; body: Json<types.CreateFileRequestResponses[201]>; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateFileRequestErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateFileRequestErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateFileRequestErrors[403]; headers?: ReplyHeaders }
  | { status: 409; body: types.CreateFileRequestErrors[409]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateFileRequestErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateFileRequestErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateFileRequestErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateFileRequestErrors[503]; headers?: ReplyHeaders };

export type DeleteFileRequestReply =
  | { status: 200; body: Json<types.DeleteFileRequestResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.DeleteFileRequestErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.DeleteFileRequestErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteFileRequestErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteFileRequestErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.DeleteFileRequestErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteFileRequestErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteFileRequestErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.DeleteFileRequestErrors[503]; headers?: ReplyHeaders };

export type UpdateFileRequestReply =
  | { status: 200; body: Json<types.UpdateFileRequestResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.UpdateFileRequestErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.UpdateFileRequestErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.UpdateFileRequestErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.UpdateFileRequestErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.UpdateFileRequestErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.UpdateFileRequestErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.UpdateFileRequestErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.UpdateFileRequestErrors[503]; headers?: ReplyHeaders };

export type OpenFileRequestReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 401; body: types.OpenFileRequestErrors[401]; headers?: ReplyHeaders }
  | { status: 404; body: types.OpenFileRequestErrors[404]; headers?: ReplyHeaders }
  | { status: 410; body: types.OpenFileRequestErrors[410]; headers?: ReplyHeaders }
  | { status: 429; body: types.OpenFileRequestErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.OpenFileRequestErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.OpenFileRequestErrors[503]; headers?: ReplyHeaders };

export type SubmitFilesReply =
  | { status: 200; body: Json<types.SubmitFilesResponses[200]>; headers?: ReplyHeaders }
  | { status: 303; body?: undefined; headers?: ReplyHeaders }
  | { status: 400; body: types.SubmitFilesErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.SubmitFilesErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.SubmitFilesErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.SubmitFilesErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.SubmitFilesErrors[409]; headers?: ReplyHeaders }
  | { status: 410; body: types.SubmitFilesErrors[410]; headers?: ReplyHeaders }
  | { status: 413; body: types.SubmitFilesErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.SubmitFilesErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.SubmitFilesErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.SubmitFilesErrors[503]; headers?: ReplyHeaders }
  | { status: 507; body: types.SubmitFilesErrors[507]; headers?: ReplyHeaders };

export type SubmitRequestPasswordReply =
  | { status: 303; body?: undefined; headers?: ReplyHeaders }
  | { status: 401; body: types.SubmitRequestPasswordErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.SubmitRequestPasswordErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.SubmitRequestPasswordErrors[404]; headers?: ReplyHeaders }
  | { status: 410; body: types.SubmitRequestPasswordErrors[410]; headers?: ReplyHeaders }
  | { status: 413; body: types.SubmitRequestPasswordErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.SubmitRequestPasswordErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.SubmitRequestPasswordErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.SubmitRequestPasswordErrors[503]; headers?: ReplyHeaders };

export type ShowSentFilesReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 404; body: types.ShowSentFilesErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.ShowSentFilesErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ShowSentFilesErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ShowSentFilesErrors[503]; headers?: ReplyHeaders };

export type GetSentReceiptReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 404; body: types.GetSentReceiptErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetSentReceiptErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetSentReceiptErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetSentReceiptErrors[503]; headers?: ReplyHeaders };

export type StartSentUploadReply =
  | { status: 201; body: Json<types.StartSentUploadResponses[201]>; headers?: ReplyHeaders }
  | { status: 400; body: types.StartSentUploadErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.StartSentUploadErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.StartSentUploadErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.StartSentUploadErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.StartSentUploadErrors[409]; headers?: ReplyHeaders }
  | { status: 410; body: types.StartSentUploadErrors[410]; headers?: ReplyHeaders }
  | { status: 413; body: types.StartSentUploadErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.StartSentUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.StartSentUploadErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.StartSentUploadErrors[503]; headers?: ReplyHeaders }
  | { status: 507; body: types.StartSentUploadErrors[507]; headers?: ReplyHeaders };

export type GetSentUploadReply =
  | { status: 200; body: Json<types.GetSentUploadResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetSentUploadErrors[401]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetSentUploadErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.GetSentUploadErrors[409]; headers?: ReplyHeaders }
  | { status: 410; body: types.GetSentUploadErrors[410]; headers?: ReplyHeaders }
  | { status: 423; body: types.GetSentUploadErrors[423]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetSentUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetSentUploadErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetSentUploadErrors[503]; headers?: ReplyHeaders };

export type DeleteSentUploadReply =
  | { status: 204; body?: undefined; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteSentUploadErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteSentUploadErrors[404]; headers?: ReplyHeaders }
  | { status: 423; body: types.DeleteSentUploadErrors[423]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteSentUploadErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteSentUploadErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.DeleteSentUploadErrors[503]; headers?: ReplyHeaders };

export type PutSentBytesReply =
  | { status: 200; body: Json<types.PutSentBytesResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.PutSentBytesErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.PutSentBytesErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.PutSentBytesErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.PutSentBytesErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.PutSentBytesErrors[409]; headers?: ReplyHeaders }
  | { status: 410; body: types.PutSentBytesErrors[410]; headers?: ReplyHeaders }
  | { status: 415; body: types.PutSentBytesErrors[415]; headers?: ReplyHeaders }
  | { status: 423; body: types.PutSentBytesErrors[423]; headers?: ReplyHeaders }
  | { status: 429; body: types.PutSentBytesErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.PutSentBytesErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.PutSentBytesErrors[503]; headers?: ReplyHeaders }
  | { status: 507; body: types.PutSentBytesErrors[507]; headers?: ReplyHeaders };

export interface FileRequestsHandlers<Context> {
  readonly listFileRequests: Operation<{ query: NonNullable<types.ListFileRequestsData['query']> }, Context, ListFileRequestsReply>;
  readonly createFileRequest: Operation<{ body: NonNullable<types.CreateFileRequestData['body']> }, Context, CreateFileRequestReply>;
  readonly deleteFileRequest: Operation<{ body: NonNullable<types.DeleteFileRequestData['body']> }, Context, DeleteFileRequestReply>;
  readonly updateFileRequest: Operation<{ body: NonNullable<types.UpdateFileRequestData['body']> }, Context, UpdateFileRequestReply>;
  readonly openFileRequest: Operation<{ path: types.OpenFileRequestData['path']; query: NonNullable<types.OpenFileRequestData['query']> }, Context, OpenFileRequestReply>;
  readonly submitFiles: Operation<{ path: types.SubmitFilesData['path']; query: NonNullable<types.SubmitFilesData['query']> }, Context, SubmitFilesReply>;
  readonly submitRequestPassword: Operation<{ path: types.SubmitRequestPasswordData['path']; query: NonNullable<types.SubmitRequestPasswordData['query']>; body: NonNullable<types.SubmitRequestPasswordData['body']> }, Context, SubmitRequestPasswordReply>;
  readonly showSentFiles: Operation<{ path: types.ShowSentFilesData['path']; query: NonNullable<types.ShowSentFilesData['query']> }, Context, ShowSentFilesReply>;
  readonly getSentReceipt: Operation<{ path: types.GetSentReceiptData['path']; query: NonNullable<types.GetSentReceiptData['query']> }, Context, GetSentReceiptReply>;
  readonly startSentUpload: Operation<{ path: types.StartSentUploadData['path']; query: NonNullable<types.StartSentUploadData['query']>; body: NonNullable<types.StartSentUploadData['body']> }, Context, StartSentUploadReply>;
  readonly getSentUpload: Operation<{ path: types.GetSentUploadData['path']; query: NonNullable<types.GetSentUploadData['query']> }, Context, GetSentUploadReply>;
  readonly deleteSentUpload: Operation<{ path: types.DeleteSentUploadData['path']; query: NonNullable<types.DeleteSentUploadData['query']> }, Context, DeleteSentUploadReply>;
  readonly putSentBytes: Operation<{ path: types.PutSentBytesData['path']; query: NonNullable<types.PutSentBytesData['query']> }, Context, PutSentBytesReply>;
}

export function fileRequestsRouter<Context>(handlers: Partial<FileRequestsHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.listFileRequests) router.get('/v1/file-requests', handle('listFileRequests', handlers.listFileRequests));
  if (handlers.createFileRequest) router.post('/v1/file-requests', handle('createFileRequest', handlers.createFileRequest));
  if (handlers.deleteFileRequest) router.delete('/v1/file-requests', handle('deleteFileRequest', handlers.deleteFileRequest));
  if (handlers.updateFileRequest) router.patch('/v1/file-requests', handle('updateFileRequest', handlers.updateFileRequest));
  return router;
}

export function fileRequestsLinksRouter<Context>(handlers: Partial<FileRequestsHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.openFileRequest) router.get('/r/:request_token', handle('openFileRequest', handlers.openFileRequest));
  if (handlers.submitFiles) router.post('/r/:request_token', handle('submitFiles', handlers.submitFiles));
  if (handlers.submitRequestPassword) router.post('/r/:request_token/password', handle('submitRequestPassword', handlers.submitRequestPassword));
  if (handlers.showSentFiles) router.get('/r/:request_token/sent', handle('showSentFiles', handlers.showSentFiles));
  if (handlers.getSentReceipt) router.get('/r/:request_token/receipt', handle('getSentReceipt', handlers.getSentReceipt));
  if (handlers.startSentUpload) router.post('/r/:request_token/uploads', handle('startSentUpload', handlers.startSentUpload));
  if (handlers.getSentUpload) router.get('/r/:request_token/uploads/:upload', handle('getSentUpload', handlers.getSentUpload));
  if (handlers.deleteSentUpload) router.delete('/r/:request_token/uploads/:upload', handle('deleteSentUpload', handlers.deleteSentUpload));
  if (handlers.putSentBytes) router.patch('/r/:request_token/uploads/:upload', handle('putSentBytes', handlers.putSentBytes));
  return router;
}

export type GetS3CredentialsReply =
  | { status: 200; body: Json<types.GetS3CredentialsResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.GetS3CredentialsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetS3CredentialsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetS3CredentialsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetS3CredentialsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetS3CredentialsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetS3CredentialsErrors[503]; headers?: ReplyHeaders };

export interface S3Handlers<Context> {
  readonly getS3Credentials: Operation<Record<never, never>, Context, GetS3CredentialsReply>;
}

export function s3Router<Context>(handlers: Partial<S3Handlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.getS3Credentials) router.get('/v1/s3/credentials', handle('getS3Credentials', handlers.getS3Credentials));
  return router;
}

export type GetSettingsReply =
  | { status: 200; body: Json<types.GetSettingsResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetSettingsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetSettingsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetSettingsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetSettingsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetSettingsErrors[503]; headers?: ReplyHeaders };

export type ReplaceSettingsReply =
  | { status: 200; body: Json<types.ReplaceSettingsResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ReplaceSettingsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ReplaceSettingsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ReplaceSettingsErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.ReplaceSettingsErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.ReplaceSettingsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ReplaceSettingsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ReplaceSettingsErrors[503]; headers?: ReplyHeaders };

export interface SettingsHandlers<Context> {
  readonly getSettings: Operation<Record<never, never>, Context, GetSettingsReply>;
  readonly replaceSettings: Operation<{ body: NonNullable<types.ReplaceSettingsData['body']> }, Context, ReplaceSettingsReply>;
}

export function settingsRouter<Context>(handlers: Partial<SettingsHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.getSettings) router.get('/v1/account/settings', handle('getSettings', handlers.getSettings));
  if (handlers.replaceSettings) router.put('/v1/account/settings', handle('replaceSettings', handlers.replaceSettings));
  return router;
}

export type GetImageKeyReply =
  | { status: 200; body: Json<types.GetImageKeyResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetImageKeyErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetImageKeyErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetImageKeyErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetImageKeyErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetImageKeyErrors[503]; headers?: ReplyHeaders };

export interface ImagesHandlers<Context> {
  readonly getImageKey: Operation<Record<never, never>, Context, GetImageKeyReply>;
}

export function imagesRouter<Context>(handlers: Partial<ImagesHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.getImageKey) router.get('/v1/account/image-key', handle('getImageKey', handlers.getImageKey));
  return router;
}

export type GetStatsReply =
  | { status: 200; body: Json<types.GetStatsResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetStatsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetStatsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetStatsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetStatsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetStatsErrors[503]; headers?: ReplyHeaders };

export type GetUsageHistoryReply =
  | { status: 200; body: Json<types.GetUsageHistoryResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.GetUsageHistoryErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetUsageHistoryErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetUsageHistoryErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetUsageHistoryErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetUsageHistoryErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetUsageHistoryErrors[503]; headers?: ReplyHeaders };

export type ListKeysReply =
  | { status: 200; body: Json<types.ListKeysResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ListKeysErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListKeysErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListKeysErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListKeysErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListKeysErrors[503]; headers?: ReplyHeaders };

export type CreateKeyReply =
  | { status: 200; body: Json<types.CreateKeyResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateKeyErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateKeyErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateKeyErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateKeyErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateKeyErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateKeyErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateKeyErrors[503]; headers?: ReplyHeaders };

export type RevokeKeyReply =
  | { status: 200; body: Json<types.RevokeKeyResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.RevokeKeyErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.RevokeKeyErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.RevokeKeyErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.RevokeKeyErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RevokeKeyErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.RevokeKeyErrors[503]; headers?: ReplyHeaders };

export type UpdateKeyReply =
  | { status: 200; body: Json<types.UpdateKeyResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.UpdateKeyErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.UpdateKeyErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.UpdateKeyErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.UpdateKeyErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.UpdateKeyErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.UpdateKeyErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.UpdateKeyErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.UpdateKeyErrors[503]; headers?: ReplyHeaders };

export type RegenerateKeyReply =
  | { status: 200; body: Json<types.RegenerateKeyResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.RegenerateKeyErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.RegenerateKeyErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.RegenerateKeyErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.RegenerateKeyErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RegenerateKeyErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.RegenerateKeyErrors[503]; headers?: ReplyHeaders };

export type ListActivityReply =
  | { status: 200; body: Json<types.ListActivityResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ListActivityErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListActivityErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListActivityErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListActivityErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListActivityErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListActivityErrors[503]; headers?: ReplyHeaders };

export interface AccountHandlers<Context> {
  readonly getStats: Operation<Record<never, never>, Context, GetStatsReply>;
  readonly getUsageHistory: Operation<{ query: NonNullable<types.GetUsageHistoryData['query']> }, Context, GetUsageHistoryReply>;
  readonly listKeys: Operation<Record<never, never>, Context, ListKeysReply>;
  readonly createKey: Operation<{ body: NonNullable<types.CreateKeyData['body']> }, Context, CreateKeyReply>;
  readonly revokeKey: Operation<{ path: types.RevokeKeyData['path']; query: NonNullable<types.RevokeKeyData['query']> }, Context, RevokeKeyReply>;
  readonly updateKey: Operation<{ path: types.UpdateKeyData['path']; query: NonNullable<types.UpdateKeyData['query']>; body: NonNullable<types.UpdateKeyData['body']> }, Context, UpdateKeyReply>;
  readonly regenerateKey: Operation<{ path: types.RegenerateKeyData['path']; query: NonNullable<types.RegenerateKeyData['query']> }, Context, RegenerateKeyReply>;
  readonly listActivity: Operation<{ query: NonNullable<types.ListActivityData['query']> }, Context, ListActivityReply>;
}

export function accountRouter<Context>(handlers: Partial<AccountHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.getStats) router.get('/v1/account/stats', handle('getStats', handlers.getStats));
  if (handlers.getUsageHistory) router.get('/v1/account/usage', handle('getUsageHistory', handlers.getUsageHistory));
  if (handlers.listKeys) router.get('/v1/account/keys', handle('listKeys', handlers.listKeys));
  if (handlers.createKey) router.post('/v1/account/keys', handle('createKey', handlers.createKey));
  if (handlers.listActivity) router.get('/v1/account/activity', handle('listActivity', handlers.listActivity));
  if (handlers.revokeKey) router.delete('/v1/account/keys/:id', handle('revokeKey', handlers.revokeKey));
  if (handlers.updateKey) router.patch('/v1/account/keys/:id', handle('updateKey', handlers.updateKey));
  if (handlers.regenerateKey) router.post('/v1/account/keys/:id/regenerate', handle('regenerateKey', handlers.regenerateKey));
  return router;
}

export type GetSessionReply =
  | { status: 200; body: Json<types.GetSessionResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetSessionErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetSessionErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetSessionErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetSessionErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetSessionErrors[503]; headers?: ReplyHeaders };

export type DeleteSessionReply =
  | { status: 200; body: Json<types.DeleteSessionResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.DeleteSessionErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteSessionErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteSessionErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteSessionErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteSessionErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.DeleteSessionErrors[503]; headers?: ReplyHeaders };

export type ListSessionsReply =
  | { status: 200; body: Json<types.ListSessionsResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ListSessionsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListSessionsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListSessionsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListSessionsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListSessionsErrors[503]; headers?: ReplyHeaders };

export type StartSessionReply =
  | { status: 200; body: Json<types.StartSessionResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.StartSessionErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.StartSessionErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.StartSessionErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.StartSessionErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.StartSessionErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.StartSessionErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.StartSessionErrors[503]; headers?: ReplyHeaders };

export type RevokeSessionReply =
  | { status: 200; body: Json<types.RevokeSessionResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.RevokeSessionErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.RevokeSessionErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.RevokeSessionErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.RevokeSessionErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RevokeSessionErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.RevokeSessionErrors[503]; headers?: ReplyHeaders };

export interface SessionsHandlers<Context> {
  readonly getSession: Operation<Record<never, never>, Context, GetSessionReply>;
  readonly deleteSession: Operation<Record<never, never>, Context, DeleteSessionReply>;
  readonly listSessions: Operation<Record<never, never>, Context, ListSessionsReply>;
  readonly startSession: Operation<{ body: NonNullable<types.StartSessionData['body']> }, Context, StartSessionReply>;
  readonly revokeSession: Operation<{ path: types.RevokeSessionData['path']; query: NonNullable<types.RevokeSessionData['query']> }, Context, RevokeSessionReply>;
}

export function sessionsRouter<Context>(handlers: Partial<SessionsHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.getSession) router.get('/v1/session', handle('getSession', handlers.getSession));
  if (handlers.deleteSession) router.delete('/v1/session', handle('deleteSession', handlers.deleteSession));
  if (handlers.listSessions) router.get('/v1/sessions', handle('listSessions', handlers.listSessions));
  if (handlers.startSession) router.post('/v1/sessions', handle('startSession', handlers.startSession));
  if (handlers.revokeSession) router.delete('/v1/sessions/:id', handle('revokeSession', handlers.revokeSession));
  return router;
}

export type ListEventsReply =
  | { status: 200; body: Json<types.ListEventsResponses[200]> | EventStream; headers?: ReplyHeaders }
  | { status: 400; body: types.ListEventsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListEventsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListEventsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListEventsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListEventsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListEventsErrors[503]; headers?: ReplyHeaders };

export type GetEventReply =
  | { status: 200; body: Json<types.GetEventResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetEventErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetEventErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetEventErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetEventErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetEventErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetEventErrors[503]; headers?: ReplyHeaders };

export type ListWebhooksReply =
  | { status: 200; body: Json<types.ListWebhooksResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ListWebhooksErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListWebhooksErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListWebhooksErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListWebhooksErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListWebhooksErrors[503]; headers?: ReplyHeaders };

export type CreateWebhookReply =
  | { status: 201; body: Json<types.CreateWebhookResponses[201]>; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateWebhookErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateWebhookErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateWebhookErrors[403]; headers?: ReplyHeaders }
  | { status: 409; body: types.CreateWebhookErrors[409]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateWebhookErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateWebhookErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateWebhookErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateWebhookErrors[503]; headers?: ReplyHeaders };

export type GetWebhookReply =
  | { status: 200; body: Json<types.GetWebhookResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetWebhookErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetWebhookErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetWebhookErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetWebhookErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetWebhookErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetWebhookErrors[503]; headers?: ReplyHeaders };

export type DeleteWebhookReply =
  | { status: 200; body: Json<types.DeleteWebhookResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.DeleteWebhookErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteWebhookErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteWebhookErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteWebhookErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteWebhookErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.DeleteWebhookErrors[503]; headers?: ReplyHeaders };

export type UpdateWebhookReply =
  | { status: 200; body: Json<types.UpdateWebhookResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.UpdateWebhookErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.UpdateWebhookErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.UpdateWebhookErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.UpdateWebhookErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.UpdateWebhookErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.UpdateWebhookErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.UpdateWebhookErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.UpdateWebhookErrors[503]; headers?: ReplyHeaders };

export type RunWebhookTestReply =
  | { status: 200; body: Json<types.RunWebhookTestResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.RunWebhookTestErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.RunWebhookTestErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.RunWebhookTestErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.RunWebhookTestErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RunWebhookTestErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.RunWebhookTestErrors[503]; headers?: ReplyHeaders };

export type ListWebhookDeliveriesReply =
  | { status: 200; body: Json<types.ListWebhookDeliveriesResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ListWebhookDeliveriesErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListWebhookDeliveriesErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListWebhookDeliveriesErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.ListWebhookDeliveriesErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListWebhookDeliveriesErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListWebhookDeliveriesErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListWebhookDeliveriesErrors[503]; headers?: ReplyHeaders };

export type StartWebhookReplayReply =
  | { status: 200; body: Json<types.StartWebhookReplayResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.StartWebhookReplayErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.StartWebhookReplayErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.StartWebhookReplayErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.StartWebhookReplayErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.StartWebhookReplayErrors[409]; headers?: ReplyHeaders }
  | { status: 413; body: types.StartWebhookReplayErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.StartWebhookReplayErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.StartWebhookReplayErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.StartWebhookReplayErrors[503]; headers?: ReplyHeaders };

export type RegenerateWebhookSecretReply =
  | { status: 200; body: Json<types.RegenerateWebhookSecretResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.RegenerateWebhookSecretErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.RegenerateWebhookSecretErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.RegenerateWebhookSecretErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.RegenerateWebhookSecretErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RegenerateWebhookSecretErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.RegenerateWebhookSecretErrors[503]; headers?: ReplyHeaders };

export interface WebhooksHandlers<Context> {
  readonly listEvents: Operation<{ query: NonNullable<types.ListEventsData['query']> }, Context, ListEventsReply>;
  readonly getEvent: Operation<{ path: types.GetEventData['path']; query: NonNullable<types.GetEventData['query']> }, Context, GetEventReply>;
  readonly listWebhooks: Operation<Record<never, never>, Context, ListWebhooksReply>;
  readonly createWebhook: Operation<{ body: NonNullable<types.CreateWebhookData['body']> }, Context, CreateWebhookReply>;
  readonly getWebhook: Operation<{ path: types.GetWebhookData['path']; query: NonNullable<types.GetWebhookData['query']> }, Context, GetWebhookReply>;
  readonly deleteWebhook: Operation<{ path: types.DeleteWebhookData['path']; query: NonNullable<types.DeleteWebhookData['query']> }, Context, DeleteWebhookReply>;
  readonly updateWebhook: Operation<{ path: types.UpdateWebhookData['path']; query: NonNullable<types.UpdateWebhookData['query']>; body: NonNullable<types.UpdateWebhookData['body']> }, Context, UpdateWebhookReply>;
  readonly runWebhookTest: Operation<{ path: types.RunWebhookTestData['path']; query: NonNullable<types.RunWebhookTestData['query']> }, Context, RunWebhookTestReply>;
  readonly listWebhookDeliveries: Operation<{ path: types.ListWebhookDeliveriesData['path']; query: NonNullable<types.ListWebhookDeliveriesData['query']> }, Context, ListWebhookDeliveriesReply>;
  readonly startWebhookReplay: Operation<{ path: types.StartWebhookReplayData['path']; query: NonNullable<types.StartWebhookReplayData['query']>; body: NonNullable<types.StartWebhookReplayData['body']> }, Context, StartWebhookReplayReply>;
  readonly regenerateWebhookSecret: Operation<{ path: types.RegenerateWebhookSecretData['path']; query: NonNullable<types.RegenerateWebhookSecretData['query']> }, Context, RegenerateWebhookSecretReply>;
}

export function webhooksRouter<Context>(handlers: Partial<WebhooksHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.listEvents) router.get('/v1/events', handle('listEvents', handlers.listEvents));
  if (handlers.listWebhooks) router.get('/v1/webhooks', handle('listWebhooks', handlers.listWebhooks));
  if (handlers.createWebhook) router.post('/v1/webhooks', handle('createWebhook', handlers.createWebhook));
  if (handlers.getEvent) router.get('/v1/events/:event_id', handle('getEvent', handlers.getEvent));
  if (handlers.getWebhook) router.get('/v1/webhooks/:id', handle('getWebhook', handlers.getWebhook));
  if (handlers.deleteWebhook) router.delete('/v1/webhooks/:id', handle('deleteWebhook', handlers.deleteWebhook));
  if (handlers.updateWebhook) router.patch('/v1/webhooks/:id', handle('updateWebhook', handlers.updateWebhook));
  if (handlers.runWebhookTest) router.post('/v1/webhooks/:id/test', handle('runWebhookTest', handlers.runWebhookTest));
  if (handlers.listWebhookDeliveries) router.get('/v1/webhooks/:id/deliveries', handle('listWebhookDeliveries', handlers.listWebhookDeliveries));
  if (handlers.startWebhookReplay) router.post('/v1/webhooks/:id/replay', handle('startWebhookReplay', handlers.startWebhookReplay));
  if (handlers.regenerateWebhookSecret) router.post('/v1/webhooks/:id/rotate', handle('regenerateWebhookSecret', handlers.regenerateWebhookSecret));
  return router;
}

export type CreateChatCompletionReply =
  | { status: 200; body: Json<types.CreateChatCompletionResponses[200]> | EventStream; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateChatCompletionErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateChatCompletionErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateChatCompletionErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.CreateChatCompletionErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateChatCompletionErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateChatCompletionErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateChatCompletionErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateChatCompletionErrors[503]; headers?: ReplyHeaders };

export type CreateEmbeddingsReply =
  | { status: 200; body: Json<types.CreateEmbeddingsResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateEmbeddingsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateEmbeddingsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateEmbeddingsErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateEmbeddingsErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateEmbeddingsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateEmbeddingsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateEmbeddingsErrors[503]; headers?: ReplyHeaders };

export type CreateMessageReply =
  | { status: 200; body: Json<types.CreateMessageResponses[200]> | EventStream; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateMessageErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateMessageErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateMessageErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.CreateMessageErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateMessageErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateMessageErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateMessageErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateMessageErrors[503]; headers?: ReplyHeaders };

export type CountMessageTokensReply =
  | { status: 200; body: Json<types.CountMessageTokensResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.CountMessageTokensErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CountMessageTokensErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CountMessageTokensErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.CountMessageTokensErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.CountMessageTokensErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CountMessageTokensErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CountMessageTokensErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CountMessageTokensErrors[503]; headers?: ReplyHeaders };

export type ListModelsReply =
  | { status: 200; body: Json<types.ListModelsResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ListModelsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListModelsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListModelsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListModelsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListModelsErrors[503]; headers?: ReplyHeaders };

export type GetModelReply =
  | { status: 200; body: Json<types.GetModelResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetModelErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetModelErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetModelErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetModelErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetModelErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetModelErrors[503]; headers?: ReplyHeaders };

export type ListAiRequestsReply =
  | { status: 200; body: Json<types.ListAiRequestsResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ListAiRequestsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListAiRequestsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListAiRequestsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListAiRequestsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListAiRequestsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListAiRequestsErrors[503]; headers?: ReplyHeaders };

export type CreateResponseReply =
  | { status: 200; body: Json<types.CreateResponseResponses[200]> | EventStream; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateResponseErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateResponseErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateResponseErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.CreateResponseErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateResponseErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateResponseErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateResponseErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateResponseErrors[503]; headers?: ReplyHeaders };

export type GetChatUsageReply =
  | { status: 200; body: Json<types.GetChatUsageResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetChatUsageErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetChatUsageErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetChatUsageErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetChatUsageErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetChatUsageErrors[503]; headers?: ReplyHeaders };

export type GetChatUsageHistoryReply =
  | { status: 200; body: Json<types.GetChatUsageHistoryResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.GetChatUsageHistoryErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetChatUsageHistoryErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetChatUsageHistoryErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetChatUsageHistoryErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetChatUsageHistoryErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetChatUsageHistoryErrors[503]; headers?: ReplyHeaders };

export interface ChatHandlers<Context> {
  readonly createChatCompletion: Operation<{ query: NonNullable<types.CreateChatCompletionData['query']>; body: NonNullable<types.CreateChatCompletionData['body']> }, Context, CreateChatCompletionReply>;
  readonly createEmbeddings: Operation<{ query: NonNullable<types.CreateEmbeddingsData['query']>; body: NonNullable<types.CreateEmbeddingsData['body']> }, Context, CreateEmbeddingsReply>;
  readonly createMessage: Operation<{ query: NonNullable<types.CreateMessageData['query']>; body: NonNullable<types.CreateMessageData['body']> }, Context, CreateMessageReply>;
  readonly countMessageTokens: Operation<{ body: NonNullable<types.CountMessageTokensData['body']> }, Context, CountMessageTokensReply>;
  readonly listModels: Operation<{ query: NonNullable<types.ListModelsData['query']> }, Context, ListModelsReply>;
  readonly getModel: Operation<{ path: types.GetModelData['path']; query: NonNullable<types.GetModelData['query']> }, Context, GetModelReply>;
  readonly listAiRequests: Operation<{ query: NonNullable<types.ListAiRequestsData['query']> }, Context, ListAiRequestsReply>;
  readonly createResponse: Operation<{ query: NonNullable<types.CreateResponseData['query']>; body: NonNullable<types.CreateResponseData['body']> }, Context, CreateResponseReply>;
  readonly getChatUsage: Operation<Record<never, never>, Context, GetChatUsageReply>;
  readonly getChatUsageHistory: Operation<{ query: NonNullable<types.GetChatUsageHistoryData['query']> }, Context, GetChatUsageHistoryReply>;
}

export function chatRouter<Context>(handlers: Partial<ChatHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.createEmbeddings) router.post('/v2/ai/embeddings', handle('createEmbeddings', handlers.createEmbeddings));
  if (handlers.createMessage) router.post('/v2/ai/messages', handle('createMessage', handlers.createMessage));
  if (handlers.listModels) router.get('/v2/ai/models', handle('listModels', handlers.listModels));
  if (handlers.listAiRequests) router.get('/v2/ai/requests', handle('listAiRequests', handlers.listAiRequests));
  if (handlers.createResponse) router.post('/v2/ai/responses', handle('createResponse', handlers.createResponse));
  if (handlers.getChatUsage) router.get('/v2/ai/usage', handle('getChatUsage', handlers.getChatUsage));
  if (handlers.createChatCompletion) router.post('/v2/ai/chat/completions', handle('createChatCompletion', handlers.createChatCompletion));
  if (handlers.countMessageTokens) router.post('/v2/ai/messages/count_tokens', handle('countMessageTokens', handlers.countMessageTokens));
  if (handlers.getChatUsageHistory) router.get('/v2/ai/usage/history', handle('getChatUsageHistory', handlers.getChatUsageHistory));
  if (handlers.getModel) router.get('/v2/ai/models/:model', handle('getModel', handlers.getModel));
  return router;
}

export type ListAppsReply =
  | { status: 200; body: Json<types.ListAppsResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ListAppsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListAppsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListAppsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListAppsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListAppsErrors[503]; headers?: ReplyHeaders };

export interface AppsHandlers<Context> {
  readonly listApps: Operation<Record<never, never>, Context, ListAppsReply>;
}

export function appsRouter<Context>(handlers: Partial<AppsHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.listApps) router.get('/v2/apps', handle('listApps', handlers.listApps));
  return router;
}

export type SetGitWebhookReply =
  | { status: 200; body: Json<types.SetGitWebhookResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.SetGitWebhookErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.SetGitWebhookErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.SetGitWebhookErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.SetGitWebhookErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.SetGitWebhookErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.SetGitWebhookErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.SetGitWebhookErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.SetGitWebhookErrors[503]; headers?: ReplyHeaders };

export type GetDeployFiltersReply =
  | { status: 200; body: Json<types.GetDeployFiltersResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetDeployFiltersErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetDeployFiltersErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetDeployFiltersErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetDeployFiltersErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetDeployFiltersErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetDeployFiltersErrors[503]; headers?: ReplyHeaders };

export type ReplaceDeployFiltersReply =
  | { status: 200; body: Json<types.ReplaceDeployFiltersResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ReplaceDeployFiltersErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ReplaceDeployFiltersErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ReplaceDeployFiltersErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.ReplaceDeployFiltersErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.ReplaceDeployFiltersErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.ReplaceDeployFiltersErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ReplaceDeployFiltersErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ReplaceDeployFiltersErrors[503]; headers?: ReplyHeaders };

export type GetDeployHookReply =
  | { status: 200; body: Json<types.GetDeployHookResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetDeployHookErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetDeployHookErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetDeployHookErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetDeployHookErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetDeployHookErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetDeployHookErrors[503]; headers?: ReplyHeaders };

export type CreateDeployHookReply =
  | { status: 200; body: Json<types.CreateDeployHookResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateDeployHookErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateDeployHookErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateDeployHookErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.CreateDeployHookErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateDeployHookErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateDeployHookErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateDeployHookErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateDeployHookErrors[503]; headers?: ReplyHeaders };

export type RevokeDeployHookReply =
  | { status: 200; body: Json<types.RevokeDeployHookResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.RevokeDeployHookErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.RevokeDeployHookErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.RevokeDeployHookErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.RevokeDeployHookErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RevokeDeployHookErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.RevokeDeployHookErrors[503]; headers?: ReplyHeaders };

export type GetCommitStatusReply =
  | { status: 200; body: Json<types.GetCommitStatusResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetCommitStatusErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetCommitStatusErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetCommitStatusErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetCommitStatusErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetCommitStatusErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetCommitStatusErrors[503]; headers?: ReplyHeaders };

export type ReplaceCommitStatusReply =
  | { status: 200; body: Json<types.ReplaceCommitStatusResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ReplaceCommitStatusErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ReplaceCommitStatusErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ReplaceCommitStatusErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.ReplaceCommitStatusErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.ReplaceCommitStatusErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.ReplaceCommitStatusErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ReplaceCommitStatusErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ReplaceCommitStatusErrors[503]; headers?: ReplyHeaders };

export type DeleteCommitStatusReply =
  | { status: 200; body: Json<types.DeleteCommitStatusResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.DeleteCommitStatusErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteCommitStatusErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteCommitStatusErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteCommitStatusErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteCommitStatusErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.DeleteCommitStatusErrors[503]; headers?: ReplyHeaders };

export type GetCurrentDeploymentReply =
  | { status: 200; body: Json<types.GetCurrentDeploymentResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetCurrentDeploymentErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetCurrentDeploymentErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetCurrentDeploymentErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetCurrentDeploymentErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetCurrentDeploymentErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetCurrentDeploymentErrors[503]; headers?: ReplyHeaders };

export type ListDeploymentsReply =
  | { status: 200; body: Json<types.ListDeploymentsResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ListDeploymentsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListDeploymentsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListDeploymentsErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.ListDeploymentsErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListDeploymentsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListDeploymentsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListDeploymentsErrors[503]; headers?: ReplyHeaders };

export type RunDeploymentReply =
  | { status: 200; body: Json<types.RunDeploymentResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.RunDeploymentErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.RunDeploymentErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.RunDeploymentErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.RunDeploymentErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RunDeploymentErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.RunDeploymentErrors[503]; headers?: ReplyHeaders };

export type AbortDeploymentReply =
  | { status: 200; body: Json<types.AbortDeploymentResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.AbortDeploymentErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.AbortDeploymentErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.AbortDeploymentErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.AbortDeploymentErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.AbortDeploymentErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.AbortDeploymentErrors[503]; headers?: ReplyHeaders };

export type GetDeploymentLogsReply =
  | { status: 200; body: Json<types.GetDeploymentLogsResponses[200]> | EventStream; headers?: ReplyHeaders }
  | { status: 400; body: types.GetDeploymentLogsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetDeploymentLogsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetDeploymentLogsErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetDeploymentLogsErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetDeploymentLogsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetDeploymentLogsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetDeploymentLogsErrors[503]; headers?: ReplyHeaders };

export type StartHookDeployReply =
  | { status: 200; body: Json<types.StartHookDeployResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.StartHookDeployErrors[400]; headers?: ReplyHeaders }
  | { status: 404; body: types.StartHookDeployErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.StartHookDeployErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.StartHookDeployErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.StartHookDeployErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.StartHookDeployErrors[503]; headers?: ReplyHeaders };

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

export interface DeploysHandlers<Context> {
  readonly setGitWebhook: Operation<{ path: types.SetGitWebhookData['path']; query: NonNullable<types.SetGitWebhookData['query']>; body: NonNullable<types.SetGitWebhookData['body']> }, Context, SetGitWebhookReply>;
  readonly getDeployFilters: Operation<{ path: types.GetDeployFiltersData['path']; query: NonNullable<types.GetDeployFiltersData['query']> }, Context, GetDeployFiltersReply>;
  readonly replaceDeployFilters: Operation<{ path: types.ReplaceDeployFiltersData['path']; query: NonNullable<types.ReplaceDeployFiltersData['query']>; body: NonNullable<types.ReplaceDeployFiltersData['body']> }, Context, ReplaceDeployFiltersReply>;
  readonly getDeployHook: Operation<{ path: types.GetDeployHookData['path']; query: NonNullable<types.GetDeployHookData['query']> }, Context, GetDeployHookReply>;
  readonly createDeployHook: Operation<{ path: types.CreateDeployHookData['path']; query: NonNullable<types.CreateDeployHookData['query']>; body: NonNullable<types.CreateDeployHookData['body']> }, Context, CreateDeployHookReply>;
  readonly revokeDeployHook: Operation<{ path: types.RevokeDeployHookData['path']; query: NonNullable<types.RevokeDeployHookData['query']> }, Context, RevokeDeployHookReply>;
  readonly getCommitStatus: Operation<{ path: types.GetCommitStatusData['path']; query: NonNullable<types.GetCommitStatusData['query']> }, Context, GetCommitStatusReply>;
  readonly replaceCommitStatus: Operation<{ path: types.ReplaceCommitStatusData['path']; query: NonNullable<types.ReplaceCommitStatusData['query']>; body: NonNullable<types.ReplaceCommitStatusData['body']> }, Context, ReplaceCommitStatusReply>;
  readonly deleteCommitStatus: Operation<{ path: types.DeleteCommitStatusData['path']; query: NonNullable<types.DeleteCommitStatusData['query']> }, Context, DeleteCommitStatusReply>;
  readonly getCurrentDeployment: Operation<{ path: types.GetCurrentDeploymentData['path']; query: NonNullable<types.GetCurrentDeploymentData['query']> }, Context, GetCurrentDeploymentReply>;
  readonly listDeployments: Operation<{ path: types.ListDeploymentsData['path']; query: NonNullable<types.ListDeploymentsData['query']> }, Context, ListDeploymentsReply>;
  readonly runDeployment: Operation<{ path: types.RunDeploymentData['path']; query: NonNullable<types.RunDeploymentData['query']> }, Context, RunDeploymentReply>;
  readonly abortDeployment: Operation<{ path: types.AbortDeploymentData['path']; query: NonNullable<types.AbortDeploymentData['query']> }, Context, AbortDeploymentReply>;
  readonly getDeploymentLogs: Operation<{ path: types.GetDeploymentLogsData['path']; query: NonNullable<types.GetDeploymentLogsData['query']> }, Context, GetDeploymentLogsReply>;
  readonly startHookDeploy: Operation<{ path: types.StartHookDeployData['path']; body: NonNullable<types.StartHookDeployData['body']> }, Context, StartHookDeployReply>;
  readonly receiveGitPush: Operation<{ path: types.ReceiveGitPushData['path']; body: NonNullable<types.ReceiveGitPushData['body']> }, Context, ReceiveGitPushReply>;
}

export function deploysRouter<Context>(handlers: Partial<DeploysHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.startHookDeploy) router.post('/v2/deploy/hook/:hook', handle('startHookDeploy', handlers.startHookDeploy));
  if (handlers.receiveGitPush) router.post('/v2/git/webhook/:webhook', handle('receiveGitPush', handlers.receiveGitPush));
  if (handlers.listDeployments) router.get('/v2/apps/:app_id/deployments', handle('listDeployments', handlers.listDeployments));
  if (handlers.setGitWebhook) router.post('/v2/apps/:app_id/deploy/webhook', handle('setGitWebhook', handlers.setGitWebhook));
  if (handlers.getDeployFilters) router.get('/v2/apps/:app_id/deploy/filters', handle('getDeployFilters', handlers.getDeployFilters));
  if (handlers.replaceDeployFilters) router.put('/v2/apps/:app_id/deploy/filters', handle('replaceDeployFilters', handlers.replaceDeployFilters));
  if (handlers.getDeployHook) router.get('/v2/apps/:app_id/deploy/hook', handle('getDeployHook', handlers.getDeployHook));
  if (handlers.createDeployHook) router.post('/v2/apps/:app_id/deploy/hook', handle('createDeployHook', handlers.createDeployHook));
  if (handlers.revokeDeployHook) router.delete('/v2/apps/:app_id/deploy/hook', handle('revokeDeployHook', handlers.revokeDeployHook));
  if (handlers.getCommitStatus) router.get('/v2/apps/:app_id/deploy/status', handle('getCommitStatus', handlers.getCommitStatus));
  if (handlers.replaceCommitStatus) router.put('/v2/apps/:app_id/deploy/status', handle('replaceCommitStatus', handlers.replaceCommitStatus));
  if (handlers.deleteCommitStatus) router.delete('/v2/apps/:app_id/deploy/status', handle('deleteCommitStatus', handlers.deleteCommitStatus));
  if (handlers.getCurrentDeployment) router.get('/v2/apps/:app_id/deployments/current', handle('getCurrentDeployment', handlers.getCurrentDeployment));
  if (handlers.runDeployment) router.post('/v2/apps/:app_id/deployments/:id/redeploy', handle('runDeployment', handlers.runDeployment));
  if (handlers.abortDeployment) router.post('/v2/apps/:app_id/deployments/:id/cancel', handle('abortDeployment', handlers.abortDeployment));
  if (handlers.getDeploymentLogs) router.get('/v2/apps/:app_id/deployments/:id/logs', handle('getDeploymentLogs', handlers.getDeploymentLogs));
  return router;
}

export type GetNetworkErrorsReply =
  | { status: 200; body: Json<types.GetNetworkErrorsResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.GetNetworkErrorsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetNetworkErrorsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetNetworkErrorsErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetNetworkErrorsErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetNetworkErrorsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetNetworkErrorsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetNetworkErrorsErrors[503]; headers?: ReplyHeaders };

export interface EdgeErrorsHandlers<Context> {
  readonly getNetworkErrors: Operation<{ path: types.GetNetworkErrorsData['path']; query: NonNullable<types.GetNetworkErrorsData['query']> }, Context, GetNetworkErrorsReply>;
}

export function edgeErrorsRouter<Context>(handlers: Partial<EdgeErrorsHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.getNetworkErrors) router.get('/v2/apps/:app_id/network/errors', handle('getNetworkErrors', handlers.getNetworkErrors));
  return router;
}

export type RequestDeviceCodeReply =
  | { status: 200; body: Json<types.RequestDeviceCodeResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.RequestDeviceCodeErrors[400]; headers?: ReplyHeaders }
  | { status: 413; body: types.RequestDeviceCodeErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.RequestDeviceCodeErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RequestDeviceCodeErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.RequestDeviceCodeErrors[503]; headers?: ReplyHeaders };

export type ShowActivationPageReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 429; body: types.ShowActivationPageErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ShowActivationPageErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ShowActivationPageErrors[503]; headers?: ReplyHeaders };

export type SubmitActivationReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 303; body?: undefined; headers?: ReplyHeaders }
  | { status: 400; body: types.SubmitActivationErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.SubmitActivationErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.SubmitActivationErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.SubmitActivationErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.SubmitActivationErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.SubmitActivationErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.SubmitActivationErrors[503]; headers?: ReplyHeaders };

export type PollDeviceTokenReply =
  | { status: 200; body: Json<types.PollDeviceTokenResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.PollDeviceTokenErrors[400]; headers?: ReplyHeaders }
  | { status: 413; body: types.PollDeviceTokenErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.PollDeviceTokenErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.PollDeviceTokenErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.PollDeviceTokenErrors[503]; headers?: ReplyHeaders };

export interface DevicesHandlers<Context> {
  readonly requestDeviceCode: Operation<{ body: NonNullable<types.RequestDeviceCodeData['body']> }, Context, RequestDeviceCodeReply>;
  readonly showActivationPage: Operation<{ query: NonNullable<types.ShowActivationPageData['query']> }, Context, ShowActivationPageReply>;
  readonly submitActivation: Operation<{ body: NonNullable<types.SubmitActivationData['body']> }, Context, SubmitActivationReply>;
  readonly pollDeviceToken: Operation<{ body: NonNullable<types.PollDeviceTokenData['body']> }, Context, PollDeviceTokenReply>;
}

export function devicesRouter<Context>(handlers: Partial<DevicesHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.showActivationPage) router.get('/activate', handle('showActivationPage', handlers.showActivationPage));
  if (handlers.submitActivation) router.post('/activate', handle('submitActivation', handlers.submitActivation));
  if (handlers.requestDeviceCode) router.post('/v2/auth/device', handle('requestDeviceCode', handlers.requestDeviceCode));
  if (handlers.pollDeviceToken) router.post('/v2/auth/device/token', handle('pollDeviceToken', handlers.pollDeviceToken));
  return router;
}

export type GetOperatorSessionReply =
  | { status: 200; body: Json<types.GetOperatorSessionResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetOperatorSessionErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetOperatorSessionErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetOperatorSessionErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetOperatorSessionErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetOperatorSessionErrors[503]; headers?: ReplyHeaders };

export type StartOperatorSessionReply =
  | { status: 200; body: Json<types.StartOperatorSessionResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.StartOperatorSessionErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.StartOperatorSessionErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.StartOperatorSessionErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.StartOperatorSessionErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.StartOperatorSessionErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.StartOperatorSessionErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.StartOperatorSessionErrors[503]; headers?: ReplyHeaders };

export type DeleteOperatorSessionReply =
  | { status: 200; body: Json<types.DeleteOperatorSessionResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.DeleteOperatorSessionErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteOperatorSessionErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteOperatorSessionErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteOperatorSessionErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteOperatorSessionErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.DeleteOperatorSessionErrors[503]; headers?: ReplyHeaders };

export type ListAccountsReply =
  | { status: 200; body: Json<types.ListAccountsResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ListAccountsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListAccountsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListAccountsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListAccountsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListAccountsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListAccountsErrors[503]; headers?: ReplyHeaders };

export type CreateAccountReply =
  | { status: 201; body: Json<types.CreateAccountResponses[201]>; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateAccountErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateAccountErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateAccountErrors[403]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateAccountErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateAccountErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateAccountErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateAccountErrors[503]; headers?: ReplyHeaders };

export type GetAccountReply =
  | { status: 200; body: Json<types.GetAccountResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetAccountErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetAccountErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetAccountErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetAccountErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetAccountErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetAccountErrors[503]; headers?: ReplyHeaders };

export type DeleteAccountReply =
  | { status: 200; body: Json<types.DeleteAccountResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.DeleteAccountErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteAccountErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteAccountErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteAccountErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteAccountErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.DeleteAccountErrors[503]; headers?: ReplyHeaders };

export type UpdateAccountReply =
  | { status: 200; body: Json<types.UpdateAccountResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.UpdateAccountErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.UpdateAccountErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.UpdateAccountErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.UpdateAccountErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.UpdateAccountErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.UpdateAccountErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.UpdateAccountErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.UpdateAccountErrors[503]; headers?: ReplyHeaders };

export type SuspendAccountReply =
  | { status: 200; body: Json<types.SuspendAccountResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.SuspendAccountErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.SuspendAccountErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.SuspendAccountErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.SuspendAccountErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.SuspendAccountErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.SuspendAccountErrors[503]; headers?: ReplyHeaders };

export type ResumeAccountReply =
  | { status: 200; body: Json<types.ResumeAccountResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ResumeAccountErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ResumeAccountErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.ResumeAccountErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.ResumeAccountErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ResumeAccountErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ResumeAccountErrors[503]; headers?: ReplyHeaders };

export type RestoreAccountReply =
  | { status: 200; body: Json<types.RestoreAccountResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.RestoreAccountErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.RestoreAccountErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.RestoreAccountErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.RestoreAccountErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RestoreAccountErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.RestoreAccountErrors[503]; headers?: ReplyHeaders };

export type GetAccountUsageReply =
  | { status: 200; body: Json<types.GetAccountUsageResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetAccountUsageErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetAccountUsageErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetAccountUsageErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetAccountUsageErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetAccountUsageErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetAccountUsageErrors[503]; headers?: ReplyHeaders };

export type GetAccountAiUsageReply =
  | { status: 200; body: Json<types.GetAccountAiUsageResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.GetAccountAiUsageErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetAccountAiUsageErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetAccountAiUsageErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetAccountAiUsageErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetAccountAiUsageErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetAccountAiUsageErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetAccountAiUsageErrors[503]; headers?: ReplyHeaders };

export type ListAccountKeysReply =
  | { status: 200; body: Json<types.ListAccountKeysResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ListAccountKeysErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListAccountKeysErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.ListAccountKeysErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListAccountKeysErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListAccountKeysErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListAccountKeysErrors[503]; headers?: ReplyHeaders };

export type CreateAccountKeyReply =
  | { status: 201; body: Json<types.CreateAccountKeyResponses[201]>; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateAccountKeyErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateAccountKeyErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateAccountKeyErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.CreateAccountKeyErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateAccountKeyErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateAccountKeyErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateAccountKeyErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateAccountKeyErrors[503]; headers?: ReplyHeaders };

export type ListAccountAppsReply =
  | { status: 200; body: Json<types.ListAccountAppsResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ListAccountAppsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListAccountAppsErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.ListAccountAppsErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListAccountAppsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListAccountAppsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListAccountAppsErrors[503]; headers?: ReplyHeaders };

export type CreateAccountAppReply =
  | { status: 201; body: Json<types.CreateAccountAppResponses[201]>; headers?: ReplyHeaders }
  | { status: 400; body: types.CreateAccountAppErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.CreateAccountAppErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.CreateAccountAppErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.CreateAccountAppErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.CreateAccountAppErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.CreateAccountAppErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.CreateAccountAppErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.CreateAccountAppErrors[503]; headers?: ReplyHeaders };

export type RevokeAccountKeyReply =
  | { status: 200; body: Json<types.RevokeAccountKeyResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.RevokeAccountKeyErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.RevokeAccountKeyErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.RevokeAccountKeyErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.RevokeAccountKeyErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RevokeAccountKeyErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.RevokeAccountKeyErrors[503]; headers?: ReplyHeaders };

export type UpdateAccountKeyReply =
  | { status: 200; body: Json<types.UpdateAccountKeyResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.UpdateAccountKeyErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.UpdateAccountKeyErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.UpdateAccountKeyErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.UpdateAccountKeyErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.UpdateAccountKeyErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.UpdateAccountKeyErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.UpdateAccountKeyErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.UpdateAccountKeyErrors[503]; headers?: ReplyHeaders };

export type ListJobsReply =
  | { status: 200; body: Json<types.ListJobsResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ListJobsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListJobsErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListJobsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListJobsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListJobsErrors[503]; headers?: ReplyHeaders };

export type RunJobReply =
  | { status: 200; body: Json<types.RunJobResponses[200]>; headers?: ReplyHeaders }
  | { status: 202; body: Json<types.RunJobResponses[202]>; headers?: ReplyHeaders }
  | { status: 401; body: types.RunJobErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.RunJobErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.RunJobErrors[404]; headers?: ReplyHeaders }
  | { status: 409; body: types.RunJobErrors[409]; headers?: ReplyHeaders }
  | { status: 429; body: types.RunJobErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.RunJobErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.RunJobErrors[503]; headers?: ReplyHeaders };

export type ConfirmClockReply =
  | { status: 200; body: Json<types.ConfirmClockResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ConfirmClockErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ConfirmClockErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ConfirmClockErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ConfirmClockErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ConfirmClockErrors[503]; headers?: ReplyHeaders };

export type GetConfigurationReply =
  | { status: 200; body: Json<types.GetConfigurationResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetConfigurationErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetConfigurationErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetConfigurationErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetConfigurationErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetConfigurationErrors[503]; headers?: ReplyHeaders };

export type GetInstallationReply =
  | { status: 200; body: Json<types.GetInstallationResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetInstallationErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetInstallationErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetInstallationErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetInstallationErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetInstallationErrors[503]; headers?: ReplyHeaders };

export type ListBackupsReply =
  | { status: 200; body: Json<types.ListBackupsResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ListBackupsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListBackupsErrors[403]; headers?: ReplyHeaders }
  | { status: 409; body: types.ListBackupsErrors[409]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListBackupsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListBackupsErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListBackupsErrors[503]; headers?: ReplyHeaders };

export type StartBackupReply =
  | { status: 202; body: Json<types.StartBackupResponses[202]>; headers?: ReplyHeaders }
  | { status: 401; body: types.StartBackupErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.StartBackupErrors[403]; headers?: ReplyHeaders }
  | { status: 409; body: types.StartBackupErrors[409]; headers?: ReplyHeaders }
  | { status: 429; body: types.StartBackupErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.StartBackupErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.StartBackupErrors[503]; headers?: ReplyHeaders };

export type GetUpkeepReply =
  | { status: 200; body: Json<types.GetUpkeepResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.GetUpkeepErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetUpkeepErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetUpkeepErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetUpkeepErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetUpkeepErrors[503]; headers?: ReplyHeaders };

export type StartScrubReply =
  | { status: 202; body: Json<types.StartScrubResponses[202]>; headers?: ReplyHeaders }
  | { status: 401; body: types.StartScrubErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.StartScrubErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.StartScrubErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.StartScrubErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.StartScrubErrors[503]; headers?: ReplyHeaders };

export type ListPurgesReply =
  | { status: 200; body: Json<types.ListPurgesResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ListPurgesErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListPurgesErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListPurgesErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListPurgesErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListPurgesErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListPurgesErrors[503]; headers?: ReplyHeaders };

export type ListAuditEntriesReply =
  | { status: 200; body: Json<types.ListAuditEntriesResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.ListAuditEntriesErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.ListAuditEntriesErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListAuditEntriesErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListAuditEntriesErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListAuditEntriesErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListAuditEntriesErrors[503]; headers?: ReplyHeaders };

export type VerifyAuditLogReply =
  | { status: 200; body: Json<types.VerifyAuditLogResponses[200]>; headers?: ReplyHeaders }
  | { status: 400; body: types.VerifyAuditLogErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.VerifyAuditLogErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.VerifyAuditLogErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.VerifyAuditLogErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.VerifyAuditLogErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.VerifyAuditLogErrors[503]; headers?: ReplyHeaders };

export type ListReplicasReply =
  | { status: 200; body: Json<types.ListReplicasResponses[200]>; headers?: ReplyHeaders }
  | { status: 401; body: types.ListReplicasErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.ListReplicasErrors[403]; headers?: ReplyHeaders }
  | { status: 429; body: types.ListReplicasErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.ListReplicasErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.ListReplicasErrors[503]; headers?: ReplyHeaders };

export interface OperatorHandlers<Context> {
  readonly getOperatorSession: Operation<Record<never, never>, Context, GetOperatorSessionReply>;
  readonly startOperatorSession: Operation<{ body: NonNullable<types.StartOperatorSessionData['body']> }, Context, StartOperatorSessionReply>;
  readonly deleteOperatorSession: Operation<Record<never, never>, Context, DeleteOperatorSessionReply>;
  readonly listAccounts: Operation<{ query: NonNullable<types.ListAccountsData['query']> }, Context, ListAccountsReply>;
  readonly createAccount: Operation<{ body: NonNullable<types.CreateAccountData['body']> }, Context, CreateAccountReply>;
  readonly getAccount: Operation<{ path: types.GetAccountData['path']; query: NonNullable<types.GetAccountData['query']> }, Context, GetAccountReply>;
  readonly deleteAccount: Operation<{ path: types.DeleteAccountData['path']; query: NonNullable<types.DeleteAccountData['query']> }, Context, DeleteAccountReply>;
  readonly updateAccount: Operation<{ path: types.UpdateAccountData['path']; query: NonNullable<types.UpdateAccountData['query']>; body: NonNullable<types.UpdateAccountData['body']> }, Context, UpdateAccountReply>;
  readonly suspendAccount: Operation<{ path: types.SuspendAccountData['path']; query: NonNullable<types.SuspendAccountData['query']> }, Context, SuspendAccountReply>;
  readonly resumeAccount: Operation<{ path: types.ResumeAccountData['path']; query: NonNullable<types.ResumeAccountData['query']> }, Context, ResumeAccountReply>;
  readonly restoreAccount: Operation<{ path: types.RestoreAccountData['path']; query: NonNullable<types.RestoreAccountData['query']> }, Context, RestoreAccountReply>;
  readonly getAccountUsage: Operation<{ path: types.GetAccountUsageData['path']; query: NonNullable<types.GetAccountUsageData['query']> }, Context, GetAccountUsageReply>;
  readonly getAccountAiUsage: Operation<{ path: types.GetAccountAiUsageData['path']; query: NonNullable<types.GetAccountAiUsageData['query']> }, Context, GetAccountAiUsageReply>;
  readonly listAccountKeys: Operation<{ path: types.ListAccountKeysData['path']; query: NonNullable<types.ListAccountKeysData['query']> }, Context, ListAccountKeysReply>;
  readonly createAccountKey: Operation<{ path: types.CreateAccountKeyData['path']; query: NonNullable<types.CreateAccountKeyData['query']>; body: NonNullable<types.CreateAccountKeyData['body']> }, Context, CreateAccountKeyReply>;
  readonly listAccountApps: Operation<{ path: types.ListAccountAppsData['path']; query: NonNullable<types.ListAccountAppsData['query']> }, Context, ListAccountAppsReply>;
  readonly createAccountApp: Operation<{ path: types.CreateAccountAppData['path']; query: NonNullable<types.CreateAccountAppData['query']>; body: NonNullable<types.CreateAccountAppData['body']> }, Context, CreateAccountAppReply>;
  readonly revokeAccountKey: Operation<{ path: types.RevokeAccountKeyData['path']; query: NonNullable<types.RevokeAccountKeyData['query']> }, Context, RevokeAccountKeyReply>;
  readonly updateAccountKey: Operation<{ path: types.UpdateAccountKeyData['path']; query: NonNullable<types.UpdateAccountKeyData['query']>; body: NonNullable<types.UpdateAccountKeyData['body']> }, Context, UpdateAccountKeyReply>;
  readonly listJobs: Operation<Record<never, never>, Context, ListJobsReply>;
  readonly runJob: Operation<{ path: types.RunJobData['path'] }, Context, RunJobReply>;
  readonly confirmClock: Operation<Record<never, never>, Context, ConfirmClockReply>;
  readonly getConfiguration: Operation<Record<never, never>, Context, GetConfigurationReply>;
  readonly getInstallation: Operation<Record<never, never>, Context, GetInstallationReply>;
  readonly listBackups: Operation<Record<never, never>, Context, ListBackupsReply>;
  readonly startBackup: Operation<Record<never, never>, Context, StartBackupReply>;
  readonly getUpkeep: Operation<Record<never, never>, Context, GetUpkeepReply>;
  readonly startScrub: Operation<Record<never, never>, Context, StartScrubReply>;
  readonly listPurges: Operation<{ query: NonNullable<types.ListPurgesData['query']> }, Context, ListPurgesReply>;
  readonly listAuditEntries: Operation<{ query: NonNullable<types.ListAuditEntriesData['query']> }, Context, ListAuditEntriesReply>;
  readonly verifyAuditLog: Operation<{ query: NonNullable<types.VerifyAuditLogData['query']> }, Context, VerifyAuditLogReply>;
  readonly listReplicas: Operation<Record<never, never>, Context, ListReplicasReply>;
}

export function operatorRouter<Context>(handlers: Partial<OperatorHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.getOperatorSession) router.get('/v2/operator/session', handle('getOperatorSession', handlers.getOperatorSession));
  if (handlers.startOperatorSession) router.post('/v2/operator/session', handle('startOperatorSession', handlers.startOperatorSession));
  if (handlers.deleteOperatorSession) router.delete('/v2/operator/session', handle('deleteOperatorSession', handlers.deleteOperatorSession));
  if (handlers.listAccounts) router.get('/v2/operator/accounts', handle('listAccounts', handlers.listAccounts));
  if (handlers.createAccount) router.post('/v2/operator/accounts', handle('createAccount', handlers.createAccount));
  if (handlers.listJobs) router.get('/v2/operator/jobs', handle('listJobs', handlers.listJobs));
  if (handlers.getConfiguration) router.get('/v2/operator/configuration', handle('getConfiguration', handlers.getConfiguration));
  if (handlers.getInstallation) router.get('/v2/operator/installation', handle('getInstallation', handlers.getInstallation));
  if (handlers.listBackups) router.get('/v2/operator/backups', handle('listBackups', handlers.listBackups));
  if (handlers.startBackup) router.post('/v2/operator/backups', handle('startBackup', handlers.startBackup));
  if (handlers.getUpkeep) router.get('/v2/operator/upkeep', handle('getUpkeep', handlers.getUpkeep));
  if (handlers.startScrub) router.post('/v2/operator/scrub', handle('startScrub', handlers.startScrub));
  if (handlers.listPurges) router.get('/v2/operator/purges', handle('listPurges', handlers.listPurges));
  if (handlers.listAuditEntries) router.get('/v2/operator/audit', handle('listAuditEntries', handlers.listAuditEntries));
  if (handlers.listReplicas) router.get('/v2/operator/replicas', handle('listReplicas', handlers.listReplicas));
  if (handlers.confirmClock) router.post('/v2/operator/clock/confirm', handle('confirmClock', handlers.confirmClock));
  if (handlers.verifyAuditLog) router.get('/v2/operator/audit/verify', handle('verifyAuditLog', handlers.verifyAuditLog));
  if (handlers.getAccount) router.get('/v2/operator/accounts/:account_id', handle('getAccount', handlers.getAccount));
  if (handlers.deleteAccount) router.delete('/v2/operator/accounts/:account_id', handle('deleteAccount', handlers.deleteAccount));
  if (handlers.updateAccount) router.patch('/v2/operator/accounts/:account_id', handle('updateAccount', handlers.updateAccount));
  if (handlers.revokeAccountKey) router.delete('/v2/operator/keys/:id', handle('revokeAccountKey', handlers.revokeAccountKey));
  if (handlers.updateAccountKey) router.patch('/v2/operator/keys/:id', handle('updateAccountKey', handlers.updateAccountKey));
  if (handlers.suspendAccount) router.post('/v2/operator/accounts/:account_id/suspend', handle('suspendAccount', handlers.suspendAccount));
  if (handlers.resumeAccount) router.post('/v2/operator/accounts/:account_id/resume', handle('resumeAccount', handlers.resumeAccount));
  if (handlers.restoreAccount) router.post('/v2/operator/accounts/:account_id/restore', handle('restoreAccount', handlers.restoreAccount));
  if (handlers.getAccountUsage) router.get('/v2/operator/accounts/:account_id/usage', handle('getAccountUsage', handlers.getAccountUsage));
  if (handlers.listAccountKeys) router.get('/v2/operator/accounts/:account_id/keys', handle('listAccountKeys', handlers.listAccountKeys));
  if (handlers.createAccountKey) router.post('/v2/operator/accounts/:account_id/keys', handle('createAccountKey', handlers.createAccountKey));
  if (handlers.listAccountApps) router.get('/v2/operator/accounts/:account_id/apps', handle('listAccountApps', handlers.listAccountApps));
  if (handlers.createAccountApp) router.post('/v2/operator/accounts/:account_id/apps', handle('createAccountApp', handlers.createAccountApp));
  if (handlers.runJob) router.post('/v2/operator/jobs/:job/run', handle('runJob', handlers.runJob));
  if (handlers.getAccountAiUsage) router.get('/v2/operator/accounts/:account_id/usage/ai', handle('getAccountAiUsage', handlers.getAccountAiUsage));
  return router;
}

export type GetLivenessReply =
  | { status: 200; body: Json<types.GetLivenessResponses[200]>; headers?: ReplyHeaders }
  | { status: 403; body: types.GetLivenessErrors[403]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetLivenessErrors[500]; headers?: ReplyHeaders };

export type GetReadinessReply =
  | { status: 200; body: Json<types.GetReadinessResponses[200]>; headers?: ReplyHeaders }
  | { status: 403; body: types.GetReadinessErrors[403]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetReadinessErrors[500]; headers?: ReplyHeaders }
  | { status: 503; body: types.GetReadinessErrors[503]; headers?: ReplyHeaders };

export type GetMetricsReply =
  | { status: 200; body: Content; headers?: ReplyHeaders }
  | { status: 403; body: types.GetMetricsErrors[403]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetMetricsErrors[500]; headers?: ReplyHeaders };

export interface OperationsHandlers<Context> {
  readonly getLiveness: Operation<Record<never, never>, Context, GetLivenessReply>;
  readonly getReadiness: Operation<Record<never, never>, Context, GetReadinessReply>;
  readonly getMetrics: Operation<Record<never, never>, Context, GetMetricsReply>;
}

export function operationsRouter<Context>(handlers: Partial<OperationsHandlers<Context>>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (handlers.getLiveness) router.get('/livez', handle('getLiveness', handlers.getLiveness));
  if (handlers.getReadiness) router.get('/readyz', handle('getReadiness', handlers.getReadiness));
  if (handlers.getMetrics) router.get('/metrics', handle('getMetrics', handlers.getMetrics));
  return router;
}

/** The routers of the doors that have them. */
export const routers = {
  api: [filesRouter, uploadsRouter, trashRouter, foldersRouter, uploadTokensRouter, sharesRouter, fileRequestsRouter, s3Router, settingsRouter, imagesRouter, accountRouter, sessionsRouter, webhooksRouter, chatRouter, appsRouter, deploysRouter, edgeErrorsRouter, devicesRouter, operationsRouter],
  files: [filesLinksRouter, sharesLinksRouter, fileRequestsLinksRouter],
  operator: [operatorRouter],
} as const;

/** The handlers of all tags. */
export interface Handlers<Context>
  extends FilesHandlers<Context>, UploadsHandlers<Context>, TrashHandlers<Context>, FoldersHandlers<Context>, UploadTokensHandlers<Context>, SharesHandlers<Context>, FileRequestsHandlers<Context>, S3Handlers<Context>, SettingsHandlers<Context>, ImagesHandlers<Context>, AccountHandlers<Context>, SessionsHandlers<Context>, WebhooksHandlers<Context>, ChatHandlers<Context>, AppsHandlers<Context>, DeploysHandlers<Context>, EdgeErrorsHandlers<Context>, DevicesHandlers<Context>, OperatorHandlers<Context>, OperationsHandlers<Context> {}
