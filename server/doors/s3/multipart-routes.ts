import { abortMultipartUpload } from './operations/abort-multipart-upload.ts';
import { completeMultipartUpload } from './operations/complete-multipart-upload.ts';
import { createMultipartUpload } from './operations/create-multipart-upload.ts';
import { getObjectAttributes } from './operations/get-object-attributes.ts';
import { listMultipartUploads } from './operations/list-multipart-uploads.ts';
import { listParts } from './operations/list-parts.ts';
import { uploadPartCopy } from './operations/upload-part-copy.ts';
import { uploadPart } from './operations/upload-part.ts';
import type { Route } from './route-row.ts';

/** The operations of multipart uploads, and those that know the parts of a file. */
export const multipartRoutes: readonly Route[] = [
  {
    name: 'CreateMultipartUpload',
    method: 'POST',
    on: 'object',
    query: { uploads: true },
    needs: 'write',
    beginsBytes: true,
    run: createMultipartUpload,
  },
  {
    name: 'UploadPartCopy',
    method: 'PUT',
    on: 'object',
    query: { partNumber: true, uploadId: true },
    header: 'x-amz-copy-source',
    needs: 'write',
    writesBytes: true,
    run: uploadPartCopy,
  },
  {
    name: 'UploadPart',
    method: 'PUT',
    on: 'object',
    query: { partNumber: true, uploadId: true },
    needs: 'write',
    writesBytes: true,
    run: uploadPart,
  },
  {
    name: 'CompleteMultipartUpload',
    method: 'POST',
    on: 'object',
    query: { uploadId: true },
    needs: 'write',
    run: completeMultipartUpload,
  },
  {
    name: 'AbortMultipartUpload',
    method: 'DELETE',
    on: 'object',
    query: { uploadId: true },
    needs: 'write',
    run: abortMultipartUpload,
  },
  { name: 'ListParts', method: 'GET', on: 'object', query: { uploadId: true }, needs: 'write', run: listParts },
  {
    name: 'ListMultipartUploads',
    method: 'GET',
    on: 'bucket',
    query: { uploads: true },
    needs: 'write',
    run: listMultipartUploads,
  },
  {
    name: 'GetObjectAttributes',
    method: 'GET',
    on: 'object',
    query: { attributes: true },
    needs: 'read',
    run: getObjectAttributes,
  },
];
