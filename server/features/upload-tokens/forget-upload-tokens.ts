import { dayMs } from '#server/domain/day.ts';
import { forgetting } from '#server/domain/forgetting.ts';

/**
 * How long expired upload tokens are stored. Requests that were admitted before the expiry take less time than this.
 */
const uploadTokensKeptMs = dayMs;

/**
 * Removes upload tokens a day after they expired. A token that began a chunked upload stays while the upload is stored,
 * because the browser may still use it.
 */
export const forgetUploadTokens = forgetting<'uploadTokens'>((tx, now, limit) =>
  tx.uploadTokens.forgetExpiredBefore(now - uploadTokensKeptMs, limit),
);
