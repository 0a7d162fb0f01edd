import { forgetting } from '#server/domain/forgetting.ts';
import { chunkedUploadKeptMs } from './limits.ts';

/** Removes uploads that were closed 24 hours ago. */
export const forgetClosedUploads = forgetting<'chunkedUploads'>((tx, now, limit) =>
  tx.chunkedUploads.forgetClosed(now - chunkedUploadKeptMs, limit),
);
