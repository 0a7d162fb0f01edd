import { feature, ofAccount } from '#server/feature.ts';
import { files } from '../files/feature.ts';
import { uploadTokens } from '../upload-tokens/feature.ts';
import { chunkedUploadsTable } from './tables/chunked-uploads.ts';

/** Uploads in parts, and uploads that can be resumed. */
export const uploads = feature({
  name: 'uploads',
  needs: [uploadTokens, files],
  schema: ['uploads'],
  tables: {
    chunkedUploads: chunkedUploadsTable,
  },
  accountRows: [['chunked_uploads', 'upload_id', `${ofAccount} AND state <> 'open' AND has_parts_left = 0`]],
});
