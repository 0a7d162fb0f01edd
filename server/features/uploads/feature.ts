import { feature, ofAccount } from '#server/feature.ts';
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
