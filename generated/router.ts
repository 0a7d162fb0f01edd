// Made from openapi/ by `npm run generate`. Never edit it by hand.

import type { Readable } from 'node:stream';

import { Router, type RequestHandler } from 'express';

import type { OperationId } from './policies.ts';
import type * as types from './types.ts';

/** What is not JSON: text, a page, or bytes as a stream. */
export type Content = string | Uint8Array | Readable;

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
  | { status: 500; body: types.UploadObjectErrors[500]; headers?: ReplyHeaders };

export type DeleteObjectsReply =
  | { status: 200; body: types.DeleteObjectsResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.DeleteObjectsErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.DeleteObjectsErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.DeleteObjectsErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.DeleteObjectsErrors[404]; headers?: ReplyHeaders }
  | { status: 413; body: types.DeleteObjectsErrors[413]; headers?: ReplyHeaders }
  | { status: 429; body: types.DeleteObjectsErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.DeleteObjectsErrors[500]; headers?: ReplyHeaders };

export type GetObjectInfoReply =
  | { status: 200; body: types.GetObjectInfoResponses[200]; headers?: ReplyHeaders }
  | { status: 400; body: types.GetObjectInfoErrors[400]; headers?: ReplyHeaders }
  | { status: 401; body: types.GetObjectInfoErrors[401]; headers?: ReplyHeaders }
  | { status: 403; body: types.GetObjectInfoErrors[403]; headers?: ReplyHeaders }
  | { status: 404; body: types.GetObjectInfoErrors[404]; headers?: ReplyHeaders }
  | { status: 429; body: types.GetObjectInfoErrors[429]; headers?: ReplyHeaders }
  | { status: 500; body: types.GetObjectInfoErrors[500]; headers?: ReplyHeaders };

export interface ObjectsHandlers<Context> {
  listObjects(input: { query: NonNullable<types.ListObjectsData['query']> }, context: Context): Promise<ListObjectsReply>;
  uploadObject(input: { query: NonNullable<types.UploadObjectData['query']> }, context: Context): Promise<UploadObjectReply>;
  deleteObjects(input: { body: NonNullable<types.DeleteObjectsData['body']> }, context: Context): Promise<DeleteObjectsReply>;
  getObjectInfo(input: { query: NonNullable<types.GetObjectInfoData['query']> }, context: Context): Promise<GetObjectInfoReply>;
}

export function objectsRouter<Context>(handlers: ObjectsHandlers<Context>, handle: Handle<Context>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/v1/objects', handle('listObjects', (input, context) => handlers.listObjects(input as Parameters<typeof handlers.listObjects>[0], context)));
  router.post('/v1/objects', handle('uploadObject', (input, context) => handlers.uploadObject(input as Parameters<typeof handlers.uploadObject>[0], context)));
  router.delete('/v1/objects', handle('deleteObjects', (input, context) => handlers.deleteObjects(input as Parameters<typeof handlers.deleteObjects>[0], context)));
  router.get('/v1/objects/info', handle('getObjectInfo', (input, context) => handlers.getObjectInfo(input as Parameters<typeof handlers.getObjectInfo>[0], context)));
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
