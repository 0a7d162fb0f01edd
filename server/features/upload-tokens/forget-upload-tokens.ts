import { forgetting } from '#server/domain/forgetting.ts';
import { uploadTokensKeptMs } from '#server/domain/limits.ts';

/**
 * Removes upload tokens a day after they expired. A token that began a chunked upload stays while the upload is stored,
 * because the browser may still use it.
 */
export const forgetUploadTokens = forgetting<'uploadTokens'>((tx, now, limit) =>
  tx.uploadTokens.forgetExpiredBefore(now - uploadTokensKeptMs, limit),
);
