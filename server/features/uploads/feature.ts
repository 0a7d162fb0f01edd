import { feature, ofAccount } from '#server/feature.ts';
import { ofAccounts } from '#server/stores/tables/counter.ts';
import { files } from '../files/feature.ts';
import { uploadTokens } from '../upload-tokens/feature.ts';
import { abortIdleUploads } from './abort-idle-uploads.ts';
import { clearClosedUploads } from './clear-closed-uploads.ts';
import { forgetClosedUploads } from './forget-closed-uploads.ts';
import { removeUploads } from './remove-uploads.ts';
import { chunkedUploadsTable } from './tables/chunked-uploads.ts';

/** Uploads in parts, and uploads that can be resumed. */
export const uploads = feature({
  name: 'uploads',
  needs: [uploadTokens, files],
  pages: ['chunked-uploads', 'resumable-uploads'],
  schema: ['uploads'],
  tables: {
    chunkedUploads: chunkedUploadsTable,
  },
  tokenTables: ['chunked_uploads'],
  blobRows: [{ name: 'chunked_parts', md5: 'md5' }],
  counters: [
    ofAccounts('reserved_bytes', 'stored_bytes', 'chunked_uploads', "state = 'open'"),
    {
      table: 'chunked_uploads',
      key: 'upload_id',
      column: 'stored_bytes',
      sums: [{ value: 'size_bytes', of: 'chunked_parts', where: 'upload_id = chunked_uploads.upload_id' }],
      where: "state = 'open'",
    },
  ],
  readSteps: {
    chunkedUploads: ['idle', 'openOf', 'withPartsLeft'],
  },
  accountRows: [['chunked_uploads', 'upload_id', `${ofAccount} AND state <> 'open' AND has_parts_left = 0`]],
  emptyAccount: removeUploads,
  jobs: {
    'abort-idle-uploads': { stage: 'files', trustsClock: true, run: abortIdleUploads },
    'forget-closed-uploads': { stage: 'files', trustsClock: true, run: forgetClosedUploads },
  },
  markBlobs: clearClosedUploads,
  serve: () => import('./serve.ts'),
});
