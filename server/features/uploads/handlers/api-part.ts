import { policies } from '#generated/policies.ts';
import { minUploadBytes } from '#server/domain/limits.ts';
import { maxChunkedUploadBytes } from '../limits.ts';
import type { ApiPart } from '#server/handlers/api-part.ts';
import { uploadProtocols, uploadResponseHeaders } from '#server/http/upload-protocols.ts';

/** What the protocols of resumable uploads add to the door of the API. */
export const apiPart: ApiPart = {
  prepare: uploadProtocols(policies.startUpload.path, {
    minBytes: minUploadBytes,
    maxBytes: maxChunkedUploadBytes,
  }),
  exposedHeaders: uploadResponseHeaders,
};
