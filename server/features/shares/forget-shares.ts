import { forgetting } from '#server/domain/forgetting.ts';
import { endedSharesKeptMs, spentDownloadsKeptMs } from './limits.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { endExpiredShares } from './end-expired-shares.ts';

/**
 * Adds the events of links that have expired. Removes links 30 days after that, and spent downloads a day after their
 * last bytes were taken.
 */
export async function forgetShares(
  deps: { readonly metadata: Metadata<'events' | 'shares'> },
  now: number,
): Promise<number> {
  return (await endExpiredShares(deps, now)) + (await forgetEndedShares(deps, now));
}

const forgetEndedShares = forgetting<'shares'>(async ({ shares }, now, limit) => {
  const downloads = await shares.forgetDownloadsBefore(now - spentDownloadsKeptMs, limit);
  return downloads + (await shares.forgetExpiredBefore(now - endedSharesKeptMs, limit));
});
