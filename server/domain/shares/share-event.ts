import type { EventType } from '../events/event.ts';
import { instant, recordEventAt } from '../events/record-event.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import type { Share } from './share.ts';

/**
 * Adds an event about a share link. It names the file and the limits of the link. The link's id stays out of it, because
 * it opens the link.
 */
export async function recordShareEvent(
  tx: Transaction<'events'>,
  type: Extract<EventType, `share.${string}`>,
  { object, createdAt, expiresAt, maxDownloads, remainingDownloads }: Share,
  more: object = {},
): Promise<void> {
  await recordEventAt(tx, type, object, {
    share: {
      created_at: instant(createdAt),
      expires_at: instant(expiresAt),
      max_downloads: maxDownloads,
      remaining_downloads: remainingDownloads,
    },
    ...more,
  });
}

/** Notes a visit of a link, and a download of a link without a cap. It need not survive a power cut. */
export async function noteVisit(
  { metadata }: { readonly metadata: Writes<'events' | 'shares'> },
  share: Share,
  isDownload: boolean,
): Promise<void> {
  const options = { account: share.object.accountId, isDurable: false };
  await metadata.atomically(async (tx) => {
    await recordShareEvent(tx, 'share.visited', share);
    if (!isDownload) return;
    await tx.shares.countDownload(share.idHash);
    await recordShareEvent(tx, 'share.downloaded', share);
  }, options);
}
